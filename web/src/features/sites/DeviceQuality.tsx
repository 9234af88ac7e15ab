import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DataQuality, QualityFlagKind } from '../../../../shared/data-quality.ts';
import type { Device, Site } from '../../../../shared/sites.ts';
import { dataQualityQuery } from '../../lib/data-quality.ts';
import { searchOfRange, type TimeRange, type TimeRangeSearch } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { NoReadingsInRange } from '../../ui/NoReadingsInRange.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { countOfSlots } from '../../ui/quality-spans.ts';
import { QualityFailures } from '../../ui/QualityFailures.tsx';
import { QualityStrip } from '../../ui/QualityStrip.tsx';
import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import { TimeRangePicker } from '../../ui/time-range/TimeRangePicker.tsx';
import { useTimeRange } from '../../ui/time-range/use-time-range.ts';
import classes from './DeviceQuality.module.css';
import { countedKinds } from './quality-flags.ts';
import { QualityFlags } from './QualityFlags.tsx';

const route = getRouteApi('/signed-in/client/sites/$siteId/devices/$deviceId');

/** How complete the readings of a range are, and everything that was odd about them. */
export function DeviceQuality({ site, device }: { site: Site; device: Device }) {
  const t = useTranslations('sites.quality');
  const tQuality = useTranslations('quality');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const timeZone = search.tz ?? site.timeZone;
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
      <Loaded query={quality} skeleton={<BlockSkeleton height={220} />}>
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
                    // Another range starts with its newest flags of all kinds.
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
