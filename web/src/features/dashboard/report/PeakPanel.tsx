import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { ResponsiveTable } from '../../../ui/ResponsiveTable.tsx';
import { ChartPlace } from '../ChartPlace.tsx';
import { drawnBy } from '../moment.ts';
import { momentQuery } from '../queries.ts';
import type { DashboardSearch } from '../search.ts';

interface PeakPanelProps {
  search: DashboardSearch;
  summary: DashboardSummary;
  devices: readonly DeviceWithSite[];
  timeZone: string;
}

const quarterMs = 15 * 60_000;
const most = 5;

/** When the peak demand was, and who drew most of it. */
export function PeakPanel({ search, summary: { peakAt, peakPowerKw }, devices, timeZone }: PeakPanelProps) {
  const t = useTranslations('report');
  const tTerms = useTranslations('terms');
  const tMoment = useTranslations('dashboard.moment');
  const format = useFormat();
  const fromMs = Date.parse(peakAt ?? '');
  const drawn = useQuery({
    ...momentQuery(search, { fromMs, toMs: fromMs + quarterMs }),
    enabled: peakAt !== null && devices.length > 1,
  });
  if (peakAt === null || peakPowerKw === null || devices.length < 2) return null;
  const share = (powerKw: number) => (powerKw < 0 || peakPowerKw <= 0 ? null : powerKw / peakPowerKw);
  return (
    <Panel
      title={t('peak', { power: format.power(peakPowerKw), time: format.dateTime(peakAt, timeZone) })}
      description={t('peakNote')}
      flush
    >
      <ChartPlace query={drawn} height={220}>
        {(answer) => (
          <ResponsiveTable
            label={tMoment('table')}
            rows={drawnBy(answer.devices.series, devices).slice(0, most)}
            rowKey={({ device }) => device.id}
            columns={[
              { id: 'device', header: tTerms('device'), kind: 'name', renderCell: ({ device }) => device.name },
              { id: 'site', header: tTerms('site'), renderCell: ({ device }) => device.siteName },
              {
                id: 'power',
                header: tTerms('power'),
                align: 'end',
                renderCell: ({ powerKw }) => format.power(powerKw),
              },
              {
                id: 'share',
                header: tMoment('share'),
                align: 'end',
                renderCell: ({ powerKw }) => format.percent(share(powerKw), 1),
              },
            ]}
          />
        )}
      </ChartPlace>
    </Panel>
  );
}
