import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import { dayMs } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import type { Comparison } from './queries.ts';
import { tooNewIn, usualDifference } from './usual.ts';

interface UsualNoteProps {
  summary: DashboardSummary;
  comparison: Comparison | null | undefined;
}

/** Whether a range, or what is over of it, took more energy than usual; nothing where too few weeks tell. */
export function UsualNote(props: UsualNoteProps) {
  const text = useUsual(props);
  return text === null ? null : <span>{text}</span>;
}

function useUsual({ summary, comparison }: UsualNoteProps): ReactNode {
  const t = useTranslations('dashboard.usual');
  const format = useFormat();
  const { usual = null, ranges, current = null } = comparison ?? {};
  if (usual === null || ranges === undefined || usual.energy === null || comparison?.isEmpty === true) return null;
  // Two instants are asked for as far as they are compared.
  const isWhole = ranges.isWhole || usual.fromDate === null;
  const { count, isMuch } = tooNewIn(usual, current ?? summary);
  if (isMuch) return t('unknown', { count });
  const difference = usualDifference(usual, current ?? summary, isWhole);
  if (difference === null) return null;
  const { share, weekCount: weeks } = difference;
  const isDay = usual.fromDate !== null && usual.toDate !== null && isNextDay(usual.fromDate, usual.toDate);
  const kind = share === 0 ? 'same' : share > 0 ? 'above' : 'below';
  const values = {
    b: emphasize,
    share: format.percent(Math.abs(share)),
    what: isDay ? format.weekdayName(`${usual.fromDate}T00:00:00Z`, 'UTC') : '',
    weeks,
    soFar: isWhole ? 'no' : 'yes',
  };
  const sentence = t.rich(`${kind}${isDay ? 'Day' : 'Range'}`, values);
  return count === 0 ? sentence : [sentence, ', ', t('without', { count })];
}

const isNextDay = (day: string, next: string) => Date.parse(next) - Date.parse(day) === dayMs;
const emphasize = (text: ReactNode) => <b>{text}</b>;
