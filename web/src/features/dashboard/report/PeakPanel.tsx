import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import { sitesQuery } from '../../../lib/sites.ts';
import { resolveTimeRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { ResponsiveTable } from '../../../ui/ResponsiveTable.tsx';
import { ChartPlace } from '../ChartPlace.tsx';
import { countedAt, drawnBy } from '../moment.ts';
import { momentQuery } from '../queries.ts';
import type { DashboardSearch } from '../search.ts';

interface PeakPanelProps {
  search: DashboardSearch;
  summary: DashboardSummary;
  devices: readonly DeviceWithSite[];
  timeZone: string;
}

const quarterMs = 15 * 60_000;
const maxDevices = 5;

/** When the peak demand was, and who drew most of it. */
export function PeakPanel({ search, summary, devices: chosen, timeZone }: PeakPanelProps) {
  const { peakAt, peakPowerKw } = summary;
  const t = useTranslations('report');
  const tTerms = useTranslations('terms');
  const tMoment = useTranslations('dashboard.moment');
  const format = useFormat();
  const fromMs = Date.parse(peakAt ?? '');
  const moment = { fromMs, toMs: fromMs + quarterMs };
  const sites = useQuery(sitesQuery).data ?? [];
  const range = resolveTimeRange(search, timeZone, useNow(60_000));
  const { choice, devices } = countedAt(moment, range, timeZone, { choice: search, devices: chosen, sites });
  const drawn = useQuery({
    ...momentQuery(choice, moment),
    enabled: peakAt !== null && chosen.length > 1,
  });
  if (peakAt === null || peakPowerKw === null || chosen.length < 2) return null;
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
            rows={drawnBy(answer.devices, devices, summary.devices).slice(0, maxDevices)}
            rowKey={({ device }) => device.id}
            columns={[
              {
                id: 'device',
                header: tTerms('device'),
                kind: 'name',
                renderCell: ({ device, whole }) => (
                  <>
                    {device.name}
                    {whole !== null && <span className="detail">{tTerms('partOf', { name: whole })}</span>}
                  </>
                ),
              },
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
