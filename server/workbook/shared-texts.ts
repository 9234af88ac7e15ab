import { cellText } from './workbook-text.ts';

const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The texts of a workbook, each stored once; cells refer to them by index. */
export class SharedTexts {
  readonly #numbers = new Map<string, number>();
  #uses = 0;

  /** Counts one more cell with the text and returns its index. */
  find(text: string): number {
    const number = this.numberOf(text);
    this.count(1);
    return number;
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  count(uses: number): void {
    this.#uses += uses;
  }

  *toXml(): Generator<string> {
    yield `<sst xmlns="${spreadsheet}" count="${this.#uses}" uniqueCount="${this.#numbers.size}">`;
    // Keeps leading and trailing spaces and line breaks.
    for (const text of this.#numbers.keys()) yield `<si><t xml:space="preserve">${cellText(text)}</t></si>`;
    yield '</sst>';
  }
}
