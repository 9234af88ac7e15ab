import { Skeleton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Device, SiteWithDevices } from '../../../../shared/sites.ts';
import { unknownValue } from '../../lib/format.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { useReadingAge } from '../../lib/use-reading-age.ts';
import { deviceState } from '../../lib/live-state.ts';
import { Figure, Figures } from '../../ui/Figures.tsx';
import { siteState } from './site-state.ts';

interface SiteFiguresProps {
  site: SiteWithDevices;
  /** kW; null where nothing is measured now, undefined while that is loading. */
  powerOf: (device: Device) => number | null | undefined;
}

/** The site at a glance. */
export function SiteFigures({ site, powerOf }: SiteFiguresProps) {
  const t = useTranslations('sites.page');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const readingAge = useReadingAge();
  const nowMs = useNow(10_000);
  const isLoading = site.devices.some((device) => powerOf(device) === undefined);
  const { counts, currentPowerKw, lastMeasuredAt } = siteState(
    site.devices.map((device) => ({
      state: deviceState(device, nowMs),
      currentPowerKw: powerOf(device) ?? null,
      parentDeviceId: device.parentDeviceId,
      lastMeasuredAt: device.lastMeasuredAt,
    })),
  );
  const notes = [
    counts.silent > 0 ? tTerms('silentCount', { count: counts.silent }) : null,
    counts.noData > 0 ? tTerms('withoutData', { count: counts.noData }) : null,
    counts.off > 0 ? t('switchedOff', { count: counts.off }) : null,
  ].filter((note) => note !== null);

  return (
    <Figures>
      <Figure label={tTerms('powerNow')}>
        {isLoading ? <Skeleton height={22} width={96} my={5} /> : format.power(currentPowerKw)}
      </Figure>
      <Figure
        label={tTerms('lastReading')}
        note={lastMeasuredAt === null ? t('noReading') : format.dateTime(lastMeasuredAt, site.timeZone)}
      >
        {lastMeasuredAt === null ? unknownValue : readingAge(lastMeasuredAt, nowMs)}
      </Figure>
      <Figure
        label={tTerms('devices')}
        note={notes.length === 0 ? t('allReport') : notes.join(' · ')}
        isWarning={counts.silent > 0}
      >
        {tTerms('activeCount', { count: counts.live + counts.silent + counts.noData })}
      </Figure>
    </Figures>
  );
}
