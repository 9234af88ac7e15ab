import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { appInfoQuery } from '../lib/app-info.ts';
import { useCurrentUser } from '../lib/current-user.ts';
import { BackLink } from '../ui/BackLink.tsx';
import { PhoneZone } from '../ui/Freshness.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import menuClasses from '../ui/MenuLink.module.css';
import { sectionsOf } from './settings-sections.ts';
import classes from './SettingsPage.module.css';

/** The frame of the settings: a list of sections, each with a page of its own under /settings. A phone shows one of the two. */
export function SettingsPage() {
  const t = useTranslations('sections');
  const tShell = useTranslations('shell');
  const roles = useCurrentUser()?.roles ?? [];
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  const isNarrow = useIsNarrow();
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') });
  const isHome = path === '/settings';
  const all = sectionsOf({ runMode, roles });
  const groups = Map.groupBy(all, ({ group }) => group);
  const hasTimes = all.some((section) => section.to === path && 'hasTimes' in section);
  return (
    <>
      {isNarrow && !isHome && <BackLink to="/settings">{tShell('settings')}</BackLink>}
      <PageHeader title={tShell('settings')} {...(hasTimes && { freshness: <PhoneZone /> })} />
      <div className={classes.layout}>
        {(!isNarrow || isHome) && (
          <nav aria-label={t('label')} className={`${classes.sections} screen-only`}>
            {[...groups].map(([group, sections]) => (
              <Section key={group} heading={t(group)}>
                {sections.map(({ to, name }) => (
                  <li key={to}>
                    <Link to={to} className={menuClasses.link}>
                      {t(name)}
                    </Link>
                  </li>
                ))}
              </Section>
            ))}
          </nav>
        )}
        <div className={classes.content}>
          {isHome && !isNarrow ? <Navigate to="/settings/profile" replace /> : <Outlet />}
        </div>
      </div>
    </>
  );
}

function Section({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className={classes.section}>
      <span className={classes.heading}>{heading}</span>
      <ul className={classes.list}>{children}</ul>
    </div>
  );
}
