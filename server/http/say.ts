import { sentences as sentencesDe } from '../../shared/sentences-de.ts';
import { sentences as sentencesEs } from '../../shared/sentences-es.ts';
import { sentences as sentencesFr } from '../../shared/sentences-fr.ts';
import { sentences as sentencesIt } from '../../shared/sentences-it.ts';
import { sentences as sentencesNl } from '../../shared/sentences-nl.ts';
import type { Language } from '../../shared/languages.ts';
import { translateSentence } from '../../shared/sentences.ts';
import { de, type ExportText, type ExportTexts } from './export-texts/de.ts';
import { es } from './export-texts/es.ts';
import { fr } from './export-texts/fr.ts';
import { it } from './export-texts/it.ts';
import { nl } from './export-texts/nl.ts';

/** Says a text in the language of the reader, with a unit, a clock or a currency in brackets behind it. */
export interface Say {
  (text: ExportText, inBrackets?: string): string;
  /** One of the sentences that the page says too; as it is where that has none. */
  sentence: (sentence: string | null) => string | null;
}

export const exportTexts: Record<Exclude<Language, 'en'>, ExportTexts> = { de, es, fr, it, nl };

const sentences = { de: sentencesDe, es: sentencesEs, fr: sentencesFr, it: sentencesIt, nl: sentencesNl };

export function sayIn(language: Language): Say {
  const texts = language === 'en' ? null : exportTexts[language];
  const say = (text: ExportText, inBrackets?: string) =>
    (texts?.[text] ?? text) + (inBrackets === undefined ? '' : ` (${inBrackets})`);
  const sentence = (said: string | null) =>
    said === null || language === 'en' ? said : translateSentence(said, sentences[language]);
  return Object.assign(say, { sentence });
}
