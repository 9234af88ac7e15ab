import { Tooltip, Alert } from '@mantine/core';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Format } from '../../../shared/format.ts';
import { useFormat } from '../lib/use-format.ts';
import { TableToggle } from '../charts/TableToggle.tsx';
import {
  countOfSlots,
  dateMs,
  maxSlots,
  qualitySpans,
  qualityStates,
  shownShare,
  sumOfSlots,
  type QualityDay,
  type QualitySpan,
} from './quality-spans.ts';
import classes from './QualityStrip.module.css';
import { VirtualTable, type VirtualColumn } from '../ui/virtual-table/VirtualTable.tsx';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { DataQuality } from '../../../shared/data-quality.ts';

interface QualityStripProps {
  /** The days, in the order of their dates. Days without a quarter-hour so far may be included. */
  days: readonly QualityDay[];
  /** The time zone of the days; null if each site has its own. */
  timeZone: string | null;
  /** An additional line below the columns and their table. */
  note?: string;
}

/** As many columns as fit on 390 px. */
const maxColumns = 124;
const tableHeight = 320;

/**
 * How much of each day is measured, interpolated or missing. Shows the total shares, a column for each day, and a table of the
 * data. A column is as high as its day has quarter-hours.
 */
export function QualityStrip({ days, timeZone, note }: QualityStripProps) {
  const t = useTranslations('quality');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const stageId = useId();
  const [isTable, setIsTable] = useState(false);
  const spans = useMemo(() => qualitySpans(days, maxColumns), [days]);
  const sum = useMemo(() => sumOfSlots(days), [days]);
  const total = countOfSlots(sum);

  return (
    <div className={classes.quality}>
      <div className={classes.head}>
        <dl className={classes.legend}>
          {qualityStates.map((state) => (
            <div key={state} className={classes.entry}>
              <dt className={classes.name}>
                <span className={classes.swatch} data-state={state} aria-hidden />
                {t(`states.${state}`)}
              </dt>
              <dd className={`${classes.share} figures`}>{format.percent(shownShare(sum[state], total), 1)}</dd>
              <dd className={`${classes.count} figures`}>{t('quarters', { count: sum[state] })}</dd>
            </div>
          ))}
        </dl>
        <TableToggle
          isTable={isTable}
          onChange={setIsTable}
          controls={stageId}
          isDisabled={spans.length === 0}
          csv={() => ({
            name: `${t('table')} ${days[0]?.date ?? ''}`,
            header: [t('day'), ...qualityStates.map((state) => t(`states.${state}`)), tCommon('all')],
            rows: days.map((day) => [day.date, ...qualityStates.map((state) => day[state]), countOfSlots(day)]),
          })}
        />
      </div>
      <div id={stageId}>{isTable ? <DaysTable days={days} /> : <Columns spans={spans} />}</div>
      <p className={classes.note}>
        {timeZone === null ? t('siteDays') : t('daysIn', { zone: format.timeZoneName(timeZone) })}
        {!isTable && spans.length > 1 && ` ${t('height')}`}
        {note !== undefined && ` ${note}`}
      </p>
    </div>
  );
}

function Columns({ spans }: { spans: readonly QualitySpan[] }) {
  const t = useTranslations('quality');
  const format = useFormat();
  const [seen, setSeen] = useState(0);
  const strip = useRef<HTMLDivElement>(null);
  const count = spans.length;
  const [first, last] = [spans[0], spans.at(-1)];
  useEffect(() => {
    const element = strip.current;
    const lookAt = ({ clientX }: PointerEvent) => {
      const { left, width } = element?.getBoundingClientRect() ?? { left: 0, width: 1 };
      setSeen(Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count))));
    };
    element?.addEventListener('pointermove', lookAt);
    return () => element?.removeEventListener('pointermove', lookAt);
  }, [count]);
  if (first === undefined || last === undefined) return null;
  const sum = sumOfSlots(spans);
  const highest = maxSlots(spans);
  const share = (count: number) => format.percent(shownShare(count, countOfSlots(sum)), 1);
  const range = spanText({ firstDate: first.firstDate, lastDate: last.lastDate }, format);
  const span = spans[seen] ?? first;

  const label = (
    <span className={classes.tooltip}>
      <b>{spanText(span, format)}</b>
      {qualityStates.map((state) => (
        <span key={state}>{format.labelled(t(`states.${state}`), t('quarters', { count: span[state] }))}</span>
      ))}
    </span>
  );
  return (
    <>
      <Tooltip.Floating label={label}>
        <div
          ref={strip}
          role="img"
          aria-label={t('description', {
            range,
            measured: share(sum.measured),
            interpolated: share(sum.interpolated),
            missing: share(sum.missing),
          })}
          className={classes.strip}
          data-dense={spans.length > 40 || undefined}
        >
          {spans.map((one) => (
            <span key={one.firstDate} className={classes.column}>
              {qualityStates.map(
                (state) =>
                  one[state] > 0 && (
                    <span key={state} className={classes.part} data-state={state} style={{ flexGrow: one[state] }} />
                  ),
              )}
              <span className={classes.rest} style={{ flexGrow: highest - countOfSlots(one) }} />
            </span>
          ))}
        </div>
      </Tooltip.Floating>
      <div className={`${classes.ends} figures`} aria-hidden>
        <span>{format.date(dateMs(first.firstDate), 'UTC')}</span>
        {first.firstDate !== last.lastDate && <span>{format.date(dateMs(last.lastDate), 'UTC')}</span>}
      </div>
    </>
  );
}

const spanText = ({ firstDate, lastDate }: Pick<QualitySpan, 'firstDate' | 'lastDate'>, format: Format): string =>
  firstDate === lastDate
    ? format.weekday(dateMs(firstDate), 'UTC')
    : format.dateSpan(dateMs(firstDate), dateMs(lastDate), 'UTC');

function DaysTable({ days }: { days: readonly QualityDay[] }) {
  const t = useTranslations('quality');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const columns: VirtualColumn<QualityDay>[] = [
    {
      id: 'day',
      header: t('day'),
      minRem: 9,
      isSticky: true,
      cell: ({ date }) => format.weekday(dateMs(date), 'UTC'),
    },
    ...qualityStates.map((state) => ({
      id: state,
      header: t(`states.${state}`),
      minRem: 6.5,
      align: 'end' as const,
      cell: (day: QualityDay) => format.integer(day[state]),
    })),
    { id: 'all', header: tCommon('all'), minRem: 6.5, align: 'end', cell: (day) => format.integer(countOfSlots(day)) },
  ];
  return (
    <VirtualTable
      label={t('table')}
      columns={columns}
      rowCount={days.length}
      getRow={(index) => days[index]}
      height={Math.min(tableHeight, 38 + 34 * days.length + 2)}
    />
  );
}

interface QualityFailuresProps {
  devices: DataQuality['devices'];
  timeZone: string;
}

/** Names the devices whose energy cannot be computed at present. Shows nothing if there are none. */
export function QualityFailures({ devices, timeZone }: QualityFailuresProps) {
  const t = useTranslations('quality');
  const format = useFormat();
  const failing = devices.flatMap(({ deviceId, deviceName, failure }) =>
    failure === null ? [] : [{ deviceId, deviceName, failure }],
  );
  if (failing.length === 0) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="status" mb="md">
      {failing.map(({ deviceId, deviceName, failure }) => (
        <p key={deviceId}>
          {t('failure', {
            device: deviceName,
            since: format.dateTime(failure.since, timeZone),
            next: format.dateTime(failure.nextAttemptAt, timeZone),
          })}
        </p>
      ))}
    </Alert>
  );
}
