import { expect, it } from 'vitest';
import { Arrivals } from './arrivals.rules.ts';
import { about, message } from '../base/errors.ts';

const row = (externalId: string, timeMicros = 0) => ({ externalId, timeMicros, activePower: 1_500_000 });
const accepted = (...ids: string[]) => ({
  accepted: ids.length,
  duplicates: 0,
  rejected: 0,
  latest: ids.map((id) => row(id)),
  errors: [],
});
const rejected = (externalId: string | null, field: string, got: string) => ({
  accepted: 0,
  duplicates: 0,
  rejected: 1,
  latest: [],
  errors: [{ externalId, problem: about(field, message('rowTooLarge', { got })) }],
});

it('counts by sender and hour, and returns each count once', () => {
  const arrivals = new Arrivals();
  arrivals.note('a', 3_600_000, accepted('m1', 'm2'));
  arrivals.note('a', 7_199_999, rejected('m3', 'time', 'nothing'));
  arrivals.note('a', 7_200_000, accepted('m1'));
  arrivals.note('b', 7_200_000, { ...accepted('m1'), duplicates: 1 });
  const counts = { deliveries: 1, accepted: 1, duplicates: 0, rejected: 0 };
  expect(arrivals.take(true).hours.toSorted((x, y) => x.sender.localeCompare(y.sender) || x.hourMs - y.hourMs)).toEqual(
    [
      { sender: 'a', hourMs: 3_600_000, ...counts, deliveries: 2, accepted: 2, rejected: 1 },
      { sender: 'a', hourMs: 7_200_000, ...counts },
      { sender: 'b', hourMs: 7_200_000, ...counts, duplicates: 1 },
    ],
  );
  expect(arrivals.take(true)).toEqual({ hours: [], arrivals: [] });
});

it('keeps the latest accepted row of an external ID, and its latest rejection by field', () => {
  const arrivals = new Arrivals();
  arrivals.note('a', 1, accepted('m1'));
  arrivals.note('a', 2, { ...accepted('m1'), duplicates: 1, latest: [row('m1', 7)] });
  arrivals.note('a', 3, rejected('m1', 'voltageV', 'x'));
  arrivals.note('a', 4, rejected('m1', 'voltageV', 'y'));
  arrivals.note('a', 5, rejected('m1', 'time', 'nothing'));
  arrivals.note('a', 6, rejected(null, 'externalId', 'nothing'));
  const kept = arrivals.take(true).arrivals.map((one) => [one.externalId, one.field, one.receivedMs, one.isKnown]);
  expect(kept).toEqual([
    ['m1', 'voltageV', 4, null],
    ['m1', 'time', 5, null],
    ['', 'externalId', 6, null],
    ['m1', '', 2, true],
  ]);
});

it('accepted rows wait until someone views them', () => {
  const arrivals = new Arrivals();
  arrivals.note('a', 1, accepted('m1'));
  expect(arrivals.take(false)).toMatchObject({ hours: [{ accepted: 1 }], arrivals: [] });
  expect(arrivals.take(true)).toMatchObject({ hours: [], arrivals: [{ externalId: 'm1', activePowerKw: 1.5 }] });
});

it('the latest 200 accepted and 200 rejected rows are kept per sender, and 5,000 in total', () => {
  const arrivals = new Arrivals();
  for (let at = 0; at < 1_000; at += 1) {
    arrivals.note('flood', at, accepted(`m${at}`));
    arrivals.note('flood', at, rejected(`r${at}`, 'time', 'nothing'));
  }
  arrivals.note('meter', 1_000, accepted('quiet'));
  const { arrivals: kept } = arrivals.take(true);
  expect(kept.filter(({ sender }) => sender === 'flood')).toHaveLength(400);
  expect(kept.find(({ field }) => field === '')?.externalId).toBe('m800');
  expect(kept.at(-1)?.externalId).toBe('quiet');
  for (let at = 0; at < 10_000; at += 1) arrivals.note(`key${at % 100}`, at, accepted(`m${at}`));
  expect(arrivals.take(true).arrivals.length).toBe(5_000);
});

it('text that the database cannot store, or that is too long, is changed to fit', () => {
  const arrivals = new Arrivals();
  arrivals.note('a', 1, rejected(`\u0000${'x'.repeat(500)}`, 'time', `${'y'.repeat(3_000)}\uD800`));
  const [kept] = arrivals.take(false).arrivals;
  expect([kept?.externalId.length, kept?.reason?.length]).toEqual([201, 400]);
  expect(kept?.reason).toMatch(/^time is yyy/);
  expect(kept?.externalId).not.toContain('\u0000');
});
