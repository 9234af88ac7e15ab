import { Button } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { QualityFlag } from '../../../../shared/data-quality.ts';
import { toInstant } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { ResponsiveTable, type Column } from '../../ui/ResponsiveTable.tsx';
import classes from './DeviceQuality.module.css';
import { rangeAround } from './quality-flags.ts';

interface QualityFlagsProps {
  deviceId: string;
  /** Newest first; the portal lists no more than its latest. */
  flags: readonly QualityFlag[];
  /** How many there are in all. */
  count: number;
  timeZone: string;
}

const pageSize = 25;

/** Everything odd, newest first, each with what the portal made of it and the way to the readings around it. */
export function QualityFlags({ deviceId, flags, count, timeZone }: QualityFlagsProps) {
  const t = useTranslations('sites.quality');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const [limit, setLimit] = useState(pageSize);
  const shown = flags.slice(0, limit);

  const spanOf = ({ time, until }: QualityFlag) =>
    until === null
      ? format.dateTimeSeconds(time, timeZone)
      : format.dateTimeSpan(Date.parse(time), Date.parse(until), timeZone);
  const columns: Column<QualityFlag>[] = [
    {
      id: 'kind',
      header: t('columns.kind'),
      kind: 'name',
      renderCell: ({ kind }) => (
        <span className={classes.flag}>
          <span className={classes.flagKind}>{t(`kinds.${kind}`)}</span>
          <span className={classes.flagText}>{t(`explained.${kind}`)}</span>
        </span>
      ),
    },
    {
      id: 'time',
      header: tTerms('time'),
      renderCell: (flag) => (
        <time dateTime={flag.time} className="figures">
          {spanOf(flag)}
        </time>
      ),
    },
    {
      id: 'direction',
      header: t('columns.direction'),
      renderCell: ({ direction }) => (direction === null ? null : t(`directions.${direction}`)),
    },
    {
      id: 'energy',
      header: tTerms('energy'),
      align: 'end',
      renderCell: ({ energyKwh }) =>
        energyKwh === null ? null : <span className="figures">{format.energy(energyKwh)}</span>,
    },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (flag) => {
        const { fromMs, toMs } = rangeAround(flag);
        return (
          <LinkButton
            to="/measurements"
            search={{ devices: deviceId, from: toInstant(fromMs), to: toInstant(toMs) }}
            variant="subtle"
            size="compact-sm"
            aria-label={t('readingsAround', { time: spanOf(flag) })}
            leftSection={<IconChartLine size={16} stroke={1.75} aria-hidden />}
          >
            <span className={classes.linkText}>{tTerms('readings')}</span>
          </LinkButton>
        );
      },
    },
  ];
  return (
    <div className={classes.flags}>
      <p className={`${classes.shown} figures`}>{t('shown', { shown: shown.length, count })}</p>
      <div className={classes.flagTable}>
        <ResponsiveTable
          label={t('list')}
          columns={columns}
          rows={shown}
          rowKey={({ time, kind, direction }) => `${time} ${kind} ${direction}`}
        />
      </div>
      {flags.length > limit ? (
        <Button variant="default" className={classes.more} onClick={() => setLimit(limit + 4 * pageSize)}>
          {t('showMore')}
        </Button>
      ) : (
        count > flags.length && <p className={classes.shown}>{t('notListed')}</p>
      )}
    </div>
  );
}
