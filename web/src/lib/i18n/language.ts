import { capitalized, type Language, languages } from '../../../../shared/messages.ts';
import { readSavedLanguage } from '../first-paint.ts';

/** The name of a language in the language itself. */
export const languageName = (language: Language): string =>
  capitalized(new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language);

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value);

/** The saved choice. Otherwise the first language of the browser that has a catalogue; otherwise English. */
export function chooseLanguage(saved: string | null, preferred: readonly string[]): Language {
  if (isLanguage(saved)) return saved;
  for (const tag of preferred) {
    const language = tag.toLowerCase().split('-')[0];
    if (isLanguage(language)) return language;
  }
  return 'en';
}

/** The browser's own tag of the language (`de-AT`), so that dates and numbers follow the region; otherwise the bare language. */
export function regionalLocale(language: string, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;
}

/** The language with which the page begins. */
export const startLanguage = (): Language => chooseLanguage(readSavedLanguage(), navigator.languages);
