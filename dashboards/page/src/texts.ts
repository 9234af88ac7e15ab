import type { Language } from '../../../shared/messages.ts';
import type { Catalogue } from './languages/de.ts';
import { en } from './languages/en.ts';
import { language } from './reader.ts';
import { zone } from './zone.ts';

/** English stands in the code; of the others nobody downloads two. */
const catalogues: Record<Language, () => Promise<Catalogue | null>> = {
  en: async () => null,
  de: async () => (await import('./languages/de.ts')).de,
  es: async () => (await import('./languages/es.ts')).es,
  fr: async () => (await import('./languages/fr.ts')).fr,
  it: async () => (await import('./languages/it.ts')).it,
  nl: async () => (await import('./languages/nl.ts')).nl,
};
const catalogue = await catalogues[language]();

export const texts = catalogue?.own ?? en;
export const shippedTexts: Readonly<Record<string, string>> = catalogue?.shipped ?? {};

const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Says by whose clock something is that is not by the reader's own, or not by that of what else is shown. */
export const otherClock = (timeZone: string): string =>
  timeZone === zone() && timeZone === browserZone ? '' : texts.timesIn(timeZone);
