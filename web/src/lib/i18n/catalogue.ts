import type { first } from '../../../../messages/en/page/first.ts';
import type { fleet } from '../../../../messages/en/page/fleet.ts';
import type { numbers } from '../../../../messages/en/page/numbers.ts';
import type { pages } from '../../../../messages/en/page/pages.ts';
import type { settings } from '../../../../messages/en/page/settings.ts';
import type { Language, Translated } from '../../../../shared/messages.ts';

/** The texts that every page may need, even before sign-in. */
export type FirstMessages = typeof first;

/** The texts of the page by load stage. Each stage is one file per language, so that nobody downloads two languages. */
interface Stages {
  /** Texts of the first numbers of the Overview. */
  numbers: typeof numbers;
  /** Texts of the pages behind sign-in. */
  pages: typeof pages;
  /** Texts of the settings only. */
  settings: typeof settings;
  /** Texts of the pages that exist only in Admin mode. */
  fleet: { fleet: typeof fleet };
}

/** The texts that a stage adds to the first ones. */
export interface StageMessages extends Omit<Stages, 'pages'> {
  pages: Stages['numbers'] & Stages['pages'];
}

interface AllStages extends Stages {
  first: FirstMessages;
}

const english: { [Stage in keyof AllStages]: () => Promise<AllStages[Stage]> } = {
  first: async () => (await import('../../../../messages/en/page/first.ts')).first,
  numbers: async () => (await import('../../../../messages/en/page/numbers.ts')).numbers,
  pages: async () => (await import('../../../../messages/en/page/pages.ts')).pages,
  settings: async () => (await import('../../../../messages/en/page/settings.ts')).settings,
  fleet: async () => ({ fleet: (await import('../../../../messages/en/page/fleet.ts')).fleet }),
};

async function load<Stage extends keyof AllStages>(language: Language, stage: Stage): Promise<AllStages[Stage]> {
  if (language === 'en') return english[stage]();
  const { default: translated }: { default: Translated<AllStages[Stage]> } = await import(
    `../../../../messages/${language}/page/${stage}.json`
  );
  return sameKeys(translated);
}

export const loadFirstMessages = (language: Language): Promise<FirstMessages> => load(language, 'first');

const stages: { [Stage in keyof StageMessages]: (language: Language) => Promise<StageMessages[Stage]> } = {
  numbers: (language) => load(language, 'numbers'),
  pages: async (language) => {
    const [numbers, pages] = await Promise.all([load(language, 'numbers'), load(language, 'pages')]);
    return { ...numbers, ...pages };
  },
  settings: (language) => load(language, 'settings'),
  fleet: (language) => load(language, 'fleet'),
};

export const loadMessages = <Stage extends keyof StageMessages>(
  language: Language,
  stage: Stage,
): Promise<StageMessages[Stage]> => stages[stage](language);

/** The English texts are part of a type only to check their placeholders. A translation has other texts. */
function sameKeys<English extends object>(messages: Translated<English>): English {
  if (!isEnglish(messages)) throw new Error('A catalogue has no messages.');
  return messages;
}

function isEnglish<English extends object>(messages: Translated<English>): messages is Translated<English> & English {
  return Object.keys(messages).length > 0;
}
