import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { appInfoQuery } from '../lib/app-info.ts';
import { useCurrentUser } from '../lib/current-user.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import menuClasses from '../ui/MenuLink.module.css';
import { sectionsOf } from './settings-sections.ts';
import classes from './SettingsPage.module.css';

/** The frame of the settings: a list of sections, each a page of its own under /settings. */
export function SettingsPage() {
  const t = useTranslations('settings');
  const tShell = useTranslations('shell');
  const roles = useCurrentUser()?.roles ?? [];
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  const groups = Map.groupBy(sectionsOf({ runMode, roles }), ({ group }) => group);
  return (
    <>
      <PageHeader title={tShell('settings')} />
      <div className={classes.layout}>
        <nav aria-label={t('sections.label')} className={`${classes.sections} screen-only`}>
          {[...groups].map(([group, sections]) => (
            <Section key={group} heading={t(`sections.${group}`)}>
              {sections.map(({ to, name }) => (
                <SectionLink key={to} to={to}>
                  {t(`sections.${name}`)}
                </SectionLink>
              ))}
            </Section>
          ))}
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

function SectionLink({ to, children }: { to: ReturnType<typeof sectionsOf>[number]['to']; children: string }) {
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
