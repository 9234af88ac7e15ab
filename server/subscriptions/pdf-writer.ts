import Pdf from 'pdfkit';
import { labelSize, type Mark } from '../../shared/charts/marks.ts';
import type { ReportDocument, ReportTable } from './document.ts';
import { chartInk, chartSize } from './render-job.ts';
import type { Typeface } from './typeface.ts';

/** Points. */
const margin = 48;
const sheet = { width: 595.28, height: 841.89 };
const contentWidth = sheet.width - 2 * margin;
const bottom = sheet.height - margin - 12;
const sizes = { text: 9.5, small: 8, heading: 12.5, title: 18 } as const;
const leading = 1.4;
const cellGap = 10;
const { dimmed } = chartInk;
const ink: string = chartInk.text;
const bandHeight = 28;

type Align = 'start' | 'end';

/** Writes a report as A4 sheets with selectable text. */
export class PdfWriter {
  readonly #typeface: Typeface;
  readonly #colors: { ground: string; ink: string };
  readonly #document: ReportDocument;
  readonly #pdf: InstanceType<typeof Pdf>;
  #y = margin;

  constructor(typeface: Typeface, colors: { ground: string; ink: string }, document: ReportDocument) {
    this.#typeface = typeface;
    this.#colors = colors;
    this.#document = document;
    const { title, readAt, brand, language } = document;
    const at = new Date(readAt);
    this.#pdf = new Pdf({
      size: 'A4',
      margin,
      bufferPages: true,
      autoFirstPage: false,
      // Without it, the library loads a typeface of its own.
      font: '',
      // The library derives the id of the file from these, so a report that is written again has the same bytes.
      info: { Title: title, Author: brand.applicationName, CreationDate: at, ModDate: at },
      lang: language,
      displayTitle: true,
    });
  }

  async write(charts: readonly (readonly Mark[] | null)[]): Promise<Uint8Array> {
    const { title, subtitle, sections, notes, brand } = this.#document;
    const pdf = this.#pdf;
    const pieces: Buffer[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    pdf.on('data', (piece: Buffer) => pieces.push(piece));
    pdf.on('end', () => resolve());
    pdf.on('error', reject);
    for (const { name, bytes } of this.#typeface.files) pdf.registerFont(name, Buffer.from(bytes));
    this.#addSheet(brand.applicationName);
    this.#paragraph(title, sizes.title, { isStrong: true });
    this.#paragraph(subtitle, sizes.text, { color: dimmed });
    sections.forEach(({ heading, paragraphs, table }, index) => {
      const marks = charts[index] ?? null;
      const chartHeight = marks === null ? 0 : (chartSize.height * contentWidth) / chartSize.width;
      this.#y += 10;
      this.#reserve(sizes.heading * leading + Math.max(chartHeight, 3 * sizes.text * leading));
      this.#paragraph(heading, sizes.heading, { isStrong: true });
      this.#y += 2;
      for (const paragraph of paragraphs) this.#paragraph(paragraph, sizes.text);
      if (marks !== null) this.#chart(marks, chartHeight);
      if (table !== undefined) this.#table(table);
    });
    this.#y += 12;
    for (const note of notes) this.#paragraph(note, sizes.small, { color: dimmed });
    this.#foot(brand.footerText);
    pdf.end();
    await promise;
    return new Uint8Array(Buffer.concat(pieces));
  }

  #addSheet(name: string): void {
    const pdf = this.#pdf;
    pdf.addPage();
    pdf.rect(0, 0, sheet.width, bandHeight).fill(this.#colors.ground);
    this.#text(name, { x: margin, y: 9, size: sizes.text, isStrong: true, color: this.#colors.ink });
    this.#y = bandHeight + 24;
  }

  #nextSheet(): void {
    this.#pdf.addPage();
    this.#y = margin;
  }

  #reserve(height: number): void {
    if (this.#y + height > bottom) this.#nextSheet();
  }

  /** One line at a place; `y` is its upper edge. */
  #text(
    text: string,
    {
      x,
      y,
      size,
      isStrong = false,
      color = ink,
    }: { x: number; y: number; size: number; isStrong?: boolean; color?: string },
  ): void {
    let at = x;
    for (const piece of this.#typeface.piecesOf(text, isStrong)) {
      const pdf = this.#pdf.font(piece.font).fontSize(size).fillColor(color);
      pdf.text(piece.text, at, y, { lineBreak: false });
      at += this.#typeface.widthOf(piece.text, size, isStrong);
    }
  }

  #paragraph(text: string, size: number, { isStrong = false, color = ink } = {}): void {
    for (const line of this.#lines(text, contentWidth, size, isStrong)) {
      this.#reserve(size * leading);
      this.#text(line, { x: margin, y: this.#y, size, isStrong, color });
      this.#y += size * leading;
    }
  }

  /** The text in lines that fit; a word that is too long is cut. */
  #lines(text: string, width: number, size: number, isStrong = false): string[] {
    const fits = (line: string) => this.#typeface.widthOf(line, size, isStrong) <= width;
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (!fits(line) && [...line].length > 1) {
        const letters = [...line];
        let count = letters.length - 1;
        while (count > 1 && !fits(letters.slice(0, count).join(''))) count -= 1;
        lines.push(letters.slice(0, count).join(''));
        line = letters.slice(count).join('');
      }
    }
    return [...lines, line];
  }

  #table({ head, rows, totals }: ReportTable): void {
    const all = [head, ...rows, ...totals];
    const columns = head.map((_, at) => all.map((row) => row[at] ?? ''));
    const natural = columns.map((cells) =>
      cells.reduce((widest, cell) => Math.max(widest, this.#typeface.widthOf(cell, sizes.text, true)), 0),
    );
    const widths = fitColumns(natural, contentWidth - cellGap * (columns.length - 1));
    const aligned = columns.map((cells, at): Align => (at > 0 && cells.slice(1).every(isFigure) ? 'end' : 'start'));
    this.#y += 2;
    this.#row(head, { widths, aligned, isStrong: true, color: dimmed });
    for (const row of rows) this.#row(row, { widths, aligned });
    for (const row of totals) this.#row(row, { widths, aligned, isStrong: true });
  }

  #row(
    row: readonly string[],
    {
      widths,
      aligned,
      isStrong = false,
      color = ink,
    }: { widths: readonly number[]; aligned: readonly Align[]; isStrong?: boolean; color?: string },
  ): void {
    const size = sizes.text;
    const cells = widths.map((width, at) => this.#lines(row[at] ?? '', width, size, isStrong));
    const height = Math.max(...cells.map(({ length }) => length)) * size * leading + 4;
    this.#reserve(height);
    let x = margin;
    cells.forEach((lines, column) => {
      const width = widths[column] ?? 0;
      lines.forEach((line, at) => {
        const free = aligned[column] === 'end' ? width - this.#typeface.widthOf(line, size, isStrong) : 0;
        this.#text(line, { x: x + free, y: this.#y + 2 + at * size * leading, size, isStrong, color });
      });
      x += width + cellGap;
    });
    this.#y += height;
    this.#pdf
      .moveTo(margin, this.#y)
      .lineTo(margin + contentWidth, this.#y)
      .lineWidth(0.5)
      .stroke(chartInk.line);
  }

  #chart(marks: readonly Mark[], height: number): void {
    const pdf = this.#pdf;
    const scale = contentWidth / chartSize.width;
    pdf.save().translate(margin, this.#y).scale(scale);
    for (const mark of marks) {
      if (mark.kind === 'line') {
        pdf.moveTo(mark.x1, mark.y1).lineTo(mark.x2, mark.y2).lineWidth(1).stroke(chartInk[mark.tone]);
      } else if (mark.kind === 'text') {
        const { text, anchor, isStrong = false } = mark;
        const width = this.#typeface.widthOf(text, labelSize, isStrong);
        const x = mark.x - (anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0);
        // In the PDF a text is placed by its upper edge; in the marks, by its baseline.
        const color = isStrong ? ink : dimmed;
        this.#text(text, { x, y: mark.y - labelSize * ascent, size: labelSize, isStrong, color });
      } else if (mark.d !== '') {
        const { d, fill, fillOpacity = 1, stroke } = mark;
        if (fill !== undefined) pdf.path(d).fillOpacity(fillOpacity).fill(fill).fillOpacity(1);
        if (stroke === undefined) continue;
        pdf.save().path(d).lineWidth(stroke.width).lineJoin('round');
        if (stroke.isRound === true) pdf.lineCap('round');
        if (stroke.dash !== undefined) pdf.dash(stroke.dash[0] ?? 1, { space: stroke.dash[1] ?? 1 });
        pdf.stroke(stroke.color).restore();
      }
    }
    pdf.restore();
    this.#y += height;
  }

  #foot(text: string): void {
    const pdf = this.#pdf;
    const { start, count } = pdf.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      pdf.switchToPage(start + index);
      // Without this, text in the lower margin would begin a new sheet.
      pdf.page.margins.bottom = 0;
      const number = `${index + 1} / ${count}`;
      const y = sheet.height - margin + 12;
      const color = dimmed;
      const [line = ''] = this.#lines(text, contentWidth - 80, sizes.small);
      this.#text(line, { x: margin, y, size: sizes.small, color });
      const x = margin + contentWidth - this.#typeface.widthOf(number, sizes.small);
      this.#text(number, { x, y, size: sizes.small, color });
    }
  }
}

/**
 * The distance from the baseline to the upper edge of a line, as a multiple of the font size; equal for all subsets of the
 * typeface.
 */
const ascent = 0.969;

/** Whether a cell holds a number, with or without a unit or currency, or is empty. */
const isFigure = (cell: string): boolean =>
  cell === '' || cell === '–' || /^(?:[\p{Sc}\p{Lu}]{1,4}[\s\u00a0]?)?[-+−]?[\p{Sc}]?\d/u.test(cell);

/** Reduces widths so that they fit together, the widest columns first. */
function fitColumns(natural: readonly number[], room: number): number[] {
  const total = natural.reduce((sum, width) => sum + width, 0);
  if (total <= room) return natural.map((width, at) => (at === 0 ? width + room - total : width));
  let cap = room;
  const capped = () => natural.map((width) => Math.min(width, cap));
  while (cap > 20 && capped().reduce((sum, width) => sum + width, 0) > room) cap -= 1;
  return capped();
}
