import { PanelBuilder as BarChart } from '@grafana/grafana-foundation-sdk/barchart';
import { PanelBuilder as BarGauge } from '@grafana/grafana-foundation-sdk/bargauge';
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import {
  BigValueColorMode,
  BigValueGraphMode,
  type DataSourceRef,
  GraphDrawStyle,
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  StackingMode,
  VizOrientation,
} from '@grafana/grafana-foundation-sdk/common';
import { PanelBuilder as PieChart } from '@grafana/grafana-foundation-sdk/piechart';
import { PanelBuilder as Stat } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as Table } from '@grafana/grafana-foundation-sdk/table';
import { PanelBuilder as TimeSeries } from '@grafana/grafana-foundation-sdk/timeseries';

/** The chosen devices, none where nothing is chosen. */
export const devices = `array_remove(ARRAY[$device]::text[], '')::uuid[]`;
/** They, and the range that is looked at. */
export const inRange = `${devices}, $__timeFrom(), $__timeTo()`;
/** For what adds devices up. */
export const summedInRange = `reporting.counted(${devices}), $__timeFrom(), $__timeTo()`;

export const dataSource: DataSourceRef = { type: 'grafana-postgresql-datasource', uid: 'portal' };

/** What Grafana asks of PostgreSQL; the SDK has no type for it. */
interface SqlQuery extends Dataquery {
  refId: string;
  datasource: DataSourceRef;
  format: 'time_series' | 'table';
  editorMode: 'code';
  rawQuery: true;
  rawSql: string;
}

const sqlQuery = (format: SqlQuery['format'], rawSql: string): Builder<SqlQuery> => ({
  build: () => ({
    refId: 'A',
    datasource: dataSource,
    format,
    editorMode: 'code',
    rawQuery: true,
    rawSql: rawSql.trim().replaceAll(/\n\s+/g, '\n'),
    _implementsDataqueryVariant: () => {},
  }),
});

/** What each panel has; a row of them is 24 wide. */
export interface About {
  title: string;
  description: string;
  unit: string;
  decimals?: number;
  width: number;
  sql: string;
}

interface AnyPanel {
  title(title: string): this;
  description(description: string): this;
  datasource(datasource: DataSourceRef): this;
  unit(unit: string): this;
  decimals(decimals: number): this;
  span(width: number): this;
  height(height: number): this;
  withTarget(target: Builder<Dataquery>): this;
}

const describe = <Panel extends AnyPanel>(panel: Panel, about: About, format: SqlQuery['format']): Panel =>
  panel
    .title(about.title)
    .description(about.description)
    .datasource(dataSource)
    .unit(about.unit)
    .decimals(about.decimals ?? 1)
    .span(about.width)
    .height(9)
    .withTarget(sqlQuery(format, about.sql));

const eachRow = () => new ReduceDataOptionsBuilder().values(true).calcs([]);

/** One number. */
export const stat = (about: About): Stat =>
  describe(new Stat(), about, 'table')
    .height(4)
    .noValue('–')
    .graphMode(BigValueGraphMode.None)
    .colorMode(BigValueColorMode.None);

/** Rows; `units` are those of single columns. */
export function table(about: About & { units?: Readonly<Record<string, string>> }): Table {
  const panel = describe(new Table(), about, 'table');
  for (const [column, value] of Object.entries(about.units ?? {})) {
    panel.overrideByName(column, [{ id: 'unit', value }]);
  }
  return panel;
}

/** A line a series; buckets are as wide as `$__interval_ms`, so that there are no more points than these. */
export const lines = (about: About): TimeSeries =>
  describe(new TimeSeries(), about, 'time_series').interval('1m').maxDataPoints(500).fillOpacity(0);

/** Amounts of energy, stacked. */
export const bars = (about: About): TimeSeries =>
  describe(new TimeSeries(), about, 'time_series')
    .interval('15m')
    .maxDataPoints(200)
    .drawStyle(GraphDrawStyle.Bars)
    .fillOpacity(80)
    .lineWidth(0)
    .stacking(new StackingConfigBuilder().mode(StackingMode.Normal));

/** The share of each row. */
export const pie = (about: About): PieChart => describe(new PieChart(), about, 'table').reduceOptions(eachRow());

/** A bar a row. */
export const ranking = (about: About): BarGauge =>
  describe(new BarGauge(), about, 'table').orientation(VizOrientation.Horizontal).reduceOptions(eachRow());

/** A bar for each value of the first column. */
export const columns = (about: About): BarChart => describe(new BarChart(), about, 'table');
