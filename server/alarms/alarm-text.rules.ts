import { alarmTexts } from '../../messages/en/alarms.ts';
import { wordMessage } from '../../shared/messages.ts';

/** What an alarm says of itself. */
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

const figureOf = (value: number | null, unit: string | null) => {
  if (value === null) return '';
  return unit === 's' ? formatSeconds(value) : `${Number(value.toPrecision(6))}${unit === null ? '' : ` ${unit}`}`;
};

/** In English, such as `Freezer 3: no reading for 25 min`. */
export function describeAlarm({ kind, ruleName, subjectName, value, unit }: Described): string {
  const params = { subject: subjectName, rule: ruleName, figure: figureOf(value, unit) };
  return wordMessage({ code: kind, params }, alarmTexts) ?? ruleName;
}
