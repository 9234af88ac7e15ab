import type { Sentences } from '../../../../shared/sentences.ts';
import type { Language } from '../../../../shared/languages.ts';

const catalogues: Record<Exclude<Language, 'en'>, () => Promise<Sentences>> = {
  de: async () => (await import('../../../../shared/sentences-de.ts')).sentences,
  fr: async () => (await import('../../../../shared/sentences-fr.ts')).sentences,
  es: async () => (await import('../../../../shared/sentences-es.ts')).sentences,
  nl: async () => (await import('../../../../shared/sentences-nl.ts')).sentences,
  it: async () => (await import('../../../../shared/sentences-it.ts')).sentences,
};

const inEnglish = (sentence: string) => sentence;
let translate = inEnglish;

/** A sentence of the portal in the language of the page. */
export const inLanguage = (sentence: string): string => translate(sentence);

/** The portal says them in English; whoever reads English loads nothing. */
export async function loadSentences(language: Language): Promise<void> {
  if (language === 'en') {
    translate = inEnglish;
    return;
  }
  const [{ translateSentence }, sentences] = await Promise.all([
    import('../../../../shared/sentences.ts'),
    catalogues[language](),
  ]);
  translate = (sentence) => translateSentence(sentence, sentences);
}
