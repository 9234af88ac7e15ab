import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DataQuality } from '../../../../../shared/data-quality.ts';
import { dataQualityQuery } from '../../../entities/data-quality.ts';
import { useHasDaysOf } from '../../../lib/sites.ts';
import { linkedRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { usePrinting } from '../../../ui/printing.tsx';
import { countOfSlots, sumOfSlots } from '../../../entities/quality-spans.ts';
import { QualityStrip, QualityFailures } from '../../../entities/QualityStrip.tsx';
import type { ResolvedTimeRange } from '../../../ui/time-range/use-time-range.ts';
import { ChartPlace } from './ChartPlace.tsx';
import classes from './QualityPanel.module.css';
import { flagTotals, measuredShare, troubledDevices } from './quality.ts';
import type { DashboardSearch } from '../search.ts';

interface QualityPanelProps {
  search: DashboardSearch;
  range: ResolvedTimeRange;
  timeZone: string;
}

const placeHeight = 330;
/** The number of devices at first, the worst ones. The others are loaded on demand. */
const fewDevices = 5;

/** The completeness of the range and its anomalies: by day, by kind and by device. */
export function QualityPanel({ search, range, timeZone }: QualityPanelProps) {
  const tQuality = useTranslations('quality');
  const quality = useQuery(dataQualityQuery(search, timeZone, range));
  return (
    <div className={classes.panel}>
      <Panel title={tQuality('title')}>
        <ChartPlace query={quality} height={placeHeight}>
          {(data) => (
            <>
              <QualityFailures devices={data.devices} timeZone={data.timeZone} />
              <OpenBalances balances={data.balances} />
              <Quality quality={data} search={search} />
            </>
          )}
        </ChartPlace>
      </Panel>
    </div>
  );
}

/** Main meters whose sub-meters measured more than they did, or lack readings. */
function OpenBalances({ balances }: Pick<DataQuality, 'balances'>) {
  const t = useTranslations('dashboard.quality');
  const format = useFormat();
  const isPrinting = usePrinting();
  if (balances.length === 0) return null;
  const shown = isPrinting ? balances : balances.slice(0, fewDevices);
  return (
    <ul className={classes.balances} aria-label={t('balances')}>
      {shown.map(({ deviceId, deviceName, siteName, isExceeded, notSubMeteredKwh, missingSlots }) => (
        <li key={deviceId}>
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
          <span>
            {isExceeded &&
              t('exceeded', { name: deviceName, site: siteName, energy: format.energy(-notSubMeteredKwh) })}{' '}
            {missingSlots > 0 && t('incomplete', { name: deviceName, site: siteName, count: missingSlots })}
          </span>
        </li>
      ))}
      {balances.length > shown.length && <li>{t('moreInExcel', { count: balances.length - shown.length })}</li>}
    </ul>
  );
}

interface QualityProps {
  quality: DataQuality;
  search: DashboardSearch;
}

function Quality({ quality, search }: QualityProps) {
  const t = useTranslations('dashboard.quality');
  const format = useFormat();
  const hasOneZone = useHasDaysOf(quality.timeZone);
  const daysZone = quality.fromDate === null || hasOneZone ? quality.timeZone : null;
  const flags = flagTotals(quality.devices);
  if (countOfSlots(sumOfSlots(quality.days)) === 0) {
    return (
      <EmptyState icon={<IconShieldCheck size={22} stroke={1.75} />} title={t('nothing')}>
        {t('nothingText')}
      </EmptyState>
    );
  }
  return (
    <>
      <QualityStrip days={quality.days} timeZone={daysZone} note={t('note')} />
      {flags.length > 0 && (
        <dl className={`${classes.figures} figures`} aria-label={t('flagsLabel')}>
          {flags.map(({ kind, count }) => (
            <div key={kind}>
              <dt>{t(`flags.${kind}`)}</dt>
              <dd>{format.integer(count)}</dd>
            </div>
          ))}
        </dl>
      )}
      <TroubledDevices devices={troubledDevices(quality.devices, format.compare)} search={search} />
    </>
  );
}

function TroubledDevices({ devices, search }: { devices: DataQuality['devices']; search: DashboardSearch }) {
  const t = useTranslations('dashboard.quality');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const [isAll, setIsAll] = useState(false);
  if (devices.length === 0) return null;
  const shown = isAll ? devices : devices.slice(0, fewDevices);
  return (
    <>
      <ul className={classes.devices} aria-label={t('devices')}>
        {shown.map(({ deviceId, deviceName, siteId, siteName, slots, counts }) => (
          <li key={deviceId}>
            <span className={classes.device}>
              <LinkAnchor
                to="/sites/$siteId/devices/$deviceId"
                params={{ siteId, deviceId }}
                search={linkedRange(search)}
                fw={500}
                c="inherit"
              >
                {deviceName}
              </LinkAnchor>
              <span className="detail">{siteName}</span>
            </span>
            <span className="figures">{t('measuredShare', { share: format.percent(measuredShare(slots), 1) })}</span>
            <span className={`${classes.flags} figures`}>
              {flagTotals([{ counts }]).map(({ kind, count }) => (
                <span key={kind}>{t('flagCount', { flag: t(`flags.${kind}`), count })}</span>
              ))}
            </span>
          </li>
        ))}
        {devices.length > shown.length && (
          <li className="paper-only">{t('otherDevices', { count: devices.length - shown.length })}</li>
        )}
      </ul>
      {devices.length > fewDevices && (
        <Button variant="subtle" size="compact-xs" onClick={() => setIsAll(!isAll)}>
          {isAll ? t('showFew') : tTerms('showAll', { count: devices.length })}
        </Button>
      )}
    </>
  );
}
