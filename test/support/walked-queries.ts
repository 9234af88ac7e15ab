import type { Operation, Parameter } from './api-operations.ts';
import type { Meters } from './walked-portals.ts';

export type Query = Readonly<Record<string, string>>;

/** An id that does not exist. */
export const unknownId = '00000000-0000-4000-8000-00000000ffff';

/** In the past (with the hour that autumn repeats), around the present, in the future, and the day with a skipped hour. */
const days = [
  ['2025-10-25', '2025-10-27'],
  ['2026-03-29', '2026-03-31'],
  ['2026-05-01', '2026-05-02'],
  ['2026-03-28', '2026-03-30'],
] as const;
const instants = [
  ['2025-10-25T22:00:00Z', '2025-10-26T23:00:00Z'],
  ['2026-03-30T08:07:30Z', '2026-03-30T13:00:00Z'],
  ['2026-05-01T00:00:00Z', '2026-05-01T06:00:00Z'],
  ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
] as const;
const ranges: Query[] = [
  ...instants.map(([from, to]) => ({ from, to })),
  ...days.map(([fromDate, toDate]) => ({ fromDate, toDate })),
];
const otherRanges: Query[] = [
  { otherFrom: '2026-03-22T00:00:00Z', otherTo: '2026-03-24T00:00:00Z' },
  { otherFromDate: '2026-03-28', otherToDate: '2026-03-30' },
];

/** Each choice of devices and sites that a portal allows. */
function scopesOf({ devices: [first, ...others], sites: [site] }: Meters): Query[] {
  const none = [{}, { deviceIds: unknownId }];
  if (first === undefined || site === undefined) return none;
  const several = { deviceIds: ` ${first},,${others.at(-1) ?? first} `, siteIds: site };
  return [...none, { deviceIds: first }, several];
}

/** The values of an enumerated parameter, or null. */
const wordsOf = ({ schema }: Parameter): string[] | null =>
  Array.isArray(schema['enum']) ? schema['enum'].map(String) : null;

/** Parameters whose values are combined with those of all others. */
const combined = new Set(['bucket', 'groupBy', 'group', 'align']);

/** Values of the others, each used once. */
const single: Readonly<Record<string, (meters: Meters) => readonly string[]>> = {
  limit: () => ['1', '200'],
  offset: () => ['1', '100000'],
  rowCap: () => ['1', '250000'],
  page: () => ['1', '2'],
  flagLimit: () => ['0', '1'],
  period: () => ['2026-03', '2026'],
  text: () => ['admin', '%'],
  search: () => ['north 1', '%', 'É'],
  ids: () => [unknownId],
  timeZone: () => ['Asia/Kolkata'],
  cursor: () => [`2026-03-30T10:00:00Z ${unknownId}`],
  accountId: () => [unknownId],
  subjectId: ({ devices }) => [...devices.slice(0, 1), unknownId],
  until: () => ['2026-03-30T08:00:00Z'],
  otherUntil: () => ['2026-03-29T08:00:00Z'],
  costUntil: () => ['2026-03-30T08:00:00Z'],
  otherCostUntil: () => ['2026-03-29T08:00:00Z'],
  otherDeviceIds: ({ devices }) => ['', unknownId, devices.at(-1) ?? ''],
  apartDeviceIds: ({ devices }) => [devices.at(-1) ?? unknownId, unknownId],
  otherSiteIds: ({ sites }) => ['', unknownId, sites.join()],
};

/** Days may only be cut if they are given as dates. */
const withDates: Readonly<Record<string, Query>> = {
  until: { fromDate: '2026-03-29', toDate: '2026-03-31' },
  otherUntil: { otherFromDate: '2026-03-28', otherToDate: '2026-03-30' },
};

/** The parameters of ranges and devices, which only make sense together. */
const together = new Set([
  'from',
  'to',
  'fromDate',
  'toDate',
  'otherFrom',
  'otherTo',
  'otherFromDate',
  'otherToDate',
  'deviceIds',
  'siteIds',
  'deviceId',
]);

/**
 * All meaningful queries of a GET operation, each of which must be answered. Any two choices of range, devices, bucket and the
 * like occur together in one of them, and every value of any other parameter occurs once.
 */
