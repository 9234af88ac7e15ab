import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { FigureTable } from '../../../ui/FigureTable.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ResponsiveTable, type Column } from '../../../ui/ResponsiveTable.tsx';
import { costLineName } from '../cost-bars.ts';
import explain from '../explain/Explain.module.css';
import { useCostNames } from '../use-cost-names.ts';
import classes from './Report.module.css';
import { largestSites, reportedCosts, type ReportedCost, type ReportedLine, type SiteCost } from './report-data.ts';
import type { Report } from './report-query.ts';

/** The cost line by line, with VAT, to the cent, and the cost by site. Each currency has a table. */
export function CostPanels({ report }: { report: Report }) {
  const t = useTranslations('report');
  const costs = reportedCosts(report.lines);
  const { sites } = report.own.summary;
  if (costs.length === 0) return null;
  return (
    <>
      <Panel title={t('cost')}>
        {costs.map((cost) => (
          <CostTable key={cost.currency} cost={cost} isOnly={costs.length === 1} />
        ))}
        <p className={explain.foot}>{t('costNote')}</p>
      </Panel>
      {sites.length > 1 && <SitesPanel sites={sites} />}
    </>
  );
}

function CostTable({ cost: { currency, lines, total }, isOnly }: { cost: ReportedCost; isOnly: boolean }) {
  const t = useTranslations('dashboard.explain');
  const tCost = useTranslations('dashboard.cost');
  const format = useFormat();
  const names = useCostNames();
  const quantity = ({ energyKwh }: ReportedLine) => energyKwh !== null && `${format.number(energyKwh, 3)}\u00a0kWh`;
  const price = ({ kind, ratePerKwh, vatPercent }: ReportedLine) => {
    if (vatPercent !== null) return format.percent(vatPercent / 100, 10);
    return ratePerKwh !== null && format.pricePerKwh(kind === 'export' ? -ratePerKwh : ratePerKwh, currency);
  };
  return (
    <FigureTable
      label={tCost('in', { currency, soFar: 'no' })}
      classNames={{ table: `${explain.table} ${classes.cost}`, head: explain.head }}
      columns={[
        { header: t('columns.line'), className: explain.name },
        { header: t('columns.quantity'), className: explain.quantity },
        { header: t('columns.price'), className: explain.price },
        { header: t('columns.amount'), className: explain.amount },
      ]}
      groups={[
        {
          id: 'lines',
          lines: lines.map((line) => ({
            key: `${line.kind} ${line.name} ${line.ratePerKwh} ${line.vatPercent}`,
            name: costLineName(line, names),
            cells: [quantity(line), price(line), format.money(line.cost, currency)],
          })),
        },
      ]}
      footer={[
        {
          key: 'total',
          name: isOnly ? t('total') : t('totalIn', { currency }),
          span: 3,
          cells: [format.money(total, currency)],
        },
      ]}
    />
  );
}

/** About half a sheet. */
const maxSites = 15;

type Site = DashboardSummary['sites'][number];
type SiteRow = SiteCost & { id: string; siteName: string };

/** A site with tariffs in two currencies has a row for each currency. Its energy is in the first row. */
function SitesPanel({ sites }: { sites: readonly Site[] }) {
  const t = useTranslations('report');
  const tTerms = useTranslations('terms');
  const tExplain = useTranslations('dashboard.explain');
  const format = useFormat();
  const { shown, others } = largestSites(sites, maxSites);
  const rows = shown
    .toSorted((a, b) => format.compare(a.site.siteName, b.site.siteName))
    .map(({ site: { siteId, siteName }, ...row }): SiteRow => ({
      ...row,
      id: `${siteId} ${row.cost?.currency}`,
      siteName,
    }))
    .concat(
      others.map(({ count, ...row }) => ({
        ...row,
        id: `others ${row.cost?.currency}`,
        siteName: t('otherSites', { count }),
      })),
    );
  const largest = Math.max(...rows.map(({ energyKwh }) => energyKwh ?? 0));
  const amount = (id: 'energyCost' | 'fixedCharge' | 'vat' | 'total', header: string): Column<SiteRow> => ({
    id,
    header,
    align: 'end',
    renderCell: ({ cost }) => cost && format.money(cost[id], cost.currency),
  });
  return (
    <Panel title={t('bySite')} flush>
      <ResponsiveTable
        label={t('bySite')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { id: 'site', header: tTerms('site'), kind: 'name', renderCell: ({ siteName }) => siteName },
          {
            id: 'energy',
            header: tTerms('energy'),
            align: 'end',
            renderCell: ({ energyKwh }) => (energyKwh === null ? null : format.energy(energyKwh, largest)),
          },
          amount('energyCost', tTerms('energyCost')),
          amount('fixedCharge', tTerms('fixedCharge')),
          amount('vat', tTerms('vat')),
          amount('total', tExplain('total')),
        ]}
      />
    </Panel>
  );
}
