import { Alert, Menu } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconPencil, IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { MunicipalityWithTariffs } from '../../../../shared/rates.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { utcOffset } from '../../lib/time-zones.ts';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import type { DeletedTariff } from './DeleteDialogs.tsx';
import { addDays, dateAt, utcMs } from './local-dates.ts';
import { findDateOverlaps, findGaps, type DateSpan } from './tariff-timeline.ts';
import { TariffTimeline } from './TariffTimeline.tsx';
import classes from './RatesSection.module.css';

interface MunicipalityRatesProps {
  municipality: MunicipalityWithTariffs;
  isAdmin: boolean;
  onEdit: (municipality: MunicipalityWithTariffs) => void;
  onDelete: (municipality: MunicipalityWithTariffs) => void;
  onDeleteTariff: (deleted: DeletedTariff) => void;
}

/** One municipality: the problems of its tariffs, and the dates on which each tariff applies. */
export function MunicipalityRates({ municipality, isAdmin, onEdit, onDelete, onDeleteTariff }: MunicipalityRatesProps) {
  const t = useTranslations('rates');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const nowMs = useNow(60_000);
  const headingId = useId();
  const { id, name, timeZone, tariffs } = municipality;
  const today = dateAt(nowMs, timeZone);

  return (
    <section className={classes.municipality} aria-labelledby={headingId}>
      <div className={classes.head}>
        <div className={classes.heading}>
          <h3 id={headingId} className={classes.name}>
            {name}
          </h3>
          <p className={`${classes.zone} figures`}>
            {timeZone.replaceAll('_', ' ')} · <span className={classes.offset}>{utcOffset(timeZone, nowMs)}</span>
          </p>
        </div>
        {isAdmin && (
          <div className={`${classes.actions} screen-only`}>
            <LinkButton
              to="/settings/rates/new"
              search={{ municipality: id }}
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} stroke={1.75} aria-hidden />}
              aria-label={t('newTariffFor', { name })}
            >
              {tTerms('newTariff')}
            </LinkButton>
            <RowMenu label={tTerms('actionsFor', { name })}>
              <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(municipality)}>
                {tCommon('edit')}
              </Menu.Item>
              <DeleteItem onClick={() => onDelete(municipality)}>{tCommon('delete')}</DeleteItem>
            </RowMenu>
          </div>
        )}
      </div>
      {tariffs.length === 0 ? (
        <p className={classes.none}>{t(isAdmin ? 'noTariffs.admin' : 'noTariffs.user')}</p>
      ) : (
        <>
          <Warnings municipality={municipality} today={today} />
          <TariffTimeline municipality={municipality} today={today} isAdmin={isAdmin} onDelete={onDeleteTariff} />
        </>
      )}
    </section>
  );
}

/** The dates without a price, and the dates with two prices. */
function Warnings({ municipality: { tariffs }, today }: { municipality: MunicipalityWithTariffs; today: string }) {
  const t = useTranslations('rates.warnings');
  const format = useFormat();
  const gaps = findGaps(tariffs, today);
  const overlaps = findDateOverlaps(tariffs, today);
  const day = (date: string) => format.date(utcMs(date), 'UTC');
  const spanText = ({ from, to }: DateSpan) =>
    to === null
      ? t('from', { from: day(from) })
      : addDays(from, 1) === to
        ? t('on', { day: day(from) })
        : t('fromTo', { from: day(from), to: day(addDays(to, -1)) });
  return (
    <>
      {gaps.length > 0 && (
        <Alert role="note" color="yellow" icon={<IconAlertTriangle aria-hidden />} className={classes.alert}>
          {t('gap', { spans: format.list(gaps.map(spanText)) })}
        </Alert>
      )}
      {overlaps.length > 0 && (
        <Alert role="note" color="gray" icon={<IconInfoCircle aria-hidden />} className={classes.alert}>
          {overlaps.map(({ earlier, later, ...span }) => (
            <p key={`${earlier.id} ${later.id}`} className={classes.line}>
              {t('overlap', { span: spanText(span), earlier: earlier.name, later: later.name })}
            </p>
          ))}
        </Alert>
      )}
    </>
  );
}
