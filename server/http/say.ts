import type { Language } from '../../shared/languages.ts';
import { type Sentences, translateSentence } from '../../shared/sentences.ts';
import type { ExportText, ExportTexts } from './export-texts/de.ts';

/** Translates a text into the language of the reader, optionally with a unit, zone or currency in brackets after it. */
export interface Say {
  (text: ExportText, inBrackets?: string): string;
  /** Translates a sentence of the API (shared/sentences.ts); unknown ones stay as they are. */
  sentence: (sentence: string | null) => string | null;
}

const catalogueOf = async (texts: Promise<{ texts: ExportTexts }>, more: Promise<{ sentences: Sentences }>) => ({
  ...(await texts),
  ...(await more),
});

/** Each is loaded with the first workbook in its language, because few portals need them all. */
export const catalogues: Record<Exclude<Language, 'en'>, () => ReturnType<typeof catalogueOf>> = {
  de: () => catalogueOf(import('./export-texts/de.ts'), import('../../shared/sentences-de.ts')),
  es: () => catalogueOf(import('./export-texts/es.ts'), import('../../shared/sentences-es.ts')),
  fr: () => catalogueOf(import('./export-texts/fr.ts'), import('../../shared/sentences-fr.ts')),
  it: () => catalogueOf(import('./export-texts/it.ts'), import('../../shared/sentences-it.ts')),
  nl: () => catalogueOf(import('./export-texts/nl.ts'), import('../../shared/sentences-nl.ts')),
};

export async function sayIn(language: Language): Promise<Say> {
  const catalogue = language === 'en' ? null : await catalogues[language]();
  const say = (text: ExportText, inBrackets?: string) =>
    (catalogue?.texts[text] ?? text) + (inBrackets === undefined ? '' : ` (${inBrackets})`);
  const sentence = (said: string | null) =>
    said === null || catalogue === null ? said : translateSentence(said, catalogue.sentences);
  return Object.assign(say, { sentence });
}
