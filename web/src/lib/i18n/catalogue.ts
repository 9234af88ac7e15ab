import type { FirstMessages, FleetMessages, Messages, NumbersMessages, Translated } from './message-types.ts';
import type { Language } from '../../../../shared/messages.ts';

/** Loads the messages of one language; each is a file of its own, so that nobody downloads two. */
export async function loadFirstMessages(language: Language): Promise<FirstMessages> {
  const { first }: { first: Translated<FirstMessages> } = await import(`./${language}/first.ts`);
  return sameKeys(first);
}

export async function loadNumbersMessages(language: Language): Promise<NumbersMessages> {
  const { numbers }: { numbers: Translated<NumbersMessages> } = await import(`./${language}/numbers.ts`);
  return sameKeys(numbers);
}

export async function loadMessages(language: Language): Promise<Messages> {
  const { pages }: { pages: Translated<Messages> } = await import(`./${language}/pages.ts`);
  return sameKeys(pages);
}

export async function loadFleetMessages(language: Language): Promise<FleetMessages> {
  const { fleet }: { fleet: Translated<FleetMessages> } = await import(`./${language}/fleet.ts`);
  return sameKeys(fleet);
}

/** The literal texts in the type of the English messages only serve to check placeholders; a translation has other texts. */
function sameKeys<English extends object>(messages: Translated<English>): English {
  if (!isEnglish(messages)) throw new Error('A catalogue has no messages.');
  return messages;
}

function isEnglish<English extends object>(messages: Translated<English>): messages is Translated<English> & English {
  return Object.keys(messages).length > 0;
}
