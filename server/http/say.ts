import type { Language } from '../../shared/languages.ts';
import { de, type ExportText, type ExportTexts } from './export-texts/de.ts';
import { es } from './export-texts/es.ts';
import { fr } from './export-texts/fr.ts';
import { it } from './export-texts/it.ts';
import { nl } from './export-texts/nl.ts';

/** Says a text in the language of the reader, with a unit, a clock or a currency in brackets behind it. */
export type Say = (text: ExportText, inBrackets?: string) => string;

export const exportTexts: Record<Exclude<Language, 'en'>, ExportTexts> = { de, es, fr, it, nl };

export const sayIn = (language: Language): Say => {
  const texts = language === 'en' ? null : exportTexts[language];
  return (text, inBrackets) => (texts?.[text] ?? text) + (inBrackets === undefined ? '' : ` (${inBrackets})`);
};
