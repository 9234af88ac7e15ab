import { useMatches, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useBranding } from '../lib/branding.ts';

/** Sets the document title, and on a new page tells screen readers its name and moves focus to the content. */
export function RouteAnnouncer() {
  const t = useTranslations('shell');
  const { applicationName } = useBranding();
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const key = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title,
  });
  const title = key === undefined ? applicationName : `${t(key)} · ${applicationName}`;
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
