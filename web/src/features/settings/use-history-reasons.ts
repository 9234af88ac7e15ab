import { useTranslations } from 'use-intl';
import type { JudgedHistoryRow } from './history-rows.ts';

/** Says why a row of a file cannot be sent. */
export function useHistoryReasons() {
  const t = useTranslations('settings.history');
  return ({ problem, field }: Extract<JudgedHistoryRow, { problem: unknown }>): string =>
    t(`problems.${problem}`, { field: t(`fields.${field}`) });
}
