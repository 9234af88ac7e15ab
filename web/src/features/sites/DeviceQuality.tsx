import { IconCircleCheck, IconCircleDashed, IconChartLine } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DataQuality, QualityFlagKind, QualityFlag } from '../../../../shared/data-quality.ts';
import type { Device, Site } from '../../../../shared/sites.ts';
import { dataQualityQuery } from '../../entities/data-quality.ts';
import { useDisplayZone } from '../../lib/current-user.ts';
import { searchOfRange, type TimeRange, type TimeRangeSearch } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { NoReadingsInRange } from '../../entities/NoReadingsInRange.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { countOfSlots } from '../../entities/quality-spans.ts';
import { QualityStrip, QualityFailures } from '../../entities/QualityStrip.tsx';
import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import { TimeRangePicker } from '../../ui/time-range/TimeRangePicker.tsx';
import { useTimeRange } from '../../ui/time-range/use-time-range.ts';
import classes from './DeviceQuality.module.css';
import { countedKinds, rangeAround } from './quality-flags.ts';
import { Button } from '@mantine/core';
import { toInstant } from '../../../../shared/time.ts';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { ResponsiveTable, type Column } from '../../ui/ResponsiveTable.tsx';

interface QualityFlagsProps {
  deviceId: string;
  /** The flags, newest first. The portal lists only the latest. */
  flags: readonly QualityFlag[];
  /** The number of all flags. */
  count: number;
  timeZone: string;
}

const pageSize = 25;

/** All anomalies, newest first. Each has its effect and a link to the readings around it. */
function QualityFlags({ deviceId, flags, count, timeZone }: QualityFlagsProps) {
  const t = useTranslations('sites.quality');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const [limit, setLimit] = useState(pageSize);
  const shown = flags.slice(0, limit);

  const spanOf = ({ time, until }: QualityFlag) =>
    until === null
      ? format.dateTimeSeconds(time, timeZone)
      : format.dateTimeSpan(Date.parse(time), Date.parse(until), timeZone);
  const columns: Column<QualityFlag>[] = [
    {
      id: 'kind',
      header: t('columns.kind'),
      kind: 'name',
      renderCell: ({ kind }) => (
        <span className={classes.flag}>
          <span className={classes.flagKind}>{t(`kinds.${kind}`)}</span>
          <span className={classes.flagText}>{t(`explained.${kind}`)}</span>
        </span>
      ),
    },
    {
      id: 'time',
      header: tTerms('time'),
      renderCell: (flag) => (
        <time dateTime={flag.time} className="figures">
          {spanOf(flag)}
        </time>
      ),
    },
    {
      id: 'direction',
      header: t('columns.direction'),
      renderCell: ({ direction }) => (direction === null ? null : t(`directions.${direction}`)),
    },
    {
      id: 'energy',
      header: tTerms('energy'),
      align: 'end',
      renderCell: ({ energyKwh }) =>
        energyKwh === null ? null : <span className="figures">{format.energy(energyKwh)}</span>,
    },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (flag) => {
        const { fromMs, toMs } = rangeAround(flag);
        return (
          <LinkButton
            to="/measurements"
            search={{ devices: deviceId, from: toInstant(fromMs), to: toInstant(toMs) }}
            variant="subtle"
            size="compact-sm"
            aria-label={t('readingsAround', { time: spanOf(flag) })}
            leftSection={<IconChartLine size={16} stroke={1.75} aria-hidden />}
          >
            <span className={classes.linkText}>{tTerms('readings')}</span>
          </LinkButton>
        );
      },
    },
  ];
  return (
    <div className={classes.flags}>
      <p className={`${classes.shown} figures`}>{t('shown', { shown: shown.length, count })}</p>
      <div className={classes.flagTable}>
        <ResponsiveTable
          label={t('list')}
          columns={columns}
          rows={shown}
          rowKey={({ time, kind, direction }) => `${time} ${kind} ${direction}`}
        />
      </div>
      {flags.length > limit ? (
        <Button variant="default" className={classes.more} onClick={() => setLimit(limit + 4 * pageSize)}>
          {t('showMore')}
        </Button>
      ) : (
        count > flags.length && <p className={classes.shown}>{t('notListed')}</p>
      )}
    </div>
  );
}

