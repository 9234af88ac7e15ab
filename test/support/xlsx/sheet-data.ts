import { parseCell, maxRows } from './references.ts';
import { checkAttributes, checkPosition, wholeNumber } from './schema.ts';
import { checkText, textOf } from './strings.ts';
import type { CellStyle } from './styles.ts';
import { TreeBuilder, type XmlElement } from './xml.ts';

export interface Cell extends CellStyle {
  /** What the cell holds, or the last result of its formula; null when there is only a style, or no result. */
  value: string | number | boolean | null;
  /** Without its `=`. */
  formula: string | null;
  /** A text that was written as one: no formula, whatever it begins with. */
  isText: boolean;
}

export type Row = readonly (Cell | null)[];

const emptyRow: Row = [];
const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/u;
const longestFormula = 8192;

/** Takes the events inside `sheetData` and keeps the cells. Throws at the first thing that Excel would complain about. */
export class SheetData {
  readonly rows: Row[] = [];
  /** The widest row. */
  columnCount = 0;
  /** How many cells refer to a shared text. */
  sharedReferences = 0;
  private readonly part: string;
  private readonly styles: readonly CellStyle[];
  private readonly texts: readonly string[];
  private depth = 0;
  private row: (Cell | null)[] = [];
  private cell: OpenCell | undefined;
  private field: TreeBuilder | undefined;

  constructor(part: string, styles: readonly CellStyle[], texts: readonly string[]) {
    this.part = part;
    this.styles = styles;
    this.texts = texts;
  }

  open(element: XmlElement): void {
    checkAttributes(this.part, element);
    this.depth += 1;
    if (this.depth === 1) this.openRow(element);
    else if (this.depth === 2) this.cell = this.openCell(element);
    else {
      if (this.depth === 3 && this.cell !== undefined)
        this.cell.position = checkPosition(this.at, 'c', this.cell.position, element.name);
      this.field ??= new TreeBuilder();
      this.field.open(element);
    }
  }

  text(text: string): void {
    if (this.field !== undefined) this.field.text(text);
    else if (text.trim() !== '') throw new Error(`${this.at} has the text ${JSON.stringify(text)} between elements.`);
  }

  close(): void {
    const cell = this.cell;
    if (this.depth >= 3) {
      const node = this.field?.close();
      if (node !== undefined && cell !== undefined) {
        if (node.name === 'is') cell.inline = textOf(this.at, node);
        else if (node.children.length > 0) throw new Error(`${this.at} has elements in its ${node.name}.`);
        else if (node.name === 'v') cell.value = node.text;
        else if (node.name === 'f') cell.formula = this.checkFormula(node.attributes.get('t') ?? 'normal', node.text);
        this.field = undefined;
      }
    } else if (this.depth === 2 && cell !== undefined) {
      while (this.row.length < cell.column - 1) this.row.push(null);
      this.row.push(this.finish(cell));
      this.columnCount = Math.max(this.columnCount, cell.column);
      this.cell = undefined;
    }
    this.depth -= 1;
  }

  private get at(): string {
    return `${this.part}, ${this.cell?.reference ?? `row ${this.rows.length}`},`;
  }

  private openRow(element: XmlElement): void {
    const number = wholeNumber(this.part, element, 'r');
    if (element.name !== 'row' || number === null || number <= this.rows.length || number > maxRows)
      throw new Error(
        `${this.part} has a ${element.name} r="${number}" after row ${this.rows.length}: rows have ascending numbers to ${maxRows}.`,
      );
    while (this.rows.length < number - 1) this.rows.push(emptyRow);
    this.row = [];
    this.rows.push(this.row);
    this.styleOf(element);
  }

  private openCell(element: XmlElement): OpenCell {
    if (element.name !== 'c') throw new Error(`${this.at} has a ${element.name} in a row.`);
    const reference = element.attributes.get('r') ?? '';
    const { row, column } = parseCell(reference);
    if (row !== this.rows.length || column <= this.row.length)
      throw new Error(
        `${this.at} has a cell ${reference} after ${this.row.length} columns: cells ascend in their row.`,
      );
    const type = element.attributes.get('t') ?? 'n';
    return { reference, column, type, style: this.styleOf(element), position: -1 };
  }

  private styleOf(element: XmlElement): CellStyle {
    const index = wholeNumber(this.part, element, 's') ?? 0;
    const style = this.styles[index];
    if (style === undefined)
      throw new Error(
        `${this.at} ${element.attributes.get('r')} has the style ${index}, there are ${this.styles.length}.`,
      );
    return style;
  }

  private checkFormula(type: string, text: string): string {
    if (type !== 'normal') throw new Error(`${this.at} has a ${type} formula; plain ones are enough.`);
    if (text === '' || text.startsWith('=') || text.length > longestFormula)
      throw new Error(`${this.at} has the formula ${JSON.stringify(text.slice(0, 40))}.`);
    return text;
  }

  private finish(cell: OpenCell): Cell {
    const { formula = null, type } = cell;
    const isText = formula === null && (type === 's' || type === 'inlineStr');
    // One shape for all cells: a sheet may have millions.
    return {
      value: this.valueOf(cell),
      formula,
      numberFormat: cell.style.numberFormat,
      isBold: cell.style.isBold,
      isText,
    };
  }

  private valueOf({ type, value, inline, formula }: OpenCell): Cell['value'] {
    if ((inline !== undefined) !== (type === 'inlineStr'))
      throw new Error(`${this.at} has a text of its own, or lacks it.`);
    if (inline !== undefined) {
      if (value === undefined && formula === undefined) return inline;
      throw new Error(`${this.at} has a value or a formula beside a text of its own.`);
    }
    if (value === undefined || (value === '' && formula !== undefined && type !== 'str')) {
      // A style alone has no type; a formula may wait for its first calculation.
      if (type === 'n' || formula !== undefined) return null;
      throw new Error(`${this.at} has the type ${type} and no value.`);
    }
    if (type === 'n') return this.numberOf(value);
    if (type === 'b' && (value === '0' || value === '1')) return value === '1';
    if (type === 'str' && formula !== undefined) return checkText(this.at, value);
    if (type === 's') return this.sharedText(value);
    throw new Error(`${this.at} has the value ${JSON.stringify(value)} of the type ${type}.`);
  }

  private numberOf(text: string): number {
    const number = Number(text);
    if (!decimal.test(text) || !Number.isFinite(number))
      throw new Error(`${this.at} has the number ${JSON.stringify(text)}, which is none.`);
    return number;
  }

  private sharedText(index: string): string {
    const text = /^\d+$/u.test(index) ? this.texts[Number(index)] : undefined;
    if (text === undefined) throw new Error(`${this.at} has the shared text ${index}, there are ${this.texts.length}.`);
    this.sharedReferences += 1;
    return text;
  }
}

interface OpenCell {
  reference: string;
  column: number;
  type: string;
  style: CellStyle;
  /** Of its last child in the schema's sequence. */
  position: number;
  value?: string;
  inline?: string;
  formula?: string;
}
