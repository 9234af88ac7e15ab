import { useTranslations } from 'use-intl';
import { isAhead } from '../../../shared/time.ts';
import { useFormat } from './use-format.ts';

/** The age of the newest reading in words. If the reading is in the future: a note that the clock of the device is ahead. */
export function useReadingAge(): (at: string, nowMs: number) => string {
  const t = useTranslations('common');
  const format = useFormat();
  return (at, nowMs) => {
    const age = format.age(at, nowMs);
    return isAhead(at, nowMs) ? t('clockAhead', { age }) : age;
  };
}
