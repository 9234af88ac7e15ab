import type { CellFormat } from './sheet.ts';
import { plainText } from './workbook-text.ts';

export interface Style {
  format: CellFormat;
  isBold?: boolean;
  isHeader?: boolean;
  /** Keeps the cell a text when somebody edits it. */
  isQuoted?: boolean;
}

const general = 'General';
const firstOwnFormat = 164;
const styleSheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The number format code (ECMA-376 part 1, 18.8.30). */
export function formatCode(format: CellFormat): string {
  switch (format.kind) {
    case 'number':
      return `#,##0${decimalsOf(format)}${format.unit === undefined ? '' : ` "${format.unit}"`}`;
    case 'money':
      return `#,##0${decimalsOf(format)} [$${format.currency}]`;
    case 'share':
      return `0.0${'#'.repeat(format.moreDecimals)}%`;
    case 'date':
      return 'yyyy-mm-dd';
    case 'month':
      return 'yyyy-mm';
    case 'dateTime':
      return format.isExact === true ? 'yyyy-mm-dd hh:mm:ss.000' : 'yyyy-mm-dd hh:mm:ss';
    case 'text':
    case 'instant':
    case 'zoned':
      return general;
  }
}

/** Width of a number in a format, in characters. */
export function numberWidth(value: number, format: CellFormat): number {
  if (format.kind === 'date' || format.kind === 'month') return 10;
  // A column of times may contain some with milliseconds.
  if (format.kind === 'dateTime') return 23;
  if (format.kind === 'share') return 6 + format.moreDecimals;
  const whole = Math.floor(Math.log10(Math.max(1, Math.abs(value)))) + 1;
  const grouped = whole + Math.floor((whole - 1) / 3) + (value < 0 ? 1 : 0);
  if (format.kind !== 'number' && format.kind !== 'money') return grouped;
  const decimals = format.decimals + (format.moreDecimals ?? 0);
  const unit = format.kind === 'money' ? format.currency : (format.unit ?? '');
  return grouped + (decimals > 0 ? decimals + 1 : 0) + (unit === '' ? 0 : unit.length + 1);
}

function decimalsOf({ decimals, moreDecimals = 0 }: { decimals: number; moreDecimals?: number }): string {
  return decimals + moreDecimals === 0 ? '' : `.${'0'.repeat(decimals)}${'#'.repeat(moreDecimals)}`;
}

/** The styles of a workbook, each stored once; cells refer to them by index. */
export class Styles {
  readonly #codes: string[] = [];
  readonly #styles = new Map<string, number>();
  readonly #entries: string[] = [];

  constructor() {
    // The first one applies to cells without a style.
    this.find({ format: { kind: 'text' } });
  }

  find({ format, isBold = false, isHeader = false, isQuoted = false }: Style): number {
    const code = formatCode(format);
    const key = `${code} ${isBold} ${isHeader} ${isQuoted}`;
    const known = this.#styles.get(key);
    if (known !== undefined) return known;
    const font = isBold || isHeader ? 1 : 0;
    const [fill, border] = isHeader ? [2, 1] : [0, 0];
    const applied = [
      code === general ? '' : ' applyNumberFormat="1"',
      font === 0 ? '' : ' applyFont="1"',
      isHeader ? ' applyFill="1" applyBorder="1"' : '',
      isQuoted ? ' quotePrefix="1"' : '',
    ].join('');
    this.#entries.push(
      `<xf numFmtId="${this.#findCode(code)}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0"${applied}/>`,
    );
    this.#styles.set(key, this.#entries.length - 1);
    return this.#entries.length - 1;
  }

  toXml(): string {
    const formats = this.#codes.map(
      (code, at) => `<numFmt numFmtId="${firstOwnFormat + at}" formatCode="${plainText(code)}"/>`,
    );
    const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
    return [
      `<styleSheet xmlns="${styleSheet}">`,
      formats.length === 0 ? '' : `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`,
      `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
      '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>',
      '<fill><patternFill patternType="solid"><fgColor rgb="FFE9ECEF"/><bgColor indexed="64"/></patternFill></fill></fills>',
      '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>',
      '<border><left/><right/><top/><bottom style="thin"><color rgb="FFADB5BD"/></bottom><diagonal/></border></borders>',
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
      `<cellXfs count="${this.#entries.length}">${this.#entries.join('')}</cellXfs>`,
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
      '</styleSheet>',
    ].join('');
  }

  #findCode(code: string): number {
    if (code === general) return 0;
    const known = this.#codes.indexOf(code);
    return firstOwnFormat + (known >= 0 ? known : this.#codes.push(code) - 1);
  }
}
