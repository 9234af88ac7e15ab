import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { appInfoQuery } from '../lib/app-info.ts';
import { useCurrentUser } from '../lib/current-user.ts';
import { pagesOf } from './navigation.ts';
import { useKeptChoice, useKeptRange } from './use-kept-range.ts';
import classes from './MainNavigation.module.css';

/** The pages of the run mode: a column beside the page, a bar at its foot on small screens. */
export function MainNavigation() {
  const t = useTranslations('shell');
  const range = useKeptRange();
  const choice = useKeptChoice();
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  const roles = useCurrentUser()?.roles ?? [];
  return (
    <nav aria-label={t('mainNavigation')} className={classes.navigation}>
      <ul className={classes.list}>
        {pagesOf(runMode, roles).map(({ to, label, icon: Icon, hasTimeRange }) => (
          <li key={to}>
            <Link
              to={to}
              search={to === '/dashboard' ? { ...range, ...choice } : hasTimeRange ? range : {}}
              activeOptions={{ includeSearch: false }}
              className={classes.item}
            >
              <Icon size={18} stroke={1.75} aria-hidden className={classes.icon} />
              <span className={`${classes.label} one-line`}>{t(label)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
