import { createFormat } from '../../../shared/format.ts';
import { readSavedLanguage } from '../../../web/src/lib/first-paint.ts';
import { chooseLanguage, regionalLocale } from '../../../web/src/lib/i18n/language.ts';

/** The reader's language: chosen in the portal, which has the same origin, or the browser's. */
export const language = chooseLanguage(readSavedLanguage(), navigator.languages);

export const format = createFormat(regionalLocale(language, navigator.languages));
