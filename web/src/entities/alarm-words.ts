import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Alarm, alarmDuration, alarmFigure, alarmTextCode } from '../../../shared/alarms.ts';
import { type Language, type Templates, wordMessage } from '../../../shared/messages.ts';
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

export function useAlarmFigure() {
  const format = useFormat();
  return {
    figure: (value: number | null, unit: string | null) => alarmFigure(format, value, unit),
    duration: (seconds: number) => alarmDuration(format, seconds),
  };
}
