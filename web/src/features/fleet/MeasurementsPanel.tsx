import { useTranslations } from 'use-intl';
import type { CustomerDetail } from '../../../../shared/fleet.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { ListPanel } from './ListPanel.tsx';

type Measurement = CustomerDetail['measurements'][number];

/** The last measurements by time. */
export function MeasurementsPanel({ measurements }: { measurements: readonly Measurement[] }) {
  const t = useTranslations('fleet.customer.measurements');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const zone = browserTimeZone();
  const figure = (text: string) => <span className="figures">{text}</span>;
  const columns: Column<Measurement>[] = [
    {
      id: 'device',
      header: tTerms('device'),
      kind: 'name',
      renderCell: ({ deviceName }) => deviceName ?? t('unknownDevice'),
    },
    { id: 'site', header: tTerms('site'), isMinor: true, renderCell: ({ siteName }) => siteName },
    { id: 'time', header: tTerms('time'), renderCell: ({ time }) => figure(format.dateTimeSeconds(time, zone)) },
    {
      id: 'power',
      header: tTerms('power'),
      align: 'end',
      renderCell: ({ activePowerKw }) => figure(format.power(activePowerKw)),
    },
    {
      id: 'imported',
      header: t('columns.imported'),
      align: 'end',
      // As the meter shows it: a thousand times as much tells no reading from the next.
      renderCell: ({ energyImportedKwh }) =>
        energyImportedKwh === null ? null : figure(`${format.number(energyImportedKwh, 3)}\u00A0kWh`),
    },
  ];
  return (
    <ListPanel
      title={t('title')}
      description={measurements.length === 0 ? undefined : t('description', { count: measurements.length })}
      empty={t('empty')}
      columns={columns}
      rows={measurements}
      rowKey={({ deviceId, time }) => `${deviceId} ${time}`}
    />
  );
}
