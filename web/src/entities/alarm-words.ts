import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Alarm, alarmTextCode } from '../../../shared/alarms.ts';
import { type Language, type Templates, wordMessage } from '../../../shared/messages.ts';
import type { Format } from '../../../shared/format.ts';
import { loadCode } from '../lib/load-code.ts';
import { useFormat } from '../lib/use-format.ts';
import { useLanguage } from '../ui/LanguageProvider.tsx';

async function load(language: Language): Promise<Templates> {
  if (language === 'en') return (await import('../../../messages/en/alarms.ts')).alarmTexts;
  const { default: translated }: { default: Templates } = await import(`../../../messages/${language}/alarms.json`);
  return translated;
}

/** The texts of alarms in the language of the page; mails use the same. */
export function useAlarmTexts() {
  const { language } = useLanguage();
  return useQuery(
    queryOptions({
      queryKey: ['alarm-texts', language],
      queryFn: loadCode(() => load(language)),
      staleTime: Infinity,
    }),
  );
}

const subject = '{subject}';

/**
 * The text of an alarm before and after the name of its subject, which is a link. If the text has no name, the second part is
 * null.
 */
export function textAround(
  alarm: Pick<Alarm, 'kind' | 'unit' | 'ruleName'>,
  figure: string,
  texts: Templates,
): readonly [before: string, after: string | null] {
  const code = alarmTextCode(alarm);
  const template = texts[code];
  // A kind that this page does not know yet.
  if (template === undefined) return ['', `: ${alarm.ruleName}`];
  const word = (part: string) =>
    wordMessage({ code, params: { rule: alarm.ruleName, figure } }, { [code]: part }) ?? part;
  const at = template.indexOf(subject);
  return at === -1 ? [word(template), null] : [word(template.slice(0, at)), word(template.slice(at + subject.length))];
}

/** The text of an alarm as one sentence. */
export function alarmText(alarm: Alarm, figure: string, texts: Templates): string {
  const [before, after] = textAround(alarm, figure, texts);
  return after === null ? before : `${before}${alarm.subject.name}${after}`;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** As exact as people need: to the minute, from two hours on to the hour, from three days on to the day. */
export function readableSeconds(seconds: number): number {
  const unit = seconds < 1.5 * minute ? 1 : seconds < 2 * hour ? minute : seconds < 3 * day ? hour : day;
  return Math.round(seconds / unit) * unit;
}

const durationText = (format: Format, seconds: number) => format.duration(readableSeconds(seconds), 'short');

/** A limit, or the figure of an alarm, with its unit (or its currency) and the precision of limits. */
export function figureText(format: Format, value: number | null, unit: string | null): string {
  if (value === null) return '';
  if (unit === 's') return durationText(format, value);
  if (unit === '%') return format.percent(value / 100, 1);
  if (unit !== null && /^[A-Z]{3}$/.test(unit)) return format.money(value, unit);
  const number = format.decimal(value, 3);
  return unit === null || unit === '' ? number : `${number}\u00A0${unit}`;
}

export function useAlarmFigure() {
  const format = useFormat();
  return {
    figure: (value: number | null, unit: string | null) => figureText(format, value, unit),
    duration: (seconds: number) => durationText(format, seconds),
  };
}
