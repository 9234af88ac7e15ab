import type { ExportText } from '../../messages/en/exports.ts';
import { type Language, type Message, type Templates, wordMessage } from '../../shared/messages.ts';

/** Translates a text into the language of the reader, optionally with a unit, zone or currency in brackets after it. */
export interface Say {
  (text: ExportText, inBrackets?: string): string;
  /** A text of the API in the language of the reader; English if it has no message, or one for programs only. */
  message: (text: string | null, message: Message | null) => string | null;
}

type ExportTexts = Readonly<Record<ExportText, string>>;

const catalogueOf = async (texts: Promise<{ default: ExportTexts }>, errors: Promise<{ default: Templates }>) => ({
  texts: (await texts).default,
  errors: (await errors).default,
});

/** Each is loaded with the first workbook in its language, because few portals need them all. */
export const catalogues: Record<Exclude<Language, 'en'>, () => ReturnType<typeof catalogueOf>> = {
  de: () =>
    catalogueOf(
      import('../../messages/de/exports.json', { with: { type: 'json' } }),
      import('../../messages/de/errors.json', { with: { type: 'json' } }),
    ),
  es: () =>
    catalogueOf(
      import('../../messages/es/exports.json', { with: { type: 'json' } }),
      import('../../messages/es/errors.json', { with: { type: 'json' } }),
    ),
  fr: () =>
    catalogueOf(
      import('../../messages/fr/exports.json', { with: { type: 'json' } }),
      import('../../messages/fr/errors.json', { with: { type: 'json' } }),
    ),
  it: () =>
    catalogueOf(
      import('../../messages/it/exports.json', { with: { type: 'json' } }),
      import('../../messages/it/errors.json', { with: { type: 'json' } }),
    ),
  nl: () =>
    catalogueOf(
      import('../../messages/nl/exports.json', { with: { type: 'json' } }),
      import('../../messages/nl/errors.json', { with: { type: 'json' } }),
    ),
};

export async function sayIn(language: Language): Promise<Say> {
  const catalogue = language === 'en' ? null : await catalogues[language]();
  const say = (text: ExportText, inBrackets?: string) =>
    (catalogue?.texts[text] ?? text) + (inBrackets === undefined ? '' : ` (${inBrackets})`);
  const worded = (text: string | null, message: Message | null) =>
    message === null || catalogue === null ? text : (wordMessage(message, catalogue.errors) ?? text);
  return Object.assign(say, { message: worded });
}
