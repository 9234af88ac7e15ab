import { IconButton, Stack, Tooltip, Typography } from '@mui/material';
import type { QueryDefinition, TimeSeriesData } from '@perses-dev/core';
import type { PanelPlugin, PanelProps, OptionsEditorProps } from '@perses-dev/plugin-system';
import { lazy, Suspense, useMemo, useSyncExternalStore, type ComponentType } from 'react';
import { TableIcon } from '../icons.tsx';
import { fill, texts } from '../texts.ts';
import { hasValue, partsOf, type Answers, type Part } from './parts.ts';

const ChartTable = lazy(() => import('./ChartTable.tsx').then((module) => ({ default: module.ChartTable })));

type ChartProps = PanelProps<unknown, TimeSeriesData>;

export interface DrawnProps<Options> {
  options: Options;
  title: string;
  parts: readonly Part[];
  answers: Answers;
  /** The queries of the panel; some may have no answer yet. */
  questions: readonly QueryDefinition[];
  width: number;
  height: number;
}

type Mode = 'range' | 'instant';

interface ChartPanel<Options> {
  /** The part of a panel's `spec` that is read. Other settings of Perses have no effect. */
  options: { safeParse: (spec: unknown) => { data?: Options | undefined } };
  initial: Options;
  /** Whether the queries of the panel request series (`range`) or totals of the time range (`instant`). */
  mode: Mode | ((options: Options) => Mode);
  Drawn: ComponentType<DrawnProps<Options>>;
  Form?: ComponentType<OptionsEditorProps<Options>>;
}

/** A panel with series, and a button in its header that shows its numbers as a table. */
export function chartPanel<Options>({ options, initial, mode, Drawn, Form }: ChartPanel<Options>) {
  const optionsIn = (spec: unknown) => options.safeParse(spec).data ?? initial;
  function ChartPanel({ spec, definition, queryResults, contentDimensions }: ChartProps) {
    const read = useMemo(() => optionsIn(spec), [spec]);
    const parts = useMemo(() => queryResults.flatMap(partsOf).filter(hasValue), [queryResults]);
    if (contentDimensions === undefined) return null;
    if (parts.length === 0) {
      return (
        <Stack alignItems="center" justifyContent="center" height={contentDimensions.height}>
          <Typography color="text.secondary">{texts.noReadings}</Typography>
        </Stack>
      );
    }
    const title = definition?.spec.display.name ?? '';
    return (
      <Drawn
        options={read}
        title={title}
        parts={parts}
        answers={queryResults}
        questions={definition?.spec.queries ?? []}
        {...contentDimensions}
      />
    );
  }
  return {
    PanelComponent: ChartPanel,
    supportedQueryTypes: ['TimeSeriesQuery'],
    createInitialOptions: () => initial,
    queryOptions: typeof mode === 'function' ? (spec: unknown) => ({ mode: mode(optionsIn(spec)) }) : { mode },
    ...(Form && { panelOptionsEditorComponents: [{ label: texts.settings, content: Form }] }),
    actions: [{ component: TableAction, location: 'header' }],
  } satisfies PanelPlugin<Options, ChartProps>;
}

/** The chart whose table is open. Stored here, because Perses creates the headers of panels again with each answer. */
let opened: ChartProps | null = null;
const listeners = new Set<() => void>();

function open(chart: ChartProps | null): void {
  opened = chart;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function TableAction(props: ChartProps) {
  return (
    <Tooltip title={texts.showTable}>
      <IconButton
        size="small"
        aria-label={fill(texts.tableOf, { title: props.definition?.spec.display.name ?? '' })}
        aria-haspopup="dialog"
        onClick={() => open(props)}
      >
        <TableIcon fontSize="inherit" />
      </IconButton>
    </Tooltip>
  );
}

/** Shows the numbers of the chart whose button was clicked, on top of the page. */
export function OpenTable() {
  const chart = useSyncExternalStore(subscribe, () => opened);
  if (chart === null) return null;
  return (
    <Suspense>
      <ChartTable
        title={chart.definition?.spec.display.name ?? ''}
        answers={chart.queryResults}
        onClose={() => open(null)}
      />
    </Suspense>
  );
}
