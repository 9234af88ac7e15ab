import { expect, it } from 'vitest';
import { about, message, storedMessage } from '../base/errors.ts';
import { afterBatch, type PastBatch, type PastFigures } from '../fleet/fleet-trouble.rules.ts';
import { customerAt, findEpisodes, judgeBatches, noFigures } from './alarm-previews.ts';
import { advance, type Episode } from './alarm-states.rules.ts';
import { judgeByRule, type SeenCustomer } from './evaluate.ts';

const minute = 60_000;
const start = Date.parse('2026-03-10T00:00:00Z');
const everyMs = 5_000;
const endMs = start + 900 * minute;
const iso = (ms: number) => new Date(ms).toISOString();

const customer: SeenCustomer = {
  id: '00000000-0000-7000-8000-000000000001',
  code: 'acme',
  name: 'Acme',
  isActive: true,
  tokenIssuedAt: iso(start),
  previousTokenExpiresAt: null,
  previousTokenUsedAt: null,
  firstSeenAt: iso(start),
  lastSeenAt: iso(endMs),
  reconciledAt: null,
  inStepUpTo: null,
  differingDays: null,
  pushIntervalSeconds: null,
  createdAt: iso(start),
  group: null,
  notes: '',
  lastBatchAt: iso(endMs),
  lastError: null,
  lastMeasuredAt: iso(endMs),
  pushGapsSeconds: [],
  lastFailedAt: null,
  lastFailure: null,
  isRefused: false,
  failingSince: null,
  tokenRefusedSince: null,
  tokenRefusedAt: null,
  tokenRefusal: null,
  totalMeasurements: 0,
  version: 0,
};

/** A batch every three minutes, with times without one, with sets only, with rejected rows and with a wrong token. */
const batches = Array.from({ length: 300 }, (_, at): PastBatch[] => {
  const n = 3 * at;
  const within = (from: number, to: number) => n > from && n < to;
  if (within(60, 105) || within(390, 411) || within(421, 450)) return [];
  const batch = { atMs: start + n * minute, batchType: 'measurements', accepted: 1, error: null };
  if (within(150, 240)) return [{ ...batch, batchType: 'tariffs', accepted: 0 }];
  const rejected = { count: 1, index: 0, reason: message('customerOff') };
  if (n === 270) return [{ ...batch, accepted: 0, error: storedMessage(message('batchRejected', rejected)) }];
  const refusal = about('X-Customer-Token', message('tokenReplaced'));
  if (n === 420) return [{ ...batch, accepted: 0, error: storedMessage(refusal) }];
  if (n === 600)
    return [{ ...batch, accepted: 0, error: storedMessage(message('batchesRefused', { count: 2, reason: refusal })) }];
  return [batch];
}).flat();

it.each([
  { kind: 'customerSilent', factor: 2, holdMs: 0, count: 4 },
  { kind: 'customerSilent', factor: 2, holdMs: 30 * minute, count: 2 },
  { kind: 'customerFailing', factor: 0, holdMs: 0, count: 3 },
] as const)(
  'the preview of $kind after $holdMs ms equals the live evaluation',
  async ({ kind, factor, holdMs, count }) => {
    const common = {
      name: 'Rule',
      isActive: true,
      severity: 'warning' as const,
      durationSeconds: 0,
      schedule: null,
      recipients: [],
      escalation: null,
      scope: {},
    };
    const rule =
      kind === 'customerSilent' ? { ...common, kind, condition: { factor } } : { ...common, kind, condition: {} };
    const patience = { holdMs, schedule: null, timeZone: 'UTC' };
    const live: Episode[] = [];
    let [figures, open, next]: [PastFigures, Episode | null, number] = [noFigures, null, 0];
    for (let nowMs = start; nowMs < endMs; nowMs += everyMs) {
      for (let batch = batches[next]; batch !== undefined && batch.atMs <= nowMs; batch = batches[next]) {
        figures = afterBatch(figures, batch);
        next += 1;
      }
      const judged = judgeByRule(rule, customerAt(customer, figures), nowMs);
      const episodes: Episode[] = advance(open, judged, patience, live.at(-1)?.resolvedAtMs ?? undefined);
      open = episodes.find(({ resolvedAtMs }) => resolvedAtMs === null) ?? null;
      live.push(...episodes.filter(({ resolvedAtMs }) => resolvedAtMs !== null));
    }
    async function* some() {
      yield batches.slice(0, 100);
      yield batches.slice(100);
    }
    const past = await findEpisodes(judgeBatches(rule, customer, some(), { beginMs: start, toMs: endMs }), patience);
    // Live, the end of a failure is noticed at the next evaluation.
    const shown = ({ firingAtMs, resolvedAtMs, value }: Episode) => [
      firingAtMs,
      resolvedAtMs === null ? null : Math.ceil(resolvedAtMs / everyMs),
      value,
    ];
    const fired = live.filter(({ firingAtMs }) => firingAtMs !== null);
    expect(fired.length).toBe(count);
    expect(
      past.filter(({ firingAtMs, resolvedAtMs }) => firingAtMs !== null && resolvedAtMs !== null).map(shown),
    ).toEqual(fired.map(shown));
  },
);
