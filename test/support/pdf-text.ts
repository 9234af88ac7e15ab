import { inflateSync } from 'node:zlib';

/** The text of each printed sheet without its spaces, by the fonts' tables of glyphs. */
export function readPdf(pdf: Buffer): string[] {
  const objects = readObjects(pdf.toString('latin1'));
  const sheets = [...objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head));
  return sheets.map(({ head }) => {
    const fonts = new Map<string, Map<string, string>>();
    const resources = objects.get(referenceTo('Resources', head))?.head ?? head;
    const named = /\/Font\s*<<(.*?)>>/s.exec(resources)?.[1] ?? '';
    for (const [, name = '', id = ''] of named.matchAll(/\/(\w+) (\d+) 0 R/g)) {
      const letters = objects.get(referenceTo('ToUnicode', objects.get(id)?.head ?? ''));
      fonts.set(name, lettersOf(letters?.stream ?? ''));
    }
    return textOf(objects.get(referenceTo('Contents', head))?.stream ?? '', fonts);
  });
}

interface PdfObject {
  head: string;
  stream: string;
}

function readObjects(file: string): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  for (const [, id = '', body = ''] of file.matchAll(/\n(\d+) 0 obj\n(.*?)\nendobj/gs)) {
    const [head = '', ...rest] = body.split(/stream\n/);
    const packed = Buffer.from(rest.join('stream\n').replace(/\nend$/, ''), 'latin1');
    const isText = /\/FlateDecode/.test(head) && !/\/Subtype \/Image|\/Length1/.test(head);
    objects.set(id, { head, stream: isText && packed.length > 0 ? inflateSync(packed).toString('latin1') : '' });
  }
  return objects;
}

const referenceTo = (name: string, head: string): string => new RegExp(`/${name} (\\d+) 0 R`).exec(head)?.[1] ?? '';

/** The letters of the glyphs of a font, by the two or four hexadecimal digits of a glyph. */
function lettersOf(map: string): Map<string, string> {
  const letters = new Map<string, string>();
  const code = (hex: string) => Number.parseInt(hex, 16);
  const text = (hex: string) => (hex.match(/.{4}/g) ?? []).map((unit) => String.fromCharCode(code(unit))).join('');
  for (const [, block = ''] of map.matchAll(/beginbfchar(.*?)endbfchar/gs)) {
    for (const [, glyph = '', to = ''] of block.matchAll(/<(\w+)> <(\w+)>/g))
      letters.set(glyph.toUpperCase(), text(to));
  }
  for (const [, block = ''] of map.matchAll(/beginbfrange(.*?)endbfrange/gs)) {
    for (const [, first = '', last = '', to = ''] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      for (let at = code(first); at <= code(last); at += 1) {
        letters.set(hexOf(at, first.length), String.fromCharCode(code(to) + at - code(first)));
      }
    }
  }
  return letters;
}

const hexOf = (glyph: number, digits: number): string => glyph.toString(16).toUpperCase().padStart(digits, '0');

function textOf(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let letters: ReadonlyMap<string, string> = new Map();
  let text = '';
  for (const [, font, shown = ''] of content.matchAll(/\/(\w+) [\d.]+ Tf|<(\w*)>/g)) {
    if (font !== undefined) {
      letters = fonts.get(font) ?? new Map();
      continue;
    }
    const digits = letters.keys().next().value?.length === 2 ? /.{2}/g : /.{4}/g;
    for (const glyph of shown.match(digits) ?? []) text += letters.get(glyph.toUpperCase()) ?? '';
  }
  return text.replaceAll(/\s/g, '');
}
