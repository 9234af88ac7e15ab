import { useTranslations } from 'use-intl';

/** Minutes as "26 h 40 min". */
export function useDuration(): (minutes: number) => string {
  const t = useTranslations('rates.duration');
  return (total) => {
    const [hours, minutes] = [Math.floor(total / 60), total % 60];
    return minutes === 0 ? t('hours', { hours }) : t('hoursMinutes', { hours, minutes });
  };
}
