import { expect, test } from 'vitest';
import { differenceOf, FailureSummaries, maxSummarizedSources } from './audit.ts';

const hour = 3_600_000;

test('more sources than 200 in an hour share one summary of failed sign-ins; the next hour counts anew', () => {
  const summaries = new FailureSummaries();
  const keysOf = (count: number, at: number) =>
    new Set(Array.from({ length: count }, (_, n) => summaries.of(`source ${n}`, at).key));
  expect(keysOf(5_000, 10 * hour).size).toBe(maxSummarizedSources + 1);
  expect(keysOf(5_000, 11 * hour - 1).size).toBe(maxSummarizedSources + 1);
  expect(summaries.of('one more', 10 * hour).source).toBeNull();
  expect(summaries.of('source 7', 10 * hour).source).toBe('source 7');
  expect(summaries.of('one more', 11 * hour).source).toBe('one more');
  expect(summaries.of('source 7', 11 * hour).key).not.toBe(new FailureSummaries().of('source 7', 10 * hour).key);
});

test('a difference has the fields that differ; all of them where something came or went', () => {
  expect(differenceOf({ a: 1, b: [1, 2], c: null }, { a: 1, b: [1, 3] })).toEqual({
    before: { b: [1, 2] },
    after: { b: [1, 3] },
  });
  expect(differenceOf(null, { a: 1, b: undefined })).toEqual({ before: null, after: { a: 1 } });
  expect(differenceOf({ a: 1 }, null)).toEqual({ before: { a: 1 }, after: null });
});

test('texts that differ only behind the cut are still a difference', () => {
  const long = 'x'.repeat(600);
  expect(Object.keys(differenceOf({ a: `${long}1` }, { a: `${long}2` }).after ?? {})).toEqual(['a']);
});
