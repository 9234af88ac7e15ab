import { z } from 'zod';

/**
 * The options in `spec` that the panels of the dashboard tool use. `spec` has the shape of Perses. Panels ignore other options
 * and replace invalid ones with defaults, because people may write any JSON there.
 */

export const displays = ['line', 'bar'] as const;
/** Series over time. */
export const timeChartOptions = z.object({
  visual: z
    .object({
      display: z.enum(displays).catch('line'),
      /** Whether the series are stacked. */
      stack: z.literal('all').optional().catch(undefined),
    })
    .catch({ display: 'line' }),
});
export type TimeChartOptions = z.output<typeof timeChartOptions>;

/** `total` covers the whole time range, as on the portal's pages; the others are computed from the points of a series. */
export const calculations = ['total', 'last-number', 'mean', 'min', 'max', 'sum'] as const;
export type Calculation = (typeof calculations)[number];

/** One number of each series. */
export const figureOptions = z.object({
  calculation: z.enum(calculations).catch('total'),
  /** Whether a sparkline is drawn behind it. */
  sparkline: z.object({}).optional().catch(undefined),
  /** The end of the scale of a gauge. */
  max: z.number().positive().optional().catch(undefined),
});
export type FigureOptions = z.output<typeof figureOptions>;

/** Whether a panel shows a total of the time range for each part, or series. Its queries depend on this. */
export const showsTotals = (kind: string, spec: unknown): boolean =>
  kind === 'StatChart' || kind === 'GaugeChart'
    ? figureOptions.safeParse(spec).data?.calculation === 'total'
    : ['BarChart', 'PieChart', 'Table'].includes(kind);

/** A row for each part and a column for each query. */
export const tableOptions = z.object({
  /** The headers of `value #1`, `value #2` and so on, and of columns that were renamed. */
  columnSettings: z
    .array(z.object({ name: z.string(), header: z.string().optional(), hide: z.boolean().optional() }))
    .catch([]),
});
export type TableOptions = z.output<typeof tableOptions>;
