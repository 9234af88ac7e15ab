import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import type { DeviceState } from '../../lib/live-state.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Sparkline } from '../../ui/charts/Sparkline.tsx';
import classes from './Dashboard.module.css';
import { countStates, recentPoints, sumOfAverages } from './figures.ts';
import { recentHours, recentPowerQuery } from './queries.ts';

interface StatTilesProps {
  summary: DashboardSummary;
  /** The state of each device by its id. */
  states: ReadonlyMap<string, DeviceState>;
  /** The numbers of the range belong to the range before. */
  isStale: boolean;
}

const hourMs = 3_600_000;

/** The figures at the head of the Dashboard: those of now, then those of the range. */
export function StatTiles({ summary, states, isStale }: StatTilesProps) {
  const t = useTranslations('dashboard');
  const format = useFormat();
  const nowMs = useNow(10_000);
  const recent = useQuery(recentPowerQuery);
  const counts = countStates(states.values());
  const active = states.size - counts.off;
  const points = recentPoints(recent.data, summary.currentPowerKw, nowMs);
  const averagePowerKw = sumOfAverages(summary);

  return (
    <dl className={classes.tiles}>
      <div className={classes.power}>
        <Figure label={t('currentPower')} value={format.number(summary.currentPowerKw)} unit="kW" isMain>
          {summary.currentPowerKw === null ? t('nothingNow') : null}
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
      <div className={classes.tile}>
        <Figure label={t('measuring')} value={t('measuringCount', { live: counts.live, active })}>
          <StateNote counts={counts} />
        </Figure>
      </div>
      <div className={classes.tile} data-stale={isStale}>
        <Figure label={t('averagePower')} value={format.number(averagePowerKw)} unit="kW">
          {t('ofRange')}
        </Figure>
      </div>
      <div className={classes.tile} data-stale={isStale}>
        <Figure label={t('powerFactor')} value={format.number(summary.averagePowerFactor, 3)}>
          {summary.averagePowerFactor === null ? t('noReactivePower') : t('ofRange')}
        </Figure>
      </div>
    </dl>
  );
}

interface FigureProps {
  label: string;
  value: string;
  unit?: string;
  isMain?: boolean;
  children?: ReactNode;
}

function Figure({ label, value, unit, isMain = false, children }: FigureProps) {
  return (
    <>
      <dt className={classes.label}>{label}</dt>
      <dd className={isMain ? `${classes.value} ${classes.main} figures` : `${classes.value} figures`}>
        {value}
        {unit !== undefined && <span className={classes.unit}> {unit}</span>}
      </dd>
      {children !== null && <dd className={classes.note}>{children}</dd>}
    </>
  );
}

function StateNote({ counts }: { counts: ReturnType<typeof countStates> }) {
  const t = useTranslations('dashboard.states');
  const { silent, noData, off } = counts;
  if (silent + noData + off === 0) return t('allWell');
  return (
    <>
      {silent > 0 && <span className={classes.silent}>{t('silent', { count: silent })}</span>}
      {noData > 0 && <span>{t('noData', { count: noData })}</span>}
      {off > 0 && <span>{t('off', { count: off })}</span>}
    </>
  );
}
