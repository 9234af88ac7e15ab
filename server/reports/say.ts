import { type Language, type Message, type Templates, wordMessage } from '../../shared/messages.ts';
import type { ExportText, ExportTexts } from './texts/de.ts';

/** Translates a text into the language of the reader, optionally with a unit, zone or currency in brackets after it. */
export interface Say {
  (text: ExportText, inBrackets?: string): string;
  /** A text of the API in the language of the reader; English if it has no message, or one for programs only. */
  message: (text: string | null, message: Message | null) => string | null;
}

const catalogueOf = async (texts: Promise<{ texts: ExportTexts }>, errors: Promise<{ default: Templates }>) => ({
  ...(await texts),
  errors: (await errors).default,
});

/** Each is loaded with the first workbook in its language, because few portals need them all. */
export const catalogues: Record<Exclude<Language, 'en'>, () => ReturnType<typeof catalogueOf>> = {
  de: () => catalogueOf(import('./texts/de.ts'), import('../../messages/de/errors.json', { with: { type: 'json' } })),
  es: () => catalogueOf(import('./texts/es.ts'), import('../../messages/es/errors.json', { with: { type: 'json' } })),
  fr: () => catalogueOf(import('./texts/fr.ts'), import('../../messages/fr/errors.json', { with: { type: 'json' } })),
  it: () => catalogueOf(import('./texts/it.ts'), import('../../messages/it/errors.json', { with: { type: 'json' } })),
  nl: () => catalogueOf(import('./texts/nl.ts'), import('../../messages/nl/errors.json', { with: { type: 'json' } })),
};

export async function sayIn(language: Language): Promise<Say> {
  const catalogue = language === 'en' ? null : await catalogues[language]();
  const say = (text: ExportText, inBrackets?: string) =>
    (catalogue?.texts[text] ?? text) + (inBrackets === undefined ? '' : ` (${inBrackets})`);
  const worded = (text: string | null, message: Message | null) =>
    message === null || catalogue === null ? text : (wordMessage(message, catalogue.errors) ?? text);
  return Object.assign(say, { message: worded });
}