export function queriesOf({ path, parameters }: Operation, meters: Meters): Query[] {
  const asked = parameters.filter((one) => one.in === 'query');
  const names = new Set(asked.map(({ name }) => name));
  const axes: Query[][] = [];
  if (names.has('fromDate')) axes.push(ranges);
  else if (names.has('from')) axes.push([{}, ...ranges.filter((range) => 'from' in range)]);
  if (names.has('otherFrom')) axes.push(otherRanges);
  if (names.has('deviceIds')) axes.push(scopesOf(meters));
  if (names.has('deviceId')) axes.push(meters.devices.map((deviceId) => ({ deviceId })));

  const alone: Query[] = [];
  for (const one of asked.filter(({ name }) => !together.has(name))) {
    const values = wordsOf(one) ?? single[one.name]?.(meters);
    if (values === undefined) throw new Error(`${path}: walked-queries.ts has no value for the parameter ${one.name}.`);
    const queries = values.map((value) => ({ [one.name]: value }));
    if (combined.has(one.name)) axes.push(one.name === 'align' ? [{}, ...queries] : queries);
    else if (one.required) axes.push(queries);
    else alone.push(...queries.map((query) => ({ ...query, ...withDates[one.name] })));
  }
  const met = meetings(axes);
  const [base] = met;
  return base === undefined ? [] : [...met, ...alone.map((query) => overlaid(base, query))];
}

/** Nearly the smallest number of combinations, with one choice from each axis, in which any two choices occur together. */
function meetings(axes: readonly (readonly Query[])[]): Query[] {
  const combinations = axes
    .reduce<number[][]>(
      (made, axis) => made.flatMap((chosen) => [...axis.keys()].map((choice) => [...chosen, choice])),
      [[]],
    )
    .map((chosen) => ({ chosen, pairs: pairsOf(chosen) }));
  const seen = new Set<string>();
  const taken: number[][] = [];
  for (;;) {
    let [best, most]: [(typeof combinations)[number] | null, number] = [null, 0];
    for (const combination of combinations) {
      const fresh = combination.pairs.filter((pair) => !seen.has(pair)).length;
      if (fresh > most) [best, most] = [combination, fresh];
      if (fresh === combination.pairs.length) break;
    }
    if (best === null) break;
    taken.push(best.chosen);
    for (const pair of best.pairs) seen.add(pair);
  }
  return taken.map((chosen) => Object.assign({}, ...chosen.map((choice, axis) => axes[axis]?.[choice])));
}

/** Every two of the choices as text; one alone is a pair, too, and none. */
function pairsOf(chosen: readonly number[]): string[] {
  if (chosen.length < 2) return [chosen.join()];
  return chosen.flatMap((one, at) => chosen.slice(at + 1).map((other, gap) => `${at}:${one} ${at + 1 + gap}:${other}`));
}

/** Dates replace instants. */
function overlaid(base: Query, query: Query): Query {
  const dropped = new Set<string>();
  for (const prefix of ['f', 'otherF']) {
    if (!(`${prefix}romDate` in query)) continue;
    for (const name of [`${prefix}rom`, prefix === 'f' ? 'to' : 'otherTo']) dropped.add(name);
  }
  return { ...Object.fromEntries(Object.entries(base).filter(([name]) => !dropped.has(name))), ...query };
}

/** Queries that may fail, but only as documented: invalid values of each parameter, each one missing, and odd ranges. */
export function oddQueriesOf({ parameters }: Operation, valid: Query): Query[] {
  const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const nonsense = ['', '9'.repeat(30), '\u0000'];
  const without = (dropped: string) => Object.fromEntries(Object.entries(valid).filter(([name]) => name !== dropped));
  return [
    ...names.flatMap((name) => nonsense.map((value) => ({ ...valid, [name]: value }))),
    ...Object.keys(valid).map(without),
    ...(names.includes('from') ? oddRanges.map((range) => ({ ...without('fromDate'), ...range })) : []),
  ];
}
const oddRanges = [
  { from: '2026-03-30T00:00:00Z', to: '2026-03-29T00:00:00Z' },
  { from: '0001-01-01T00:00:00Z', to: '9999-12-31T00:00:00Z' },
  { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' },
];
