import type { first } from '../../../../messages/en/page/first.ts';
import type { fleet } from '../../../../messages/en/page/fleet.ts';
import type { numbers } from '../../../../messages/en/page/numbers.ts';
import type { pages } from '../../../../messages/en/page/pages.ts';
import type { Language, Translated } from '../../../../shared/messages.ts';

/** The texts that every page may need, also before sign-in. */
export type FirstMessages = typeof first;

/** Further texts of the Overview's first numbers. */
export type NumbersMessages = typeof numbers;

/** Further texts of the pages behind sign-in, including those of the first numbers. */
export type Messages = typeof pages & NumbersMessages;

/** The texts of only the pages of the Admin mode: no Client loads them. */
export type FleetMessages = typeof fleet;

/** The texts of the page by load stage. Each is one file in each language, so that nobody downloads two. */
interface Stages {
  first: FirstMessages;
  numbers: NumbersMessages;
  pages: typeof pages;
  fleet: FleetMessages;
}

const english: { [Stage in keyof Stages]: () => Promise<Stages[Stage]> } = {
  first: async () => (await import('../../../../messages/en/page/first.ts')).first,
  numbers: async () => (await import('../../../../messages/en/page/numbers.ts')).numbers,
  pages: async () => (await import('../../../../messages/en/page/pages.ts')).pages,
  fleet: async () => (await import('../../../../messages/en/page/fleet.ts')).fleet,
};

async function load<Stage extends keyof Stages>(language: Language, stage: Stage): Promise<Stages[Stage]> {
  if (language === 'en') return english[stage]();
  const { default: translated }: { default: Translated<Stages[Stage]> } = await import(
    `../../../../messages/${language}/page/${stage}.json`
  );
  return sameKeys(translated);
}

export const loadFirstMessages = (language: Language): Promise<FirstMessages> => load(language, 'first');

export const loadNumbersMessages = (language: Language): Promise<NumbersMessages> => load(language, 'numbers');

export async function loadMessages(language: Language): Promise<Messages> {
  const [numbers, pages] = await Promise.all([load(language, 'numbers'), load(language, 'pages')]);
  return { ...numbers, ...pages };
}

export const loadFleetMessages = (language: Language): Promise<FleetMessages> => load(language, 'fleet');

/** The literal texts in the type of the English messages only serve to check placeholders; a translation has other texts. */
function sameKeys<English extends object>(messages: Translated<English>): English {
  if (!isEnglish(messages)) throw new Error('A catalogue has no messages.');
  return messages;
}

function isEnglish<English extends object>(messages: Translated<English>): messages is Translated<English> & English {
  return Object.keys(messages).length > 0;
}
