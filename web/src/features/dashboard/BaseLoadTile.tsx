import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../lib/use-format.ts';
import { Figure } from './Figure.tsx';
import { baseLoadQuery } from './queries.ts';
import classes from './Tiles.module.css';
import type { DashboardSearch } from './search.ts';

interface BaseLoadTileProps {
  search: DashboardSearch;
  timeZone: string;
  isLive: boolean;
}

/** A line without a word. */
const placeOfNote = '\u00A0';

/** What runs when nobody is there, and what that costs a year. */
export function BaseLoadTile({ search, timeZone, isLive }: BaseLoadTileProps) {
  const t = useTranslations('dashboard.baseLoad');
  const format = useFormat();
  const { data, isLoadingError, isPlaceholderData } = useQuery(baseLoadQuery(search, timeZone, isLive));
  const tUsual = useTranslations('dashboard.usual');
  const { baseLoadKw = null, costs = [], unpricedKw = 0, nightCount = 0, devicesLeftOut = [] } = data ?? {};
  const aYear = format.list(costs.map(({ currency, perYear }) => format.moneyAbout(perYear, currency)));
  return (
    <div className={classes.tile} data-whole-row data-stale={isPlaceholderData}>
      <Figure label={t('title')} {...format.figure(baseLoadKw, 'kW')}>
        {isLoadingError
          ? t('failed')
          : data === undefined
            ? placeOfNote
            : baseLoadKw === null
              ? t('fewNights')
              : costs.length === 0
                ? t('nights', { count: nightCount })
                : t(costs.length === 1 ? 'cost' : 'severalCosts', { aYear, count: nightCount })}
        {costs.length > 0 &&
          unpricedKw > 0 &&
          `, ${t('unpriced', { power: format.power(unpricedKw, baseLoadKw ?? 0) })}`}
        {baseLoadKw !== null && devicesLeftOut.length > 0 && `, ${tUsual('without', { count: devicesLeftOut.length })}`}
      </Figure>
    </div>
  );
}
