import { Button, TextInput } from '@mantine/core';
import { IconBolt, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { hasTree } from '../../../../../shared/reports.ts';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import type { CsvTable } from '../../../lib/csv.ts';
import { toOffsetText } from '../../../../../shared/time.ts';
import { linkedRange, type TimeRangeSearch } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { CsvButton } from '../../../charts/TableToggle.tsx';
import { HorizontalBars } from '../../../charts/HorizontalBars.tsx';
import { useChartColors } from '../../../charts/use-chart-colors.ts';
import { headerIn } from '../../../charts/value-columns.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { numberColumn, VirtualTable, type VirtualColumn } from '../../../ui/virtual-table/VirtualTable.tsx';
import { csvOfRange } from './csv-of-range.ts';
import classes from '../Dashboard.module.css';
import {
  energyGroups,
  type EnergyGroup,
  type EnergyLine,
  linesByEndUse,
  linesBySite,
  linesOfDevices,
  costIn,
  deviceCurrencies,
  devicesByEnergy,
  knownKwh,
  maxBars,
  searchDevices,
} from './energy-groups.ts';
import { GroupControl } from './GroupControl.tsx';

interface DeviceEnergyPanelProps {
  search: TimeRangeSearch;
  summary: DashboardSummary;
  chosen: readonly DeviceWithSite[];
  timeZone: string;
  isStale: boolean;
}

/**
 * Shows which devices, sites or end uses used the energy of the range: the largest as bars, and all of them in a table with a
 * search.
 */
export function DeviceEnergyPanel({ search, summary, chosen, timeZone, isStale }: DeviceEnergyPanelProps) {
  const t = useTranslations('dashboard.deviceEnergy');
  const tTerms = useTranslations('terms');
  const tDashboard = useTranslations('dashboard');
  const tCharts = useTranslations('charts');
  const tRange = useTranslations('common.timeRange');
  const format = useFormat();
  const [isTable, setIsTable] = useState(false);
  const [asked, setAsked] = useState<EnergyGroup>('device');
  const isOffered: Record<EnergyGroup, boolean> = {
    site: new Set(summary.devices.map(({ siteId }) => siteId)).size > 1,
    device: true,
    endUse: chosen.some(({ endUse }) => endUse !== null),
  };
  const group = isOffered[asked] ? asked : 'device';
  const offered = energyGroups.filter((one) => isOffered[one]);
  const lines =
    group === 'site'
      ? linesBySite(summary.devices)
      : group === 'endUse'
        ? linesByEndUse(summary.devices, chosen, tDashboard('noEndUse'))
        : linesOfDevices(summary.devices);
  const sorted = devicesByEnergy(lines, format.compare);
  const all = [...sorted, ...lines.filter((one) => !sorted.includes(one))];
  const csv = (): CsvTable => {
    const currencies = deviceCurrencies(all);
    const names = new Map(all.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
    const ofDevices = <Value,>(...values: Value[]): Value[] => (group === 'device' ? values : []);
    const table: CsvTable = {
      name: group === 'device' ? t('table') : t(`titles.${group}`),
      header: [
        tDashboard(`groups.${group}`),
        ...ofDevices(tTerms('site'), t('partOfColumn')),
        headerIn(t('importedColumn'), 'kWh'),
        headerIn(t('exportedColumn'), 'kWh'),
        headerIn(t('estimatedColumn'), 'kWh'),
        ...currencies.map((currency) => headerIn(tTerms('energyCost'), currency)),
        ...ofDevices(headerIn(t('peakColumn'), 'kW'), t('peakAtColumn')),
      ],
      rows: all.map((one) => [
        one.deviceName,
        ...ofDevices(one.siteName, names.get(one.countedIn ?? '') ?? null),
        knownKwh(one, one.energyImportedKwh),
        knownKwh(one, one.energyExportedKwh),
        knownKwh(one, one.estimatedEnergyKwh),
        ...currencies.map((currency) => costIn(one, currency)),
        ...ofDevices<number | string | null>(
          one.peakPowerKw,
          one.peakAt === null ? null : toOffsetText(Date.parse(one.peakAt), timeZone),
        ),
      ]),
    };
    return csvOfRange(table, summary, timeZone, { from: tRange('from'), to: tRange('to') });
  };
  return (
    <Panel
      title={t(`titles.${group}`)}
      actions={
        <>
          {offered.length > 1 && (
            <GroupControl label={t('groupBy')} value={group} groups={offered} onChange={setAsked} />
          )}
          {isTable && sorted.length > 0 && <CsvButton table={csv} />}
          <Button variant="default" size="xs" disabled={sorted.length === 0} onClick={() => setIsTable(!isTable)}>
            {isTable
              ? t('showBars')
              : lines.length === 1
                ? tCharts('showTable')
                : tTerms('showAll', { count: lines.length })}
          </Button>
        </>
      }
    >
      <div className="until-answered" data-stale={isStale}>
        {sorted.length === 0 ? (
          <EmptyState icon={<IconBolt size={22} stroke={1.75} />} title={tTerms('noEnergy')}>
            {t('nothingText')}
          </EmptyState>
        ) : isTable ? (
          <DeviceTable group={group} devices={all} timeZone={timeZone} />
        ) : (
          <DeviceBars
            group={group}
            devices={sorted}
            all={lines}
            enteredKwh={summary.energyImportedKwh}
            search={search}
          />
        )}
      </div>
    </Panel>
  );
}

interface DeviceBarsProps {
  group: EnergyGroup;
  /** The lines with energy, the largest first. */
  devices: readonly EnergyLine[];
  all: readonly EnergyLine[];
  /** Import from outside. */
  enteredKwh: number;
  search: TimeRangeSearch;
}

/** Exported energy with a smaller share than this is not mentioned. */
const minFedIn = 0.005;

function DeviceBars({ group, devices, all, enteredKwh, search }: DeviceBarsProps) {
  const t = useTranslations('dashboard.deviceEnergy');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const colors = useChartColors();
  const shown = devices.slice(0, maxBars);
  const names = new Map(all.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const max = Math.max(...shown.map((one) => Math.max(one.energyImportedKwh, one.energyExportedKwh)));
  const sumKwh = all.reduce((sum, one) => sum + one.energyImportedKwh, 0);
  const hasFeedIn = group === 'endUse' && sumKwh > enteredKwh * (1 + minFedIn);
  const hasExport = shown.some(({ energyExportedKwh }) => energyExportedKwh > 0);
  const hasEstimate = shown.some(({ estimatedEnergyKwh }) => estimatedEnergyKwh > 0);
  const barColors: Record<`--${string}`, string> = {
    '--bar': colors.series[0] ?? colors.text,
    '--bar-opposite': colors.series[2] ?? colors.others,
  };
  const figuresOf = ({ costs, energyExportedKwh, estimatedEnergyKwh }: EnergyLine) => {
    const details = [
      ...(energyExportedKwh > 0 ? [t('exported', { energy: format.energy(energyExportedKwh, max) })] : []),
      ...(estimatedEnergyKwh > 0 ? [t('estimated', { energy: format.energy(estimatedEnergyKwh, max) })] : []),
    ];
    return {
      subvalue: costs.map(({ currency, energyCost }) => format.money(energyCost, currency)).join(' · '),
      ...(details.length === 0 ? {} : { detail: details.join(' · ') }),
    };
  };
  return (
    <div style={barColors}>
      <HorizontalBars
        label={t(`titles.${group}`)}
        max={max}
        bars={shown.map((device) => ({
          id: device.deviceId,
          name: (
            <>
              <LinkAnchor
                to="/measurements"
                search={{ ...linkedRange(search), devices: device.deviceIds.join() }}
                fw={500}
                c="inherit"
              >
                {device.deviceName}
              </LinkAnchor>
              {group === 'device' && (
                <span className="detail">
                  {device.siteName}
                  {device.countedIn !== null && ` · ${tTerms('partOf', { name: names.get(device.countedIn) ?? '' })}`}
                </span>
              )}
            </>
          ),
          value: format.energy(device.energyImportedKwh, max),
          ...figuresOf(device),
          size: Math.max(0, device.energyImportedKwh),
          estimated: Math.max(0, Math.min(device.estimatedEnergyKwh, device.energyImportedKwh)),
          opposite: device.energyExportedKwh,
        }))}
      />
      <p className={classes.energyNote}>
        {hasEstimate && (
          <span className={classes.key}>
            <span className={classes.swatch} data-kind="estimated" aria-hidden /> {t('estimatedKey')}
          </span>
        )}
        {hasExport && (
          <span className={classes.key}>
            <span className={classes.swatch} data-kind="export" aria-hidden /> {t('exportKey')}
          </span>
        )}
        <span>{t('costNote')}</span>
        {hasTree(all) && <span>{t('treeNote')}</span>}
        {hasFeedIn && (
          <span>{t('endUseNote', { sum: format.energy(sumKwh, max), entered: format.energy(enteredKwh, max) })}</span>
        )}
        {devices.length > shown.length && <span>{t('more', { count: devices.length - shown.length })}</span>}
      </p>
    </div>
  );
}

const tableHeight = 420;

interface DeviceTableProps {
  group: EnergyGroup;
  devices: readonly EnergyLine[];
  timeZone: string;
}

function DeviceTable({ group, devices, timeZone }: DeviceTableProps) {
  const t = useTranslations('dashboard.deviceEnergy');
  const tTerms = useTranslations('terms');
  const tDashboard = useTranslations('dashboard');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const [text, setText] = useState('');
  const found = searchDevices(devices, text);
  const names = new Map(devices.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const ofDevices = (...own: VirtualColumn<EnergyLine>[]) => (group === 'device' ? own : []);
  const searchLabel = group === 'device' ? tTerms('searchDevices') : tCommon('search');
  const columns: VirtualColumn<EnergyLine>[] = [
    {
      id: 'device',
      header: tDashboard(`groups.${group}`),
      minRem: 9,
      isSticky: true,
      cell: ({ deviceName }) => deviceName,
    },
    ...ofDevices({ id: 'site', header: tTerms('site'), minRem: 8, cell: ({ siteName }) => siteName }),
    ...(hasTree(devices)
      ? [
          {
            id: 'partOf',
            header: t('partOfColumn'),
            minRem: 8,
            cell: ({ countedIn }: EnergyLine) => names.get(countedIn ?? '') ?? '',
          },
        ]
      : []),
    numberColumn('imported', t('importedColumn'), 'kWh', (one) => format.number(knownKwh(one, one.energyImportedKwh))),
    numberColumn('exported', t('exportedColumn'), 'kWh', (one) => format.number(knownKwh(one, one.energyExportedKwh))),
    numberColumn('estimated', t('estimatedColumn'), 'kWh', (one) =>
      format.number(knownKwh(one, one.estimatedEnergyKwh)),
    ),
    ...deviceCurrencies(devices).map((currency) =>
      numberColumn(currency, tTerms('energyCost'), currency, (one: EnergyLine) =>
        format.money(costIn(one, currency), currency),
      ),
    ),
    ...ofDevices(
      numberColumn('peak', t('peakColumn'), 'kW', (one) => format.number(one.peakPowerKw)),
      {
        id: 'peakAt',
        header: t('peakAtColumn'),
        minRem: 11,
        cell: ({ peakAt }) => (peakAt === null ? format.number(null) : format.dateTime(peakAt, timeZone)),
      },
    ),
  ];
  return (
    <>
      <TextInput
        size="xs"
        type="search"
        className={classes.search}
        aria-label={searchLabel}
        placeholder={searchLabel}
        leftSection={<IconSearch size={15} stroke={1.75} />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <VirtualTable
        label={group === 'device' ? t('table') : t(`titles.${group}`)}
        columns={columns}
        rowCount={found.length}
        getRow={(index) => found[index]}
        height={Math.min(tableHeight, found.length * 34 + 56)}
      />
      {found.length === 0 && (
        <p className={classes.energyNote}>{group === 'device' ? tTerms('noDeviceMatches') : tCommon('noMatch')}</p>
      )}
    </>
  );
}