const route = getRouteApi('/signed-in/client/sites/$siteId/devices/$deviceId');

/** How complete the readings of a range are, and their anomalies. */
export function DeviceQuality({ site, device }: { site: Site; device: Device }) {
  const t = useTranslations('sites.quality');
  const tQuality = useTranslations('quality');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const timeZone = useDisplayZone(search);
  const range = useTimeRange(search, timeZone);
  const query = dataQualityQuery({ ...search, devices: device.id }, timeZone, { isLive: range.isLive, hasFlags: true });
  const quality = useQuery({ ...query, placeholderData: keepPreviousData });
  const chooseRange = (next: TimeRangeSearch) => void navigate({ search: next, resetScroll: false });
  const showRange = (next: TimeRange) =>
    chooseRange({
      ...searchOfRange(next, timeZone, Date.now()),
      ...(search.tz === undefined ? {} : { tz: search.tz }),
    });
  const found = quality.data?.devices.find(({ deviceId }) => deviceId === device.id);

  return (
    <Panel
      title={tQuality('title')}
      description={t('description')}
      actions={<TimeRangePicker search={search} timeZone={timeZone} onChange={chooseRange} isSecond />}
    >
      {found !== undefined && <QualityFailures devices={[found]} timeZone={timeZone} />}
      <Loaded queries={[quality]} skeleton={<BlockSkeleton height={220} />}>
        {(data) =>
          found === undefined || countOfSlots(found.slots) === 0 ? (
            <EmptyState icon={<IconCircleDashed size={22} stroke={1.75} />} title={t('nothingToJudge')}>
              {t('nothingToJudgeText')}
            </EmptyState>
          ) : (
            <div className={classes.quality} data-stale={quality.isPlaceholderData || undefined}>
              {found.slots.measured + found.slots.interpolated === 0 ? (
                device.lastMeasuredAt !== null && (
                  <NoReadingsInRange
                    icon={<IconCircleDashed size={22} stroke={1.75} />}
                    range={range}
                    timeZone={timeZone}
                    lastMs={Date.parse(device.lastMeasuredAt)}
                    onRange={showRange}
                  />
                )
              ) : (
                <>
                  <QualityStrip days={data.days} timeZone={site.timeZone} />
                  <Flags
                    // Another range starts with its newest flags, of all kinds.
                    key={`${data.from} ${range.preset ?? data.to}`}
                    found={found}
                    timeZone={timeZone}
                  />
                </>
              )}
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Flags({ found, timeZone }: { found: DataQuality['devices'][number]; timeZone: string }) {
  const t = useTranslations('sites.quality');
  const format = useFormat();
  const [only, setOnly] = useState<QualityFlagKind | null>(null);
  const kinds = countedKinds(found.counts);
  if (kinds.length === 0) {
    return (
      <p className={classes.calm}>
        <IconCircleCheck size={20} stroke={1.75} aria-hidden />
        <span>
          <b>{t('nothingOdd')}.</b> {found.slots.missing === 0 ? t('complete') : t('onlyMissing')}
        </span>
      </p>
    );
  }
  const chosen = kinds.some(({ kind }) => kind === only) ? only : null;
  const count = kinds.reduce((sum, one) => (chosen === null || one.kind === chosen ? sum + one.count : sum), 0);
  const flags = chosen === null ? found.flags : found.flags.filter(({ kind }) => kind === chosen);
  return (
    <>
      <div role="group" aria-label={t('kindsLabel')} className={classes.kinds}>
        {kinds.map((one) => (
          <button
            key={one.kind}
            type="button"
            className={classes.kind}
            aria-pressed={one.kind === chosen}
            onClick={() => setOnly(one.kind === chosen ? null : one.kind)}
          >
            {t(`kinds.${one.kind}`)} <span className="figures">{format.integer(one.count)}</span>
          </button>
        ))}
      </div>
      <QualityFlags key={chosen} deviceId={found.deviceId} flags={flags} count={count} timeZone={timeZone} />
    </>
  );
}
