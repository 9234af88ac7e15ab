import type { Latency } from './measuring.ts';

/** What the benchmarks print: tables that `scripts/bench.mjs` stores. */
export const count = (value: number): string => Math.round(value).toLocaleString('en');

export const milliseconds = (value: number): string =>
  value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en');

export const times = (ratio: number): string => (ratio < 0.1 ? ratio.toFixed(3) : ratio.toFixed(2));

/** Whether a row meets its mark, for its last two cells. */
export const judged = (mark: string, isMet: boolean): [string, string] => [mark, isMet ? 'yes' : 'NO'];

export const line = (...cells: (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

/** The head of a table. A column whose name ends with a colon contains numbers. */
export function head(columns: string): void {
  const cells = columns.split(' | ');
  line(...cells.map((cell) => cell.replace(/:$/, '')));
  line(...cells.map((cell) => (cell.endsWith(':') ? '---:' : '---')));
}

/** The head of a table of comparisons. */
export function comparisonHead(first: string): void {
  head(`${first} | median ms: | p95 ms: | compared with | its median ms: | ratio: | mark | holds`);
}

/** A duration compared with another one of the same run. */
export function comparison(
  what: string,
  own: Latency,
  other: string,
  others: Latency,
  mark: string,
  isMet: boolean,
): void {
  const latencies = [milliseconds(own.median), milliseconds(own.p95), other, milliseconds(others.median)];
  line(what, ...latencies, times(own.median / others.median), ...judged(mark, isMet));
}
