import {
  type Language,
  asSentence,
  capitalized,
  type Message,
  type Templates,
  wordMessage,
} from '../../../../shared/messages.ts';

async function load(language: Language): Promise<Templates> {
  if (language === 'en') return (await import('../../../../messages/en/errors.ts')).templates;
  const { default: translated }: { default: Templates } = await import(`../../../../messages/${language}/errors.json`);
  return translated;
}

let current: Language = 'en';
let templates: Templates = {};

/** A text of the portal in the language of the page: its English where it has no message, or one that only programs get. */
export const inLanguage = (text: string, message: Message | null): string =>
  (message === null ? null : wordMessage(message, templates)) ?? text;

/** The same of an error, as a sentence, and without its field where it stands at that. */
export function errorInLanguage(text: string, message: Message, { isAtField = false } = {}): string {
  const worded = wordMessage(message, templates, { isAtField });
  if (worded !== null)
    return asSentence(/^[\p{L}«„“]/u.test(templates[message.code] ?? '') ? capitalized(worded) : worded);
  const prefix = `${message.field}: `;
  return isAtField && text.startsWith(prefix) ? asSentence(capitalized(text.slice(prefix.length))) : text;
}

/** For a page in English the portal has worded them already, so nothing is loaded. */
export async function loadErrorTexts(language: Language): Promise<void> {
  current = language;
  templates = language === 'en' ? {} : await load(language);
}

/** For texts whose parameters the page changes: loads those in English, too. */
export async function loadAllErrorTexts(): Promise<void> {
  templates = await load(current);
}
