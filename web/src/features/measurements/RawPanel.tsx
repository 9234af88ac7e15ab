import { Button } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  resolveTimeRange,
  wireInstants,
  wireRange,
  type TimeRange,
  type TimeRangeSearch,
} from '../../lib/time-range.ts';
import { loadCode } from '../../lib/load-code.ts';
import { useFormat } from '../../lib/use-format.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { useDialog } from '../../ui/DialogForm.tsx';
import type { VirtualTableHandle } from '../../ui/virtual-table/VirtualTable.tsx';
import type { ChosenDevices } from '../../lib/chosen-devices.ts';
import type { ExportSubject } from './ExportDialog.tsx';
import { JumpTo } from './JumpTo.tsx';
import classes from './Measurements.module.css';
import { NothingInRange } from './NothingInRange.tsx';
import type { RawFilter } from './queries.ts';
import { RawTable } from './RawTable.tsx';
import { RemoveRows } from './RemoveRows.tsx';
import { useRawRows } from './use-raw-rows.ts';

const ExportDialog = lazy(loadCode(async () => ({ default: (await import('./ExportDialog.tsx')).ExportDialog })));

interface RawPanelProps {
  /** The API that the readings come from. */
  api: string;
  search: TimeRangeSearch;
  timeZone: string;
  chosen: ChosenDevices;
  /** Whether all chosen devices are in the same time zone. */
  isOneZone: boolean;
  /** New readings can still fall into the range. */
  isLive: boolean;
  onRange: (range: TimeRange) => void;
}

const renewMs = 30_000;

/**
 * All readings of the range, newest first. The list ends at the moment it was opened: if it grew at its head, it would move
 * under the reader. At its head it refreshes automatically; further down, on request.
 */
export function RawPanel({ api, search, timeZone, chosen, isOneZone, isLive, onRange }: RawPanelProps) {
  const t = useTranslations('measurements.raw');
  const tExport = useTranslations('measurements.export');
  const format = useFormat();
  const [moments, setMoments] = useState(() => ({ now: Date.now(), before: Date.now() }));
  const [seen, setSeen] = useState({ start: 0, end: 0 });
  const table = useRef<VirtualTableHandle>(null);

  const filterAt = (nowMs: number): RawFilter & { asked: TimeRange } => {
    const range = resolveTimeRange(search, timeZone, nowMs);
    const toMs = Math.max(range.fromMs + 1, isLive ? Math.min(range.toMs, nowMs) : range.toMs);
    // If there are several time zones, their days do not start together.
    const isCut = isLive && isOneZone;
    return {
      api,
      asked: range,
      range: isCut ? wireInstants({ ...range, toMs }) : wireRange(range, timeZone),
      toMs,
      deviceIds: chosen.isAll ? [] : chosen.devices.map(({ id }) => id),
    };
  };
  const filter = filterAt(moments.now);
  const rows = useRawRows(filter, moments.before === moments.now ? null : filterAt(moments.before));
  const { totalCount } = rows;

  const renew = () => setMoments(({ now }) => ({ now: Date.now(), before: now }));
  const renewAtHead = useEffectEvent(() => {
    if (isLive && seen.start === 0 && document.visibilityState === 'visible') renew();
  });
  useEffect(() => {
    const timer = setInterval(() => renewAtHead(), renewMs);
    return () => clearInterval(timer);
  }, []);

  const wantRows = rows.onSeenRows;
  const onSeenRows = useCallback(
    (start: number, end: number) => {
      setSeen({ start, end });
      wantRows(start, end);
    },
    [wantRows],
  );
  const isEmpty = totalCount === 0;
  const exporting = useDialog<ExportSubject>();

  return (
    <Panel
      title={t('title')}
      flush
      description={
        totalCount === undefined ? (
          '\u00a0'
        ) : isEmpty ? (
          t('none')
        ) : (
          // The printed table shows its own number of rows.
          <span className="screen-only">
            {t('rows', { from: seen.start + 1, to: Math.min(seen.end, totalCount), count: totalCount })}
          </span>
        )
      }
      actions={
        <>
          {isLive && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              leftSection={<IconRefresh size={15} stroke={1.75} aria-hidden />}
              onClick={renew}
            >
              {t('asOf', { time: format.time(moments.now, timeZone) })}
            </Button>
          )}
          <JumpTo
            filter={filter}
            range={filter.asked}
            timeZone={timeZone}
            totalCount={totalCount ?? 0}
            onJump={(index) => table.current?.scrollToRow(index)}
          />
          <RemoveRows
            api={api}
            kind="readings"
            chosen={chosen}
            range={{ ...filter.asked, toMs: filter.toMs }}
            isEmpty={isEmpty}
            timeZone={timeZone}
          />
          <ReasonedButton
            variant="default"
            size="xs"
            reason={isEmpty ? tExport('nothing') : null}
            disabled={totalCount === undefined}
            leftSection={<IconDownload size={15} stroke={1.75} aria-hidden />}
            onClick={() => exporting.open({ filter, range: filter.asked, chosen, isLive, totalCount: totalCount ?? 0 })}
          >
            {tExport('open')}
          </ReasonedButton>
        </>
      }
    >
      <div className={classes.raw}>
        {rows.error !== null ? (
          <ErrorState error={rows.error} onRetry={rows.retry} />
        ) : isEmpty ? (
          <NothingInRange api={api} range={filter.asked} timeZone={timeZone} chosen={chosen} onRange={onRange} />
        ) : (
          <RawTable ref={table} rows={rows} label={t('title')} timeZone={timeZone} onSeenRows={onSeenRows} />
        )}
      </div>
      {exporting.subject !== null && (
        <Suspense>
          <ExportDialog
            opened={exporting.isOpen}
            onClose={exporting.close}
            subject={exporting.subject}
            timeZone={timeZone}
          />
        </Suspense>
      )}
    </Panel>
  );
}
