import type { en } from './en.ts';
import type { Language } from './language.ts';

export type Messages = typeof en;

/** The shape of a translation: the keys of the English catalogue, any text. */
export type Translated<Part> = {
  readonly [Key in keyof Part]: Part[Key] extends string ? string : Translated<Part[Key]>;
};

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Messages;
  }
}

const catalogues: Record<Language, () => Promise<Translated<Messages>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
};

/** Loads the messages of one language; each is a file of its own, so that nobody downloads two. */
export async function loadMessages(language: Language): Promise<Messages> {
  const messages = await catalogues[language]();
  if (!hasSameKeys(messages)) throw new Error(`The catalogue of ${language} has no messages.`);
  return messages;
}

/** The literal texts in the type of {@link Messages} only serve to check placeholders; a translation has other texts. */
function hasSameKeys(messages: Translated<Messages>): messages is Messages {
  return typeof messages.common === 'object';
}
