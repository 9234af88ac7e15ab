import { createFormat } from '../../../shared/format.ts';
import { readSavedLanguage } from '../../../web/src/lib/first-paint.ts';
import { chooseLanguage, regionalLocale } from '../../../web/src/lib/i18n/language.ts';

/** The reader's language: the one chosen in the portal, which is at the same origin, or else that of the browser. */
export const language = chooseLanguage(readSavedLanguage(), navigator.languages);

export const format = createFormat(regionalLocale(language, navigator.languages));
