import { Link } from '@tanstack/react-router';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { appInfoQuery } from '../lib/app-info.ts';
import { useBranding } from '../lib/branding.ts';
import { BrandMark } from '../ui/BrandMark.tsx';
import { useKeptChoice, useKeptRange } from './use-kept-range.ts';
import classes from './Brand.module.css';

/** Logo and name and, in Admin mode, the tag that distinguishes the fleet from a customer's portal. */
export function Brand() {
  const t = useTranslations('shell');
  const branding = useBranding();
  const range = useKeptRange();
  const choice = useKeptChoice();
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  return (
    <div className={classes.brand}>
      <Link
        to="/"
        search={{ ...range, ...choice }}
        className={classes.link}
        aria-label={t('homeOf', { name: branding.applicationName })}
      >
        <BrandMark branding={branding} size={28} />
        <span className={`${classes.name} one-line`}>{branding.applicationName}</span>
      </Link>
      {runMode === 'Admin' && <span className={classes.tag}>{t('fleetAdmin')}</span>}
    </div>
  );
}
