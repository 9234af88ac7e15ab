import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { openAlarmsQuery } from '../entities/alarms.ts';
import { useFormat } from '../lib/use-format.ts';
import classes from './MainNavigation.module.css';

const most = 99;

/** The number of unacknowledged alarms. Shows nothing if there are none. Loaded after the first paint. */
export function AlarmCount() {
  const t = useTranslations('alarms');
  const format = useFormat();
  const count = (useQuery(openAlarmsQuery).data ?? []).filter(({ state }) => state === 'firing').length;
  if (count === 0) return null;
  return (
    <>
      <span className={classes.count} aria-hidden>
        {count > most ? `${format.integer(most)}+` : format.integer(count)}
      </span>
      <span className="visually-hidden">{t('unacknowledged', { count })}</span>
    </>
  );
}
