import { useTranslations } from 'use-intl';
import { StatusChip } from '../../ui/StatusChip.tsx';
import type { SiteState } from './site-state.ts';
import classes from './SiteStateChips.module.css';

/** What the devices of a site are up to, trouble first. */
export function SiteStateChips({ counts }: Pick<SiteState, 'counts'>) {
  const t = useTranslations('sites.state');
  const tTerms = useTranslations('terms');
  const { live, silent, noData, off } = counts;
  const watched = live + silent + noData;
  if (watched === 0) return <StatusChip tone="quiet">{off === 0 ? tTerms('noDevices') : t('allOff')}</StatusChip>;
  return (
    <span className={classes.chips}>
      {silent > 0 && <StatusChip tone="warn">{t('someSilent', { count: silent, total: watched })}</StatusChip>}
      {silent === 0 && live > 0 && <StatusChip tone="good">{t('live')}</StatusChip>}
      {noData > 0 && (
        <StatusChip tone="quiet">
          {live + silent === 0 ? t('noData') : tTerms('withoutData', { count: noData })}
        </StatusChip>
      )}
    </span>
  );
}
