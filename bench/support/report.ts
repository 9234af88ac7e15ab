/** What the benchmarks print: tables that `scripts/bench.mjs` keeps. */
export const count = (value: number): string => Math.round(value).toLocaleString('en');

export const milliseconds = (value: number): string =>
  value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en');

export const times = (ratio: number): string => (ratio < 0.1 ? ratio.toFixed(3) : ratio.toFixed(2));

export const line = (...cells: (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

/** The head of a table; columns whose name ends in a colon are numbers, aligned to the right. */
export function head(...columns: string[]): void {
  line(...columns.map((name) => name.replace(/:$/, '')));
  line(...columns.map((name) => (name.endsWith(':') ? '---:' : '---')));
}

/** Whether a mark is met, as the last column of a table says it. */
export const holds = (isMet: boolean): string => (isMet ? 'yes' : 'NO');
