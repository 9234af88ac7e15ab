import type { AbsoluteTimeRange } from '@perses-dev/core';
import type { TimeSeriesQueryContext, TimeSeriesQueryPlugin } from '@perses-dev/plugin-system';
import { lazy } from 'react';
import type { QuerySpec, SeriesAnswer } from '../../../../shared/dashboard-tool.ts';
import { askSeries, askTotals } from '../api.ts';
import { fromLocalText, toLocalText } from '../../../../web/src/lib/time.ts';
import { fill, texts } from '../texts.ts';
import { wireOf } from '../presets.ts';
import { zone } from '../zone.ts';
import { chosenThings, chosenValues, variablesIn } from './choose.ts';

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

/** The parts in the currency that is asked for, in the reader's words; by it where there are several. */
function seriesOf<Shown extends Part>(parts: readonly Shown[], spec: QuerySpec, ctx: TimeSeriesQueryContext) {
  const { measure } = spec;
  const wanted = spec.currency === undefined ? [] : chosenValues([spec.currency], ctx.variableState);
  const shown = parts.filter(({ unit }) => measure !== 'cost' || wanted.length === 0 || wanted.includes(unit));
  const hasUnits = new Set(shown.map(({ unit }) => unit)).size > 1;
  return shown.map((part) => {
    const { unit, labels } = part;
    // The server names the currency where an answer has several; of those only one may be shown.
    const mark = ` (${unit})`;
    const name = wordsOf(part.name.endsWith(mark) ? part.name.slice(0, -mark.length) : part.name, labels);
    return { part, name, formattedName: hasUnits ? name + mark : name, labels: { ...labels, measure, unit } };
  });
}

/** What the server says in English: all in one, the rest, and lines of a bill that are no period of a tariff. */
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

const shared = {
  OptionsEditorComponent: QueryForm,
  createInitialOptions: (): QuerySpec => ({ measure: 'power', split: 'site', sites: ['$site'] }),
  dependsOn: (spec: QuerySpec) => ({
    variables: variablesIn([spec.sites, spec.devices, spec.customers, spec.currency]),
  }),
};

/** A day or month begins where its date does by the clock of the page. */
function placeOf(atMs: number, { bucket, timeZone }: SeriesAnswer): number {
  if (timeZone === zone() || (bucket !== 'day' && bucket !== 'month')) return atMs;
  return fromLocalText(toLocalText(atMs, timeZone), zone()) ?? atMs;
}

/** Days of sites whose clocks are ahead or behind begin earlier or end later than those of the page. */
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

/** One series of points for each part. */
export const PortalQuery: TimeSeriesQueryPlugin<QuerySpec> = {
  ...shared,
  getTimeSeriesData: async (spec, ctx) => {
    const stepMs = spec.bucket === undefined ? (ctx.suggestedStepMs ?? minute) : bucketMs[spec.bucket];
    const answer = await askSeries({ ...questionOf(spec, ctx), step: Math.max(1, stepMs / 1000) });
    const series = seriesOf(answer.series, spec, ctx).map(({ part, ...named }) => ({
      ...named,
      values: part.points.map(([at, value]): [number, number | null] => [placeOf(at, answer), value]),
    }));
    return { timeRange: rangeOf(series, ctx.timeRange), stepMs: bucketMs[answer.bucket], series };
  },
};

/** One value for each part, of the whole time range. */
export const PortalTotals: TimeSeriesQueryPlugin<QuerySpec> = {
  ...shared,
  createInitialOptions: () => ({ measure: 'energy', split: 'site', sites: ['$site'] }),
  getTimeSeriesData: async (spec, ctx) => {
    const answer = await askTotals(questionOf(spec, ctx));
    const endMs = ctx.timeRange.end.getTime();
    return {
      timeRange: ctx.timeRange,
      stepMs: Math.max(minute, endMs - ctx.timeRange.start.getTime()),
      series: seriesOf(answer.totals, spec, ctx).map(({ part, ...named }) => ({
        ...named,
        values: [[endMs, part.value]],
      })),
    };
  },
};
