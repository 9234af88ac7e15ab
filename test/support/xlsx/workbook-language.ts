import type { Language } from '../../../shared/messages.ts';
import { type ExportText, exportTexts } from '../../../messages/en/exports.ts';
import { sayIn } from '../../../server/reports/say.ts';
import type { Workbook } from './workbook.ts';

const isText = (text: string): text is ExportText => exportTexts.some((known) => known === text);

/** The names of its sheets and the texts of its cells, and what else is in its cells, each in the order of the file. */
export function contentsOf({ sheets, properties }: Workbook) {
  const cells = sheets.flatMap(({ rows }) => rows.flat().flatMap((cell) => (cell === null ? [] : [cell])));
  return {
    texts: [
      properties.get('title') ?? '',
      ...sheets.map(({ name }) => name),
      ...cells.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    ],
    numbers: cells.flatMap(({ value }) => (typeof value === 'number' ? [value] : [])),
  };
}

/**
 * What each text of an English workbook is in another language, by the catalogue; what nobody `typed` and the catalogue does not
 * have throws.
 */
export async function translated(texts: readonly string[], language: Language, typed: RegExp): Promise<string[]> {
  const say = sayIn(language);
  return texts.map((text) => {
    if (isText(text)) return say(text);
    const [, stem = '', inBrackets = ''] = /^(.+) \((.+)\)$/.exec(text) ?? [];
    if (isText(stem)) return say(stem, isText(inBrackets) ? say(inBrackets) : inBrackets);
    const [, amount = '', currency] = /^(.+) in ([A-Z]{3})$/.exec(text) ?? [];
    if (isText(amount)) return `${say(amount)} ${say('in')} ${currency}`;
    if (typed.test(text)) return text;
    throw new Error(`${JSON.stringify(text)} is in no catalogue, and nobody typed it.`);
  });
}
