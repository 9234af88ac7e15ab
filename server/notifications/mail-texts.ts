import { alarmTexts } from '../../messages/en/alarms.ts';
import { mailTexts } from '../../messages/en/mails.ts';
import { type Language, type Message, wordMessage } from '../../shared/messages.ts';
import { translationsIn } from '../http/translations.ts';

/** Words the texts of mails in a language. */
export function mailWordsIn(language: Language) {
  const mails = { ...mailTexts, ...translationsIn(language, 'mails') };
  return {
    alarmTexts: { ...alarmTexts, ...translationsIn(language, 'alarms') },
    say: (code: keyof typeof mailTexts, params: Message['params'] = {}) =>
      wordMessage({ code, params }, mails) ?? mailTexts[code],
  };
}
export type MailWords = ReturnType<typeof mailWordsIn>;
