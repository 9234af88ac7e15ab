import type { FirstMessages, FleetMessages, Messages, NumbersMessages, Translated } from './message-types.ts';
import type { Language } from '../../../../shared/messages.ts';

const firstCatalogues: Record<Language, () => Promise<Translated<FirstMessages>>> = {
  en: async () => (await import('./en/first.ts')).first,
  de: async () => (await import('./de/first.ts')).first,
  fr: async () => (await import('./fr/first.ts')).first,
  es: async () => (await import('./es/first.ts')).first,
  nl: async () => (await import('./nl/first.ts')).first,
  it: async () => (await import('./it/first.ts')).first,
};

const numbersCatalogues: Record<Language, () => Promise<Translated<NumbersMessages>>> = {
  en: async () => (await import('./en/numbers.ts')).numbers,
  de: async () => (await import('./de/numbers.ts')).numbers,
  fr: async () => (await import('./fr/numbers.ts')).numbers,
  es: async () => (await import('./es/numbers.ts')).numbers,
  nl: async () => (await import('./nl/numbers.ts')).numbers,
  it: async () => (await import('./it/numbers.ts')).numbers,
};

const catalogues: Record<Language, () => Promise<Translated<Messages>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  nl: async () => (await import('./nl.ts')).nl,
  it: async () => (await import('./it.ts')).it,
};

const fleetCatalogues: Record<Language, () => Promise<Translated<FleetMessages>>> = {
  en: async () => (await import('./en/fleet.ts')).fleet,
  de: async () => (await import('./de/fleet.ts')).fleet,
  fr: async () => (await import('./fr/fleet.ts')).fleet,
  es: async () => (await import('./es/fleet.ts')).fleet,
  nl: async () => (await import('./nl/fleet.ts')).fleet,
  it: async () => (await import('./it/fleet.ts')).fleet,
};

/** Loads the messages of one language; each is a file of its own, so that nobody downloads two. */
export const loadFirstMessages = async (language: Language): Promise<FirstMessages> =>
  sameKeys(await firstCatalogues[language]());

export const loadNumbersMessages = async (language: Language): Promise<NumbersMessages> =>
  sameKeys(await numbersCatalogues[language]());

export const loadMessages = async (language: Language): Promise<Messages> => sameKeys(await catalogues[language]());

export const loadFleetMessages = async (language: Language): Promise<FleetMessages> =>
  sameKeys(await fleetCatalogues[language]());

/** The literal texts in the type of the English messages only serve to check placeholders; a translation has other texts. */
function sameKeys<English extends object>(messages: Translated<English>): English {
  if (!isEnglish(messages)) throw new Error('A catalogue has no messages.');
  return messages;
}

function isEnglish<English extends object>(messages: Translated<English>): messages is Translated<English> & English {
  return Object.keys(messages).length > 0;
}
