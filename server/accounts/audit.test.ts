import { expect, test } from 'vitest';
import { differenceOf, maxSummarizedSources, SessionSummaries, Summaries } from './audit.rules.ts';
import { rates } from '../base/budgets.ts';

const hour = 3_600_000;

test('more than 200 sources in an hour share one summary of similar events; the next hour starts again', () => {
  const summaries = new Summaries();
  const keysOf = (count: number, at: number) =>
    new Set(Array.from({ length: count }, (_, n) => summaries.of('alike', `source ${n}`, at).key));
  expect(keysOf(5_000, 10 * hour).size).toBe(maxSummarizedSources + 1);
  expect(keysOf(5_000, 11 * hour - 1).size).toBe(maxSummarizedSources + 1);
  expect(summaries.of('alike', 'one more', 10 * hour).source).toBeNull();
  expect(summaries.of('alike', 'source 7', 10 * hour).source).toBe('source 7');
  expect(summaries.of('alike', 'one more', 11 * hour).source).toBe('one more');
  expect(summaries.of('alike', 'source 7', 11 * hour).key).not.toBe(
    new Summaries().of('alike', 'source 7', 10 * hour).key,
  );
});

test('an account has 30 separate sign-in events an hour; further ones are counted by source', () => {
  const summaries = new SessionSummaries();
  const signIn = (account: string, source: string, at = 10 * hour) =>
    summaries.of('session.begin', account, source, at)?.source;
  for (let n = 0; n < rates.ownSessionEvents.size; n += 1) expect(signIn('a', 'office')).toBeUndefined();
  expect(signIn('a', 'office')).toBe('office');
  expect(signIn('a', 'thief')).toBe('thief');
  expect(signIn('b', 'office')).toBeUndefined();
  expect(summaries.of('session.end', 'a', 'office', 10 * hour)).toBeNull();
  expect(signIn('a', 'office', 11 * hour)).toBeUndefined();
});

test('a difference has only the fields that differ, or all of them for a creation or deletion', () => {
  expect(differenceOf({ a: 1, b: [1, 2], c: null }, { a: 1, b: [1, 3] })).toEqual({
    before: { b: [1, 2] },
    after: { b: [1, 3] },
  });
  expect(differenceOf(null, { a: 1, b: undefined })).toEqual({ before: null, after: { a: 1 } });
  expect(differenceOf({ a: 1 }, null)).toEqual({ before: { a: 1 }, after: null });
});

test('texts that differ only beyond the cut still make a difference', () => {
  const long = 'x'.repeat(600);
  expect(Object.keys(differenceOf({ a: `${long}1` }, { a: `${long}2` }).after ?? {})).toEqual(['a']);
});
