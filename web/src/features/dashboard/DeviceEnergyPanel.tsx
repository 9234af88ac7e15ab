import { Button, TextInput } from '@mantine/core';
import { IconBolt, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import { hasTree } from '../../../../shared/device-tree.ts';
import type { CsvTable } from '../../lib/csv.ts';
import { toOffsetText } from '../../lib/time.ts';
import { readTimeRangeSearch, type TimeRangeSearch } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { CsvButton } from '../../ui/charts/CsvButton.tsx';
import { HorizontalBars } from '../../ui/charts/HorizontalBars.tsx';
import { useChartColors } from '../../ui/charts/use-chart-colors.ts';
import { headerIn } from '../../ui/charts/value-columns.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { headerRem, VirtualTable, type VirtualColumn } from '../../ui/virtual-table/VirtualTable.tsx';
import classes from './DeviceEnergyPanel.module.css';
import { costIn, deviceCurrencies, devicesByEnergy, maxBars, searchDevices } from './device-energy.ts';

interface DeviceEnergyPanelProps {
  search: TimeRangeSearch;
  summary: DashboardSummary;
  timeZone: string;
  isStale: boolean;
}

type Device = DashboardSummary['devices'][number];

/** Which devices took the energy of the range: the largest as bars, all of them in a table that can be searched. */
export function DeviceEnergyPanel({ search, summary, timeZone, isStale }: DeviceEnergyPanelProps) {
  const t = useTranslations('dashboard.deviceEnergy');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const [isTable, setIsTable] = useState(false);
  const sorted = devicesByEnergy(summary.devices, format.compare);
  const all = [...sorted, ...summary.devices.filter((one) => !sorted.includes(one))];
  const csv = (): CsvTable => {
    const currencies = deviceCurrencies(all);
    const names = new Map(all.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
    return {
      name: t('table'),
      header: [
        tTerms('device'),
        tTerms('site'),
        t('partOfColumn'),
        headerIn(t('importedColumn'), 'kWh'),
        headerIn(t('exportedColumn'), 'kWh'),
        headerIn(t('estimatedColumn'), 'kWh'),
        ...currencies.map((currency) => headerIn(tTerms('energyCost'), currency)),
        headerIn(t('peakColumn'), 'kW'),
        t('peakAtColumn'),
      ],
      rows: all.map((one) => [
        one.deviceName,
        one.siteName,
        names.get(one.countedIn ?? '') ?? null,
        one.energyImportedKwh,
        one.energyExportedKwh,
        one.estimatedEnergyKwh,
        ...currencies.map((currency) => costIn(one, currency)),
        one.peakPowerKw,
        one.peakAt === null ? null : toOffsetText(Date.parse(one.peakAt), timeZone),
      ]),
    };
  };
  return (
    <Panel
      title={t('title')}
      actions={
        <>
          {isTable && sorted.length > 0 && <CsvButton table={csv} />}
          <Button variant="default" size="xs" disabled={sorted.length === 0} onClick={() => setIsTable(!isTable)}>
            {isTable ? t('showBars') : tTerms('showAll', { count: summary.devices.length })}
          </Button>
        </>
      }
    >
      <div className={classes.place} data-stale={isStale}>
        {sorted.length === 0 ? (
          <EmptyState icon={<IconBolt size={22} stroke={1.75} />} title={tTerms('noEnergy')}>
            {t('nothingText')}
          </EmptyState>
        ) : isTable ? (
          <DeviceTable devices={all} timeZone={timeZone} />
        ) : (
          <DeviceBars devices={sorted} all={summary.devices} search={search} />
        )}
      </div>
    </Panel>
  );
}

function DeviceBars({
  devices,
  all,
  search,
}: {
  devices: readonly Device[];
  all: readonly Device[];
  search: TimeRangeSearch;
}) {
  const t = useTranslations('dashboard.deviceEnergy');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const colors = useChartColors();
  const shown = devices.slice(0, maxBars);
  const names = new Map(all.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const max = Math.max(...shown.map((one) => Math.max(one.energyImportedKwh, one.energyExportedKwh)));
  const hasExport = shown.some(({ energyExportedKwh }) => energyExportedKwh > 0);
  const hasEstimate = shown.some(({ estimatedEnergyKwh }) => estimatedEnergyKwh > 0);
  const barColors: Record<`--${string}`, string> = {
    '--bar': colors.series[0] ?? colors.text,
    '--bar-opposite': colors.series[2] ?? colors.others,
  };
  const figuresOf = ({ costs, energyExportedKwh, estimatedEnergyKwh }: Device) => {
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
        label={t('title')}
        max={max}
        bars={shown.map((device) => ({
          id: device.deviceId,
          name: (
            <>
              <LinkAnchor
                to="/measurements"
                search={{ ...readTimeRangeSearch({ ...search }), devices: device.deviceId }}
                className={classes.name}
              >
                {device.deviceName}
              </LinkAnchor>
              <span className={classes.site}>
                {device.siteName}
                {device.countedIn !== null && ` · ${tTerms('partOf', { name: names.get(device.countedIn) ?? '' })}`}
              </span>
            </>
          ),
          value: format.energy(device.energyImportedKwh, max),
          ...figuresOf(device),
          size: device.energyImportedKwh,
          estimated: Math.min(device.estimatedEnergyKwh, device.energyImportedKwh),
          opposite: device.energyExportedKwh,
        }))}
      />
      <p className={classes.note}>
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
        {devices.length > shown.length && <span>{t('more', { count: devices.length - shown.length })}</span>}
      </p>
    </div>
  );
}

const tableHeight = 420;

function DeviceTable({ devices, timeZone }: { devices: readonly Device[]; timeZone: string }) {
  const t = useTranslations('dashboard.deviceEnergy');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const [text, setText] = useState('');
  const found = searchDevices(devices, text);
  const names = new Map(devices.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const number = (id: string, header: string, unit: string, cell: (device: Device) => string) => ({
    id,
    header,
    unit,
    minRem: headerRem(header, unit),
    align: 'end' as const,
    cell,
  });
  const columns: VirtualColumn<Device>[] = [
    { id: 'device', header: tTerms('device'), minRem: 9, isSticky: true, cell: ({ deviceName }) => deviceName },
    { id: 'site', header: tTerms('site'), minRem: 8, cell: ({ siteName }) => siteName },
    ...(hasTree(devices)
      ? [
          {
            id: 'partOf',
            header: t('partOfColumn'),
            minRem: 8,
            cell: ({ countedIn }: Device) => names.get(countedIn ?? '') ?? '',
          },
        ]
      : []),
    number('imported', t('importedColumn'), 'kWh', (one) => format.number(one.energyImportedKwh)),
    number('exported', t('exportedColumn'), 'kWh', (one) => format.number(one.energyExportedKwh)),
    number('estimated', t('estimatedColumn'), 'kWh', (one) => format.number(one.estimatedEnergyKwh)),
    ...deviceCurrencies(devices).map((currency) =>
      number(currency, tTerms('energyCost'), currency, (one) => format.money(costIn(one, currency), currency)),
    ),
    number('peak', t('peakColumn'), 'kW', (one) => format.number(one.peakPowerKw)),
    {
      id: 'peakAt',
      header: t('peakAtColumn'),
      minRem: 11,
      cell: ({ peakAt }) => (peakAt === null ? format.number(null) : format.dateTime(peakAt, timeZone)),
    },
  ];
  return (
    <>
      <TextInput
        size="xs"
        type="search"
        className={classes.search}
        aria-label={tTerms('searchDevices')}
        placeholder={tTerms('searchDevices')}
        leftSection={<IconSearch size={15} stroke={1.75} />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <VirtualTable
        label={t('table')}
        columns={columns}
        rowCount={found.length}
        getRow={(index) => found[index]}
        height={Math.min(tableHeight, found.length * 34 + 56)}
      />
      {found.length === 0 && <p className={classes.note}>{tTerms('noDeviceMatches')}</p>}
    </>
  );
}
