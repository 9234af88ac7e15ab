import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Sparkline } from '../../../charts/Sparkline.tsx';
import { Figure } from './Figure.tsx';
import { recentBucket, recentPoints } from '../figures.ts';
import { comparisonQuery, recentHours, recentPowerQuery } from '../queries.ts';
import { MainTiles } from './RangeTiles.tsx';
import classes from './Tiles.module.css';
import type { DashboardSearch } from '../search.ts';

interface StatTilesProps {
  search: DashboardSearch;
  timeZone: string;
  isLive: boolean;
  summary: DashboardSummary;
  devices: readonly DeviceWithSite[];
  /** The displayed numbers are still those of the previous range. */
  isStale: boolean;
  /** The link to the tariffs, shown after unpriced energy. */
  ratesLink: ReactNode;
  onExplain: () => void;
  onWhy: (currency: string) => void;
}

const hourMs = 3_600_000;

/** The figures at the head of the Overview: the current power, and the energy and cost of the range. */
export function StatTiles(props: StatTilesProps) {
  const { search, timeZone, isLive, summary, devices } = props;
  const t = useTranslations('dashboard');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const nowMs = useNow(10_000);
  const bucket = recentBucket(devices);
  const recent = useQuery(recentPowerQuery(search, bucket));
  const comparison = useQuery(comparisonQuery(search, timeZone, isLive));
  const points = recentPoints(recent.data, summary.currentPowerKw, nowMs);

  return (
    <dl className={classes.tiles}>
      <div className={classes.power}>
        <Figure label={tTerms('powerNow')} {...format.figure(summary.currentPowerKw, 'kW')} size="main">
          {t('currentDevices', { current: summary.currentDeviceCount, active: summary.activeDeviceCount })}
        </Figure>
        <dd className={classes.spark}>
          <Sparkline
            points={points}
            from={nowMs - recentHours * hourMs}
            to={nowMs}
            bridge={1.5 * hourMs}
            label={t('recentPower', { hours: recentHours })}
          />
          <span className={classes.sparkNote} aria-hidden>
            {t('lastHours', { hours: recentHours })}
          </span>
        </dd>
      </div>
      <MainTiles {...props} comparison={comparison.isError ? undefined : comparison.data} />
    </dl>
  );
}
