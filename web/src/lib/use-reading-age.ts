import { useTranslations } from 'use-intl';
import { isAhead } from './live-state.ts';
import { useFormat } from './use-format.ts';

/** How long ago a newest reading was, in words; of one that lies ahead, that a clock does. */
export function useReadingAge(): (at: string, nowMs: number) => string {
  const t = useTranslations('common');
  const format = useFormat();
  return (at, nowMs) => {
    const age = format.age(at, nowMs);
    return isAhead(at, nowMs) ? t('clockAhead', { age }) : age;
  };
}
