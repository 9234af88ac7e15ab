import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import { colorNumbers, devicesQuery } from '../../../lib/devices.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Sankey } from '../../../charts/Sankey.tsx';
import { TableToggle } from '../../../charts/TableToggle.tsx';
import { headerIn } from '../../../charts/value-columns.ts';
import { useChartColors } from '../../../charts/use-chart-colors.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { usePrinting } from '../../../ui/printing.tsx';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { numberColumn, VirtualTable, type VirtualColumn } from '../../../ui/virtual-table/VirtualTable.tsx';
import { csvOfRange } from './csv-of-range.ts';
import { costIn, deviceCurrencies } from './energy-groups.ts';
import {
  energyFlows,
  netOfRow,
  shareOfRow,
  treeRows,
  type EnergyFlows,
  type FlowNode,
  type TreeRow,
} from './energy-flows.ts';
import classes from '../Dashboard.module.css';

const minHeight = 220;
const nodeHeight = 34;
const maxHeight = 560;
/** The printed height, with which the panel and its title fit on one sheet. */
const maxPrintedHeight = 780;
/** The width that a name needs, px. */
const nameHeight = 16;

interface WhoUsesWhatPanelProps {
  summary: DashboardSummary;
  timeZone: string;
  isStale: boolean;
}

/** Shown if there are sub-meters: the energy flow from main meters to sub-meters, as a picture and as a table. */
export function WhoUsesWhatPanel({ summary, timeZone, isStale }: WhoUsesWhatPanelProps) {
  const t = useTranslations('panels.whoUsesWhat');
  const tTerms = useTranslations('terms');
  const tRange = useTranslations('common.timeRange');
  const isNarrow = useIsNarrow();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const stageId = useId();
  const rows = useMemo(() => treeRows(summary.devices), [summary.devices]);
  const drawn = useMemo(() => energyFlows(rows), [rows]);
  const { flows, count, shownCount } = drawn;
  // On a phone the names would overlap.
  const isTable = (chosen ?? isNarrow) || flows.length === 0;
  return (
    <div className={classes.flowPanel}>
      <Panel
        title={t('title')}
        actions={
          <TableToggle
            isTable={isTable}
            onChange={setChosen}
            controls={stageId}
            isDisabled={flows.length === 0}
            csv={() => {
              const currencies = deviceCurrencies(rows.map(({ device }) => device));
              const table = {
                name: t('table'),
                header: [
                  tTerms('device'),
                  headerIn(tTerms('energy'), 'kWh'),
                  headerIn(t('share'), '%'),
                  ...currencies.map((currency) => headerIn(tTerms('energyCost'), currency)),
                  tTerms('site'),
                ],
                rows: rows
                  .filter(({ kind }) => kind !== 'site')
                  .map((row) => ({ ...row, net: netOfRow(row), part: shareOfRow(row) }))
                  .map(({ device, kind, net, part }) => [
                    kind === 'rest' ? t('rest') : device.deviceName,
                    net,
                    part === null ? null : part * 100,
                    ...currencies.map((currency) => (kind === 'rest' ? null : costIn(device, currency))),
                    device.siteName,
                  ]),
              };
              return csvOfRange(table, summary, timeZone, { from: tRange('from'), to: tRange('to') });
            }}
          />
        }
      >
        <div id={stageId} className="until-answered" data-stale={isStale}>
          {isTable ? (
            <TreeTable rows={rows} />
          ) : (
            <FlowChart drawn={drawn} isSeveralSites={new Set(summary.devices.map(({ siteId }) => siteId)).size > 1} />
          )}
          <p className={classes.flowNote}>
            {!isTable && shownCount < count && `${t('some', { shown: shownCount, count })} `}
            {t('note')}
          </p>
        </div>
      </Panel>
    </div>
  );
}

function FlowChart({ drawn, isSeveralSites }: { drawn: EnergyFlows; isSeveralSites: boolean }) {
  const t = useTranslations('panels.whoUsesWhat');
  const tTerms = useTranslations('terms');
  const tCharts = useTranslations('charts');
  const format = useFormat();
  const colors = useChartColors();
  const devices = useQuery(devicesQuery).data;
  const numbers = useMemo(() => colorNumbers(devices ?? []), [devices]);
  const { flows } = drawn;
  const leaves = drawn.nodes.filter(({ id }) => !flows.some(({ source }) => source === id)).length;
  const room = Math.max(minHeight, Math.min(leaves * nodeHeight, Math.max(maxHeight, leaves * nameHeight)));
  const height = usePrinting() ? Math.min(maxPrintedHeight, room) : room;
  const nodes = useMemo(() => {
    const nameOf = (node: FlowNode) => {
      if (node.othersCount > 0) return tCharts('others', { count: node.othersCount });
      const name = nameOfRow(node, t('rest'));
      return isSeveralSites && node.kind === 'device' ? `${name} · ${node.device.siteName}` : name;
    };
    const numberOf = ({ kind, device }: FlowNode) => numbers.get(kind === 'site' ? device.siteId : device.deviceId);
    return drawn.nodes.map((node) => ({
      id: node.id,
      name: nameOf(node),
      color:
        node.othersCount > 0 || node.kind === 'rest'
          ? colors.others
          : (colors.series[(numberOf(node) ?? node.level) % colors.series.length] ?? colors.text),
    }));
  }, [drawn, isSeveralSites, colors, numbers, t, tCharts]);
  return (
    <Sankey
      nodes={nodes}
      flows={flows}
      formatAmount={format.energy}
      amountName={tTerms('energy')}
      height={height}
      label={t('description', { count: flows.length })}
    />
  );
}

const nameOfRow = ({ device, kind }: TreeRow, rest: string) =>
  ({ site: device.siteName, device: device.deviceName, rest })[kind];

function RowName({ row }: { row: TreeRow }) {
  const t = useTranslations('panels.whoUsesWhat');
  const name = nameOfRow(row, t('rest'));
  return (
    <span
      className={classes.name}
      data-rest={row.kind === 'rest' || undefined}
      title={name}
      style={{ paddingInlineStart: `${row.level}rem` }}
    >
      {name}
    </span>
  );
}

const rowName = (row: TreeRow) => <RowName row={row} />;

const tableHeight = 420;

function TreeTable({ rows }: { rows: readonly TreeRow[] }) {
  const t = useTranslations('panels.whoUsesWhat');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const columns: VirtualColumn<TreeRow>[] = [
    {
      id: 'device',
      header: tTerms('device'),
      minRem: 11,
      grow: 2,
      isSticky: true,
      cell: rowName,
    },
    numberColumn('net', tTerms('energy'), 'kWh', (row) => format.number(netOfRow(row))),
    numberColumn('share', t('share'), '', (row) => {
      const share = shareOfRow(row);
      return share === null ? '' : format.percent(share, 1);
    }),
    ...deviceCurrencies(rows.map(({ device }) => device)).map((currency) =>
      numberColumn(currency, tTerms('energyCost'), currency, ({ device, kind }: TreeRow) =>
        kind === 'device' ? format.money(costIn(device, currency), currency) : '',
      ),
    ),
    { id: 'site', header: tTerms('site'), minRem: 8, cell: ({ device }) => device.siteName },
  ];
  return (
    <VirtualTable
      label={t('table')}
      columns={columns}
      rowCount={rows.length}
      getRow={(index) => rows[index]}
      height={Math.min(tableHeight, rows.length * 34 + 56)}
    />
  );
}
