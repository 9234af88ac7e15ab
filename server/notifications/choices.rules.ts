import type { AlarmSeverity } from '../../shared/alarms.ts';
import type { NotificationChoices } from '../../shared/notifications.ts';
import { minuteOfDay } from '../rates/tariffs.rules.ts';

const ranks: Readonly<Record<AlarmSeverity, number>> = { info: 0, warning: 1, critical: 2 };

export const isAtLeast = (severity: AlarmSeverity, minimum: AlarmSeverity): boolean =>
  ranks[severity] >= ranks[minimum];

/** Whether an instant is in the quiet hours of a time zone, which may span midnight. */
export function isQuiet(hours: NotificationChoices['quietHours'], nowMs: number, timeZone: string): boolean {
  if (hours === null) return false;
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone);
  const [at, start, end] = [hour * 60 + minute, minuteOfDay(hours.startTime), minuteOfDay(hours.endTime)];
  return start < end ? at >= start && at < end : at >= start || at < end;
}
