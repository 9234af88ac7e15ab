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

/** A text of the portal in the language of the page. In English if it has no message, or a message for programs only. */
export const inLanguage = (text: string, message: Message | null): string =>
  (message === null ? null : wordMessage(message, templates)) ?? text;

/** The text of an error, as a sentence. The name of the field is left out if the text is shown at the field. */
export function errorInLanguage(text: string, message: Message, { isAtField = false } = {}): string {
  const worded = wordMessage(message, templates, { isAtField });
  if (worded !== null)
    return asSentence(/^[\p{L}«„“]/u.test(templates[message.code] ?? '') ? capitalized(worded) : worded);
  const prefix = `${message.field}: `;
  return isAtField && text.startsWith(prefix) ? asSentence(capitalized(text.slice(prefix.length))) : text;
}

/** The portal has sent English texts already, so a page in English loads nothing. */
export async function loadErrorTexts(language: Language): Promise<void> {
  current = language;
  templates = language === 'en' ? {} : await load(language);
}

/** For texts whose parameters the page changes. Loads the English texts, too. */
export async function loadAllErrorTexts(): Promise<void> {
  templates = await load(current);
}
