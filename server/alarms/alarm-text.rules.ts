import { alarmTexts } from '../../messages/en/alarms.ts';
import { alarmTextCode } from '../../shared/alarms.ts';
import { type Language, wordMessage } from '../../shared/messages.ts';

/** The data for the text of an alarm. */
export interface Described {
  kind: string;
  ruleName: string;
  subjectName: string;
  value: number | null;
  unit: string | null;
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `25 min`, `1 d 2 h`: the two largest units. */
export function formatSeconds(seconds: number): string {
  let rest = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const [unit, length] of units) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0 && parts.length < 2) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
  }
  return parts.join(' ') || '0 s';
}

interface Wording {
  language: Language;
  texts: Readonly<Record<string, string>>;
}
const inEnglish: Wording = { language: 'en', texts: alarmTexts };

function figureOf(value: number | null, unit: string | null, language: Language): string {
  if (value === null) return '';
  if (unit === 's') return formatSeconds(value);
  const digits = { maximumSignificantDigits: 6, useGrouping: false };
  return `${value.toLocaleString(language, digits)}${unit === null ? '' : ` ${unit}`}`;
}

/** In English by default, such as `Freezer 3: no reading for 25 min`. */
export function describeAlarm(
  { kind, ruleName, subjectName, value, unit }: Described,
  { language, texts }: Wording = inEnglish,
): string {
  const params = { subject: subjectName, rule: ruleName, figure: figureOf(value, unit, language) };
  return wordMessage({ code: alarmTextCode({ kind, unit }), params }, texts) ?? ruleName;
}
