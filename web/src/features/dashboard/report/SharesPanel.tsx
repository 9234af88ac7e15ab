import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import { sitesQuery } from '../../../lib/sites.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { ResponsiveTable, type Column } from '../../../ui/ResponsiveTable.tsx';
import { knownKwh } from '../panels/energy-groups.ts';
import { deviceShares } from './report-data.ts';
import classes from './Report.module.css';

interface Row {
  id: string;
  name: string;
  /** The main meter of this device. */
  whole: string | null;
  siteName: string | null;
  energyKwh: number | null;
  share: number | null;
  peakKw: number | null;
  peakAt: string | null;
  /** The time zone of the site. The report uses the days in this zone. */
  timeZone: string;
}

/** About half a sheet, beside the heatmap. */
const maxRows = 15;

/** Several devices in one row. */
const withoutPeak = { whole: null, siteName: null, peakKw: null, peakAt: null, timeZone: 'UTC' };

/** The shares of energy, the largest first. */
export function SharesPanel({ summary, timeZone }: { summary: DashboardSummary; timeZone: string }) {
  const sites = useQuery(sitesQuery).data ?? [];
  const t = useTranslations('report');
  const tTerms = useTranslations('terms');
  const tDevices = useTranslations('dashboard.deviceEnergy');
  const tMoment = useTranslations('dashboard.moment');
  const format = useFormat();
  const { shown, others, otherSubMeters } = deviceShares(summary, maxRows);
  const zones = new Map(sites.map((site) => [site.id, site.timeZone]));
  const names = new Map(summary.devices.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const rows: Row[] = [
    ...shown.map(({ device, share }) => ({
      id: device.deviceId,
      name: device.deviceName,
      whole: device.countedIn === null ? null : (names.get(device.countedIn) ?? ''),
      siteName: device.siteName,
      energyKwh: knownKwh(device, device.energyImportedKwh),
      share: knownKwh(device, device.energyImportedKwh) === null ? null : share,
      peakKw: device.peakPowerKw,
      peakAt: device.peakAt,
      timeZone: zones.get(device.siteId) ?? timeZone,
    })),
    ...(others === null
      ? []
      : [
          {
            ...withoutPeak,
            id: 'others',
            name: t('otherDevices', { count: others.count }),
            energyKwh: others.energyKwh,
            share: others.share,
          },
        ]),
    ...(otherSubMeters === 0
      ? []
      : [
          {
            ...withoutPeak,
            id: 'subMeters',
            name: t('otherSubMeters', { count: otherSubMeters }),
            energyKwh: null,
            share: null,
          },
        ]),
  ];
  const largestKwh = Math.max(...rows.map(({ energyKwh }) => energyKwh ?? 0));
  const largestKw = Math.max(...rows.map(({ peakKw }) => peakKw ?? 0));
  const columns: Column<Row>[] = [
    {
      id: 'device',
      header: tTerms('device'),
      kind: 'name',
      renderCell: ({ name, whole }) => (
        <>
          {name}
          {whole !== null && <span className="detail">{tTerms('partOf', { name: whole })}</span>}
        </>
      ),
    },
    { id: 'site', header: tTerms('site'), renderCell: ({ siteName }) => siteName },
    {
      id: 'energy',
      header: tDevices('importedColumn'),
      align: 'end',
      renderCell: ({ energyKwh }) => format.energy(energyKwh, largestKwh),
    },
    { id: 'share', header: tMoment('share'), align: 'end', renderCell: ({ share }) => format.percent(share, 1) },
    {
      id: 'peak',
      header: tDevices('peakColumn'),
      align: 'end',
      renderCell: ({ peakKw }) => (peakKw === null ? null : format.power(peakKw, largestKw)),
    },
    {
      id: 'peakAt',
      header: tDevices('peakAtColumn'),
      align: 'end',
      renderCell: ({ peakAt, timeZone: zone }) =>
        peakAt && <span className={classes.instant}>{format.dateTime(peakAt, zone)}</span>,
    },
  ];
  return (
    <Panel title={t('byDevice')} flush>
      <ResponsiveTable label={t('byDevice')} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </Panel>
  );
}
