import { Menu } from '@mantine/core';
import { IconCalculator, IconCopyPlus, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { MunicipalityWithTariffs, Tariff } from '../../../../shared/rates.ts';
import { useFormat } from '../../lib/use-format.ts';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import { StatusChip, type StatusTone } from '../../ui/StatusChip.tsx';
import { calculatorAnchor } from './TryOnLoadLink.tsx';
import type { DeletedTariff } from './DeleteDialogs.tsx';
import { addDays, utcMs } from './local-dates.ts';
import {
  axisOf,
  forceSpans,
  shareOf,
  stateOf,
  ticksOf,
  type DateSpan,
  type TariffState,
  type TimeAxis,
} from './tariff-timeline.ts';
import classes from './TariffTimeline.module.css';

interface TariffTimelineProps {
  municipality: MunicipalityWithTariffs;
  /** In the time zone of the municipality. */
  today: string;
  isAdmin: boolean;
  onDelete: (deleted: DeletedTariff) => void;
}

const maxTicks = 6;
const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

/**
 * The tariffs as a list, the latest first. Each has a bar with its dates on one time line. The parts in which it applies are
 * filled.
 */
export function TariffTimeline({ municipality, today, isAdmin, onDelete }: TariffTimelineProps) {
  const t = useTranslations('rates.timeline');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const { tariffs, name } = municipality;
  const axis = axisOf(tariffs, today);
  // A label that starts further right would be beyond the edge.
  const ticks = ticksOf(axis, maxTicks).filter((tick) => shareOf(axis, tick) < 0.95);
  const spans = forceSpans(tariffs, axis.from);
  const hasYears = ticks.every((tick) => tick.endsWith('-01-01'));
  const tickLabel = (tick: string) =>
    tick.endsWith('-01-01') ? format.year(utcMs(tick), 'UTC') : format.monthShort(utcMs(tick), 'UTC');

  return (
    <div className={classes.timeline}>
      <div className={classes.axis} aria-hidden>
        <div className={classes.scale}>
          {ticks.map((tick) => (
            <span
              key={tick}
              className={classes.tick}
              data-year={(!hasYears && tick.endsWith('-01-01')) || undefined}
              style={{ left: percent(shareOf(axis, tick)) }}
            >
              {tickLabel(tick)}
            </span>
          ))}
          <span className={classes.today} style={{ left: percent(shareOf(axis, today)) }}>
            {tCommon('timeRange.today')}
          </span>
        </div>
      </div>
      <ul className={classes.list} aria-label={t('label', { name })}>
        {tariffs.map((tariff) => (
          <li key={tariff.id} className={classes.row}>
            <TariffText tariff={tariff} state={stateOf(tariff, tariffs, today)} />
            <div className={classes.track} aria-hidden>
              {ticks.map((tick) => (
                <span key={tick} className={classes.line} style={{ left: percent(shareOf(axis, tick)) }} />
              ))}
              <Bar axis={axis} span={datesOf(tariff)} kind={tariff.isActive ? 'valid' : 'off'} />
              {spans
                .filter((span) => span.tariff?.id === tariff.id)
                .map((span) => (
                  <Bar key={span.from} axis={axis} span={span} kind="inForce" />
                ))}
              <span className={classes.todayLine} style={{ left: percent(shareOf(axis, today)) }} />
            </div>
            <TariffMenu tariff={tariff} isAdmin={isAdmin} onDelete={onDelete} today={today} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const datesOf = ({ effectiveFrom, effectiveTo }: Tariff): DateSpan => ({ from: effectiveFrom, to: effectiveTo });

function Bar({ axis, span, kind }: { axis: TimeAxis; span: DateSpan; kind: 'valid' | 'off' | 'inForce' }) {
  const start = shareOf(axis, span.from);
  const end = shareOf(axis, span.to);
  if (end <= start) return null;
  return (
    <span
      className={classes.bar}
      data-kind={kind}
      data-open-start={span.from < axis.from || undefined}
      data-open-end={span.to === null || span.to > axis.to || undefined}
      style={{ left: percent(start), width: percent(end - start) }}
    />
  );
}

const tones: Record<TariffState, StatusTone> = {
  inForce: 'good',
  planned: 'quiet',
  ended: 'quiet',
  overruled: 'warn',
  off: 'quiet',
};

function TariffText({ tariff, state }: { tariff: Tariff; state: TariffState }) {
  const t = useTranslations('rates.timeline');
  const format = useFormat();
  const day = (date: string) => format.date(utcMs(date), 'UTC');
  const { id, name, effectiveFrom, effectiveTo, defaultRatePerKwh, currency, periods } = tariff;
  const rates = [defaultRatePerKwh, ...periods.map(({ ratePerKwh }) => ratePerKwh)];
  const lowest = Math.min(...rates);
  const highest = Math.max(...rates);
  return (
    <div className={classes.text}>
      <div className={classes.title}>
        <LinkAnchor to="/settings/rates/$tariffId" params={{ tariffId: id }} className={classes.name}>
          {name}
        </LinkAnchor>
        <StatusChip tone={tones[state]}>{t(`states.${state}`)}</StatusChip>
      </div>
      <span className={`${classes.facts} figures`}>
        {effectiveTo === null
          ? t('from', { from: day(effectiveFrom) })
          : t('fromTo', { from: day(effectiveFrom), to: day(addDays(effectiveTo, -1)) })}
      </span>
      <span className={`${classes.facts} figures`}>
        {lowest === highest
          ? format.pricePerKwh(lowest, currency)
          : t('rates', {
              lowest: format.pricePerKwh(lowest, currency),
              highest: format.pricePerKwh(highest, currency),
            })}
      </span>
    </div>
  );
}

interface TariffMenuProps {
  tariff: Tariff;
  today: string;
  isAdmin: boolean;
  onDelete: (deleted: DeletedTariff) => void;
}

function TariffMenu({ tariff, today, isAdmin, onDelete }: TariffMenuProps) {
  const t = useTranslations('rates');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const params = { tariffId: tariff.id };
  return (
    <div className={classes.menu}>
      <RowMenu label={tTerms('actionsFor', { name: tariff.name })}>
        {isAdmin && (
          <>
            <Menu.Item
              leftSection={<IconPencil size={16} stroke={1.75} />}
              renderRoot={(item) => <Link {...item} to="/settings/rates/$tariffId" params={params} />}
            >
              {tCommon('edit')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconCopyPlus size={16} stroke={1.75} />}
              renderRoot={(item) => (
                <Link
                  {...item}
                  to="/settings/rates/new"
                  search={{ municipality: tariff.municipalityId, copy: tariff.id }}
                />
              )}
            >
              {t('newVersion')}
            </Menu.Item>
          </>
        )}
        <Menu.Item
          leftSection={<IconCalculator size={16} stroke={1.75} />}
          renderRoot={(item) => (
            <Link {...item} to="/settings/rates/$tariffId" params={params} hash={calculatorAnchor} />
          )}
        >
          {t('tryOnLoad')}
        </Menu.Item>
        {isAdmin && (
          <DeleteItem onClick={() => onDelete({ tariff, hasPriced: tariff.effectiveFrom <= today })}>
            {tCommon('delete')}
          </DeleteItem>
        )}
      </RowMenu>
    </div>
  );
}
