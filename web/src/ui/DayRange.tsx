import { TextInput } from '@mantine/core';
import { dayMs, fromLocalText, toInstant } from '../../../shared/time.ts';

/** Local dates, both included; '' does not limit the range. */
export interface DayRange {
  fromDay: string;
  toDay: string;
}

export const anyDay: DayRange = { fromDay: '', toDay: '' };

/** The instants of a range, half-open; '' if it is not limited. */
export const instantsOf = ({ fromDay, toDay }: DayRange, timeZone: string) => ({
  from: startOfDay(fromDay, timeZone),
  to: startOfDay(dayAfter(toDay), timeZone),
});

/** '' if it is not a complete date. */
function startOfDay(day: string, timeZone: string): string {
  const at = fromLocalText(`${day}T00:00`, timeZone);
  return at === null ? '' : toInstant(at);
}

function dayAfter(day: string): string {
  const at = Date.parse(`${day}T00:00Z`);
  return Number.isNaN(at) ? '' : toInstant(at + dayMs).slice(0, 10);
}

interface DayRangeFieldsProps {
  range: DayRange;
  onChange: (range: DayRange) => void;
  labels: { from: string; to: string };
}

/** The first and the last day that a list covers. */
export function DayRangeFields({ range, onChange, labels }: DayRangeFieldsProps) {
  return (
    <>
      <TextInput
        type="date"
        label={labels.from}
        value={range.fromDay}
        onChange={(event) => onChange({ ...range, fromDay: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={labels.to}
        value={range.toDay}
        onChange={(event) => onChange({ ...range, toDay: event.currentTarget.value })}
      />
    </>
  );
}
