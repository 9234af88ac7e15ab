import { create, type Font } from 'fontkit';

/** One subset of the typeface of the portal. */
export interface FontFile {
  name: string;
  isStrong: boolean;
  bytes: Uint8Array;
}

interface LoadedFont {
  name: string;
  font: Font;
}

/** The typeface of the portal: its subsets, the first of which has most letters. */
export class Typeface {
  readonly files: readonly FontFile[];
  readonly #loaded = new Map<string, LoadedFont>();

  constructor(files: readonly FontFile[]) {
    this.files = files;
  }

  /** Splits a text into pieces that one subset can show. A letter in no subset becomes a question mark. */
  piecesOf(text: string, isStrong: boolean): { font: string; text: string }[] {
    const pieces: { font: string; text: string }[] = [];
    for (const given of text) {
      // A no-break space replaces the narrow space of French and Swiss numbers.
      const letter = given === '\u202f' ? '\u00a0' : given;
      const name = this.#fontOf(letter, isStrong);
      const shown = name === null ? '?' : letter;
      const font = name ?? this.#fontOf('?', isStrong) ?? '';
      const last = pieces.at(-1);
      if (last?.font === font) last.text += shown;
      else pieces.push({ font, text: shown });
    }
    return pieces;
  }

  widthOf(text: string, size: number, isStrong = false): number {
    return this.glyphsOf(text, size, isStrong).reduce((sum, { advance }) => sum + advance, 0);
  }

  /**
   * The outlines of a text in font units, with the y axis upwards; the scale to the font size; and the advance to the next
   * letter.
   */
  glyphsOf(text: string, size: number, isStrong: boolean): { d: string; advance: number; scale: number }[] {
    return this.piecesOf(text, isStrong).flatMap(({ font: name, text: piece }) => {
      const { font } = this.#load(name);
      const scale = size / font.unitsPerEm;
      const { glyphs, positions } = font.layout(piece);
      return glyphs.map(({ path }, at) => ({
        d: path.toSVG(),
        advance: (positions[at]?.xAdvance ?? 0) * scale,
        scale,
      }));
    });
  }

  #fontOf(letter: string, isStrong: boolean): string | null {
    const code = letter.codePointAt(0) ?? 0;
    const found = this.files.find(
      (file) => file.isStrong === isStrong && this.#load(file.name).font.hasGlyphForCodePoint(code),
    );
    return found?.name ?? null;
  }

  #load(name: string): LoadedFont {
    return this.#loaded.getOrInsertComputed(name, () => {
      const file = this.files.find((one) => one.name === name);
      if (file === undefined) throw new Error(`There is no font ${name}.`);
      const font = create(Buffer.from(file.bytes));
      if (!('layout' in font)) throw new Error(`${name} is a collection of fonts.`);
      return { name, font };
    });
  }
}
