import { CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconGauge } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import { isFound } from '../../../lib/chosen-devices.ts';
import type { CsvTable } from '../../../lib/csv.ts';
import { sitesQuery } from '../../../lib/sites.ts';
import { linkedRange, resolveTimeRange, type TimeRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { CsvButton } from '../../../charts/TableToggle.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { rangeLabel } from '../../../ui/time-range/range-label.ts';
import { numberColumn, VirtualTable, type VirtualColumn } from '../../../ui/virtual-table/VirtualTable.tsx';
import { ChartPlace } from './ChartPlace.tsx';
import classes from '../Dashboard.module.css';
import { countedAt, drawnBy, drawnPower, leavesOutFeedIn, type Drawn } from './moment.ts';
import { momentQuery } from '../queries.ts';
import type { DashboardSearch } from '../search.ts';

interface MomentPanelProps {
  search: DashboardSearch;
  moment: TimeRange;
  timeZone: string;
  devices: readonly DeviceWithSite[];
  summary: DashboardSummary;
  onClose: () => void;
}

const maxHeight = 420;
/** A list shorter than this needs no search. */
const searchedFrom = 15;

/** The power of each device in a quarter-hour or hour. Lists every device that measured then, the highest power first. */
export function MomentPanel({ search, moment, timeZone, devices: chosen, summary, onClose }: MomentPanelProps) {
  const t = useTranslations('dashboard.moment');
  const tTerms = useTranslations('terms');
  const tDevices = useTranslations('dashboard.deviceEnergy');
  const format = useFormat();
  const [text, setText] = useState('');
  const sites = useQuery(sitesQuery).data ?? [];
  const range = resolveTimeRange(search, timeZone, useNow(60_000));
  const { choice, devices } = countedAt(moment, range, timeZone, { choice: search, devices: chosen, sites });
  const drawn = useQuery(momentQuery(choice, moment));
  const title = t('title', { time: rangeLabel(moment, timeZone, format) });
  const all = useMemo(
    () => (drawn.data === undefined ? [] : drawnBy(drawn.data.devices, devices, summary.devices)),
    [drawn.data, devices, summary.devices],
  );
  const total = drawn.data === undefined ? null : drawnPower(drawn.data.total.series[0], drawn.data.total.bucket);
  const isImport = drawn.data !== undefined && leavesOutFeedIn(drawn.data.total.bucket, total, all);
  const shareOf = (powerKw: number) => (total === null || total <= 0 || powerKw < 0 ? null : powerKw / total);
  const csv = (): CsvTable => ({
    name: title,
    header: [tTerms('device'), tTerms('site'), tDevices('partOfColumn'), `${tTerms('power')} (kW)`, t('share')],
    rows: all.map(({ device, whole, powerKw }) => [device.name, device.siteName, whole, powerKw, shareOf(powerKw)]),
  });
  const height = Math.min(maxHeight, devices.length * 34 + 56);
  return (
    <div className={classes.panel}>
      <Panel
        title={title}
        actions={
          <>
            {all.length > 0 && <CsvButton table={csv} />}
            <CloseButton aria-label={t('close')} onClick={onClose} />
          </>
        }
      >
        <ChartPlace query={drawn} height={height}>
          {() => {
            const found = text.trim() === '' ? all : all.filter(({ device }) => isFound(device, text));
            const columns: VirtualColumn<Drawn>[] = [
              {
                id: 'device',
                header: tTerms('device'),
                minRem: 9,
                isSticky: true,
                cell: ({ device }) => linkTo(device, search),
              },
              { id: 'site', header: tTerms('site'), minRem: 8, cell: ({ device }) => device.siteName },
              ...(all.some(({ whole }) => whole !== null)
                ? [{ id: 'partOf', header: tDevices('partOfColumn'), minRem: 8, cell: ({ whole }: Drawn) => whole }]
                : []),
              numberColumn('power', tTerms('power'), 'kW', ({ powerKw }) => format.number(powerKw)),
              numberColumn('share', t('share'), '', ({ powerKw }) => format.percent(shareOf(powerKw), 1)),
            ];
            if (all.length === 0) {
              return (
                <EmptyState icon={<IconGauge size={22} stroke={1.75} />} title={t('nothing')}>
                  {t('nothingText')}
                </EmptyState>
              );
            }
            return (
              <>
                {all.length >= searchedFrom && (
                  <SearchField label={tTerms('searchDevices')} value={text} onChange={setText} found={found.length} />
                )}
                <VirtualTable
                  label={t('table')}
                  columns={columns}
                  rowCount={found.length}
                  getRow={(index) => found[index]}
                  height={Math.min(height, found.length * 34 + 56)}
                />
                <p className={classes.note}>
                  {t(isImport ? 'sumImport' : 'sum', { power: format.power(total), count: all.length })}
                  {all.length < devices.length && ` ${t('unknown', { count: devices.length - all.length })}`}
                </p>
              </>
            );
          }}
        </ChartPlace>
      </Panel>
    </div>
  );
}

const linkTo = ({ id, siteId, name }: DeviceWithSite, search: DashboardSearch) => (
  <LinkAnchor to="/sites/$siteId/devices/$deviceId" params={{ siteId, deviceId: id }} search={linkedRange(search)}>
    {name}
  </LinkAnchor>
);
