import { alarmTexts } from '../../messages/en/alarms.ts';
import { alarmFigure, alarmTextCode } from '../../shared/alarms.ts';
import { createFormat, type Format } from '../../shared/format.ts';
import { type Language, wordMessage } from '../../shared/messages.ts';

/** The data for the text of an alarm. */
export interface Described {
  kind: string;
  ruleName: string;
  subjectName: string;
  value: number | null;
  unit: string | null;
}

interface Wording {
  language: Language;
  texts: Readonly<Record<string, string>>;
}
const inEnglish: Wording = { language: 'en', texts: alarmTexts };

const formats = new Map<Language, Format>();

/** As the page writes it. Programs and mails get ordinary spaces. */
const figureOf = (value: number | null, unit: string | null, language: Language): string =>
  alarmFigure(formats.getOrInsertComputed(language, createFormat), value, unit).replaceAll(/[\u00a0\u202f]/g, ' ');

/** In English by default, such as `Freezer 3: no reading for 25 min`. */
export function describeAlarm(
  { kind, ruleName, subjectName, value, unit }: Described,
  { language, texts }: Wording = inEnglish,
): string {
  const params = { subject: subjectName, rule: ruleName, figure: figureOf(value, unit, language) };
  return wordMessage({ code: alarmTextCode({ kind, unit }), params }, texts) ?? ruleName;
}
