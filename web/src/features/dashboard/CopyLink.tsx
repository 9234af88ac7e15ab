import { useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { fixedSearchOf, type TimeRange } from '../../lib/time-range.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import type { DashboardSearch } from './search.ts';

interface CopyLinkProps {
  search: DashboardSearch;
  range: TimeRange;
  timeZone: string;
}

/** Copies a link to exactly what is shown: choice, zoom and all, with the range as it is today. */
export function CopyLink({ search, range, timeZone }: CopyLinkProps) {
  const t = useTranslations('common');
  const router = useRouter();
  // A preset would mean another range tomorrow, and a zone that follows from the sites another one when they change.
  const { range: _preset, ...view } = search;
  const link = router.buildLocation({
    to: '/dashboard',
    search: { ...view, ...fixedSearchOf(range, timeZone), tz: timeZone },
  });
  return (
    <CopyButton
      size="sm"
      text={new URL(link.href, window.location.origin).href}
      label={t('copyLinkLong')}
      caption={t('copyLink')}
    />
  );
}
