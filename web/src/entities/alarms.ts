import { notifications } from '@mantine/notifications';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import {
  alarm,
  type Alarm,
  type AlarmRule,
  type AlarmSeverity,
  clientAlarmRule,
  fleetAlarmRule,
  pendingAlarm,
} from '../../../shared/alarms.ts';
import { useErrorText } from '../lib/error-text.ts';
import { fetchJson } from '../lib/http.ts';
import { useRenew } from '../lib/mutations.ts';
import { toInstant } from '../../../shared/time.ts';

const path = '/api/alarms';
const refreshMs = 15_000;

const alarmsOf = (state: 'open' | 'resolved', everyMs: number, range: { from?: string; to?: string } = {}) =>
  queryOptions({
    queryKey: ['alarms', state, range],
    queryFn: ({ signal }) => fetchJson(path, z.array(alarm), { query: { state, ...range }, signal }),
    refetchInterval: everyMs,
  });

/** `GET /api/alarms`: those that are firing or acknowledged. */
export const openAlarmsQuery = alarmsOf('open', refreshMs);

/** The same for resolved alarms that were open in a range, newest first; '' does not limit it. */
export const resolvedAlarmsQuery = (range: { from: string; to: string }) => ({
  ...alarmsOf('resolved', 4 * refreshMs, range),
  placeholderData: keepPreviousData,
});

/** `GET /api/alarms/pending`. */
export const pendingAlarmsQuery = queryOptions({
  queryKey: ['alarms', 'pending'],
  queryFn: ({ signal }) => fetchJson(`${path}/pending`, z.array(pendingAlarm), { signal }),
  refetchInterval: refreshMs,
});

export const severityTones = { critical: 'bad', warning: 'warn', info: 'quiet' } as const;

const ranks: Readonly<Record<AlarmSeverity, number>> = { critical: 0, warning: 1, info: 2 };

/** The most severe alarms first, then the newest. A row stays in its place when its alarm is acknowledged. */
export const bySeverity = (alarms: readonly Alarm[]): Alarm[] =>
  alarms.toSorted((a, b) => ranks[a.severity] - ranks[b.severity] || Date.parse(b.firingAt) - Date.parse(a.firingAt));

/** Acknowledges an alarm, or mutes it until an instant (ms). */
export function useChangeAlarm() {
  const client = useQueryClient();
  const errorText = useErrorText();
  return useMutation({
    mutationFn: ({ id, untilMs }: { id: string; untilMs?: number }) =>
      untilMs === undefined
        ? fetchJson(`${path}/${id}/acknowledge`, alarm, { method: 'POST' })
        : fetchJson(`${path}/${id}/snooze`, alarm, { method: 'POST', json: { until: toInstant(untilMs) } }),
    onSuccess: (changed) =>
      client.setQueryData(openAlarmsQuery.queryKey, (known) =>
        known?.map((each) => (each.id === changed.id ? changed : each)),
      ),
    onError: (error) => notifications.show({ color: 'red', message: errorText(error) }),
    onSettled: useRenew(['alarms']),
  });
}

export const alarmRulesPath = '/api/admin/alarm-rules';

export const alarmRule: z.ZodType<AlarmRule> = z.union([clientAlarmRule, fleetAlarmRule]);

/** `GET /api/admin/alarm-rules`. */
export const alarmRulesQuery = queryOptions({
  queryKey: ['alarm-rules'],
  queryFn: ({ signal }) => fetchJson(alarmRulesPath, z.array(alarmRule), { signal }),
});
