import { useMatches, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useBranding } from '../lib/branding.ts';
import { useNamedPageTitle } from '../lib/page-title.ts';

/** Sets the document title. On a new page it announces the name to screen readers and moves focus to the content. */
export function RouteAnnouncer() {
  const title = useTitle();
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const arrivedAt = useRef<string | undefined>(undefined);

  useEffect(() => {
    document.title = title;
  }, [title]);

  useEffect(() => {
    if (path === undefined || path === arrivedAt.current) return;
    const isFirst = arrivedAt.current === undefined;
    arrivedAt.current = path;
    if (!isFirst) document.getElementById('content')?.focus({ preventScroll: true });
  }, [path]);

  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic>
      {title}
    </div>
  );
}

/** From the particular to the general: a site's or section's name, the page, the application. */
function useTitle(): string {
  const t = useTranslations('shell');
  const tSection = useTranslations('settings.sections');
  const { applicationName } = useBranding();
  const name = useNamedPageTitle();
  const { page, section } = useMatches({
    select: (matches) => ({
      page: matches.findLast(({ staticData }) => staticData.title)?.staticData.title,
      section: matches.findLast(({ staticData }) => staticData.section)?.staticData.section,
    }),
    structuralSharing: true,
  });
  const parts = [name, section && tSection(section), page && t(page), applicationName];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}
