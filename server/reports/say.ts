import type { ExportText } from '../../messages/en/exports.ts';
import { type Language, type Message, wordMessage } from '../../shared/messages.ts';
import { translationsIn } from '../http/translations.ts';

/** Translates a text into the language of the reader, optionally with a unit, zone or currency in brackets after it. */
export interface Say {
  (text: ExportText, inBrackets?: string): string;
  /** A text of the API in the language of the reader; English if it has no message, or one for programs only. */
  message: (text: string | null, message: Message | null) => string | null;
}

export function sayIn(language: Language): Say {
  const texts = translationsIn(language, 'exports');
  const errors = translationsIn(language, 'errors');
  const say = (text: ExportText, inBrackets?: string) =>
    (texts[text] ?? text) + (inBrackets === undefined ? '' : ` (${inBrackets})`);
  const worded = (text: string | null, message: Message | null) =>
    message === null ? text : (wordMessage(message, errors) ?? text);
  return Object.assign(say, { message: worded });
}
