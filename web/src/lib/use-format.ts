import { useLocale } from 'use-intl';
import { createFormat, type Format } from '../../../shared/format.ts';
import { regionalLocale } from './i18n/language.ts';

const formats = new Map<string, Format>();

/** The Intl formats of the language of the page, with the browser's preferred region for it. */
export function useFormat(): Format {
  const locale = regionalLocale(useLocale(), navigator.languages);
  let format = formats.get(locale);
  if (format === undefined) {
    format = createFormat(locale);
    formats.set(locale, format);
  }
  return format;
}
