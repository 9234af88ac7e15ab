import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { appInfoQuery } from '../../lib/app-info.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import menuClasses from '../../ui/MenuLink.module.css';
import classes from './SettingsPage.module.css';

/** The frame of the settings: a list of sections, each a page of its own under /settings. */
export function SettingsPage() {
  const t = useTranslations('settings');
  const isAdmin = useHasRole('Admin');
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  return (
    <>
      <PageHeader title={t('title')} />
      <div className={classes.layout}>
        <nav aria-label={t('sections.label')} className={classes.sections}>
          <Section heading={t('sections.personal')}>
            <SectionLink to="/settings/profile">{t('sections.profile')}</SectionLink>
            <SectionLink to="/settings/password">{t('sections.password')}</SectionLink>
          </Section>
          {runMode === 'Client' && (
            <Section heading={t('sections.energy')}>
              <SectionLink to="/settings/rates">{t('sections.rates')}</SectionLink>
            </Section>
          )}
          {isAdmin && (
            <Section heading={t('sections.administration')}>
              <SectionLink to="/settings/branding">{t('sections.branding')}</SectionLink>
              <SectionLink to="/settings/users">{t('sections.users')}</SectionLink>
              {runMode === 'Client' && <SectionLink to="/settings/api-keys">{t('sections.apiKeys')}</SectionLink>}
              {runMode === 'Client' && <SectionLink to="/settings/incoming">{t('sections.incoming')}</SectionLink>}
              {runMode === 'Client' && <SectionLink to="/settings/history">{t('sections.history')}</SectionLink>}
              {runMode === 'Client' && <SectionLink to="/settings/fleet-push">{t('sections.fleetPush')}</SectionLink>}
              <SectionLink to="/settings/dashboards">{t('sections.dashboards')}</SectionLink>
              <SectionLink to="/settings/configuration">{t('sections.configuration')}</SectionLink>
              <SectionLink to="/settings/audit">{t('sections.audit')}</SectionLink>
            </Section>
          )}
        </nav>
        <div className={classes.content}>
          <Outlet />
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

type SectionPath =
  | '/settings/profile'
  | '/settings/password'
  | '/settings/rates'
  | '/settings/branding'
  | '/settings/users'
  | '/settings/api-keys'
  | '/settings/incoming'
  | '/settings/history'
  | '/settings/fleet-push'
  | '/settings/dashboards'
  | '/settings/configuration'
  | '/settings/audit';

function SectionLink({ to, children }: { to: SectionPath; children: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  const isOpen = useLocation({ select: ({ pathname }) => pathname === to });

  // On a small screen the sections are one line that scrolls sideways.
  useEffect(() => {
    if (isOpen) link.current?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [isOpen]);

  return (
    <li>
      <Link to={to} ref={link} className={menuClasses.link}>
        {children}
      </Link>
    </li>
  );
}
