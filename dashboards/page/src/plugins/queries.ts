import type { AbsoluteTimeRange, TimeSeriesData } from '@perses-dev/core';
import type { TimeSeriesQueryContext, TimeSeriesQueryPlugin } from '@perses-dev/plugin-system';
import { lazy } from 'react';
import type { QuerySpec, SeriesAnswer } from '../../../../shared/dashboard-tool.ts';
import { askSeries, askTotals } from '../api.ts';
import { fromLocalText, toLocalText } from '../../../../shared/time.ts';
import { fill, texts } from '../texts.ts';
import { wireOf } from '../presets.ts';
import { isFleet, zone } from '../zone.ts';
import { chosenThings, chosenValues, initialQuery, variablesIn } from './choose.ts';

const minute = 60_000;
const bucketMs: Record<SeriesAnswer['bucket'], number> = {
  minute,
  '5min': 5 * minute,
  '15min': 15 * minute,
  hour: 60 * minute,
  day: 1440 * minute,
  month: 30 * 1440 * minute,
};

const QueryForm = lazy(() => import('./QueryForm.tsx').then((module) => ({ default: module.QueryForm })));

interface Part {
  name: string;
  unit: string;
  labels: Record<string, string>;
}

/** The series in the requested currency, named in the reader's language. If there are several currencies, also by currency. */
function seriesOf<Shown extends Part>(parts: readonly Shown[], spec: QuerySpec, ctx: TimeSeriesQueryContext) {
  const { measure } = spec;
  const wanted = spec.currency === undefined ? [] : chosenValues([spec.currency], ctx.variableState);
  const shown = parts.filter(({ unit }) => measure !== 'cost' || wanted.length === 0 || wanted.includes(unit));
  const hasUnits = new Set(shown.map(({ unit }) => unit)).size > 1;
  return shown.map((part) => {
    const { unit, labels } = part;
    // If an answer has several currencies, the server names the currency. But only one of them may be shown.
    const mark = ` (${unit})`;
    const name = wordsOf(part.name.endsWith(mark) ? part.name.slice(0, -mark.length) : part.name, labels);
    return { part, name, formattedName: hasUnits ? name + mark : name, labels: { ...labels, measure, unit } };
  });
}

/** English names that the server sends: of the total, of the rest, and of bill lines that are no periods of a tariff. */
function wordsOf(name: string, { others, line = '' }: Record<string, string>): string {
  if (others !== undefined) return fill(texts.others, { count: others });
  if (line === '') return name === 'Total' ? texts.total : name;
  if (line === 'energy') return name === 'Default' ? texts.lines.default : name;
  return isLine(line) ? texts.lines[line] : name;
}

const isLine = (line: string): line is keyof typeof texts.lines => line in texts.lines;

const questionOf = (spec: QuerySpec, { timeRange, variableState }: TimeSeriesQueryContext) => ({
  measure: spec.measure,
  split: spec.split ?? 'none',
  ...wireOf(timeRange),
  ...chosenThings(spec, variableState),
});

/** The start of a day or month: the instant at which its date begins in the page's zone. */
function placeOf(atMs: number, { bucket, timeZone }: SeriesAnswer): number {
  if (timeZone === zone() || (bucket !== 'day' && bucket !== 'month')) return atMs;
  return fromLocalText(toLocalText(atMs, timeZone), zone()) ?? atMs;
}

/** The days of sites in other zones may begin earlier or end later than the days of the page. */
function rangeOf(
  series: readonly { values: readonly (readonly [number, unknown])[] }[],
  { start, end }: AbsoluteTimeRange,
): AbsoluteTimeRange {
  if ('from' in wireOf({ start, end })) return { start, end };
  const times = series.flatMap(({ values }) => [values[0], values.at(-1)].flatMap((point) => point?.[0] ?? []));
  return {
    start: new Date(Math.min(start.getTime(), ...times)),
    end: new Date(Math.max(end.getTime(), ...times)),
  };
}

/** Many meters send every quarter-hour. With a finer resolution their lines would have gaps. */
function autoStepMs({ suggestedStepMs = minute, timeRange: { start, end } }: TimeSeriesQueryContext): number {
  const isLong = end.getTime() - start.getTime() > 6 * bucketMs.hour;
  return Math.max(suggestedStepMs, isLong ? bucketMs['15min'] : minute);
}

/** One series for each site, device or period. */
async function readSeries(spec: QuerySpec, ctx: TimeSeriesQueryContext): Promise<TimeSeriesData> {
  const stepMs = spec.bucket === undefined ? autoStepMs(ctx) : bucketMs[spec.bucket];
  const answer = await askSeries({ ...questionOf(spec, ctx), step: Math.max(1, stepMs / 1000) });
  const series = seriesOf(answer.series, spec, ctx).map(({ part, ...named }) => ({
    ...named,
    values: part.points.map(([at, value]): [number, number | null] => [placeOf(at, answer), value]),
  }));
  return { timeRange: rangeOf(series, ctx.timeRange), stepMs: bucketMs[answer.bucket], series };
}

/** One value for each part, over the whole time range. */
async function readTotals(spec: QuerySpec, ctx: TimeSeriesQueryContext): Promise<TimeSeriesData> {
  const answer = await askTotals(questionOf(spec, ctx));
  const endMs = ctx.timeRange.end.getTime();
  const series = seriesOf(answer.totals, spec, ctx).map(({ part, ...named }): TimeSeriesData['series'][number] => ({
    ...named,
    values: [[endMs, part.value]],
  }));
  return { timeRange: ctx.timeRange, stepMs: Math.max(minute, endMs - ctx.timeRange.start.getTime()), series };
}

const keyOf = ({ formattedName, labels }: TimeSeriesData['series'][number]) => JSON.stringify([formattedName, labels]);

/** The kind of panel decides whether series or totals are requested. */
export const PortalQuery: TimeSeriesQueryPlugin<QuerySpec> = {
  OptionsEditorComponent: QueryForm,
  createInitialOptions: () => initialQuery('TimeSeriesChart', isFleet()),
  dependsOn: (spec) => ({ variables: variablesIn([spec.sites, spec.devices, spec.customers, spec.currency]) }),
  getTimeSeriesData: async (spec, ctx) => {
    if (ctx.mode === 'instant') return readTotals(spec, ctx);
    if (ctx.mode === 'range') return readSeries(spec, ctx);
    // In the editor's preview it is unknown which value a figure shows. So the series have their totals in the labels.
    const [data, totals] = await Promise.all([readSeries(spec, ctx), readTotals(spec, ctx)]);
    const known = new Map(totals.series.map((one) => [keyOf(one), one.values[0]?.[1] ?? null]));
    const series = data.series.map((one) => {
      const total = JSON.stringify(known.get(keyOf(one)) ?? null);
      return { ...one, labels: { ...one.labels, total } };
    });
    return { ...data, series };
  },
};
