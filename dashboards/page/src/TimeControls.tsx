import { RefreshIntervalPicker, ToolbarIconButton, type TimeOption } from '@perses-dev/components';
import type { AbsoluteTimeRange } from '@perses-dev/core';
import { useTimeRange } from '@perses-dev/plugin-system';
import { Tooltip } from '@mui/material';
import type { ReactNode } from 'react';
import { MagnifyMinusOutlineIcon, MagnifyPlusOutlineIcon, RefreshIcon } from './icons.tsx';
import { texts } from './texts.ts';
import { TimeRangePicker } from './TimeRangePicker.tsx';

const height = '34px';
const minimumMs = 60_000;

const intervals: TimeOption[] = [
  { value: { pastDuration: '0s' }, display: texts.off },
  ...(['30s', '60s', '300s'] as const).map((pastDuration) => ({
    value: { pastDuration },
    display: pastDuration === '30s' ? '30 s' : pastDuration === '60s' ? '1 min' : '5 min',
  })),
];

/** Scales the range around its middle; it never ends in the future. */
function scaled({ start, end }: AbsoluteTimeRange, factor: number): AbsoluteTimeRange {
  const [from, to] = [start.getTime(), end.getTime()];
  const half = Math.max(minimumMs, (to - from) * factor) / 2;
  const newEnd = Math.min(Date.now(), (from + to) / 2 + half);
  return { start: new Date(Math.max(1, newEnd - 2 * half)), end: new Date(newEnd) };
}

export function TimeControls() {
  const { timeRange, absoluteTimeRange, setTimeRange, refresh, refreshInterval, setRefreshInterval } = useTimeRange();
  return (
    <>
      <TimeRangePicker value={timeRange} absolute={absoluteTimeRange} onChange={setTimeRange} />
      <IconButton label={texts.zoomOut} onClick={() => setTimeRange(scaled(absoluteTimeRange, 2))}>
        <MagnifyMinusOutlineIcon />
      </IconButton>
      <IconButton label={texts.zoomIn} onClick={() => setTimeRange(scaled(absoluteTimeRange, 0.5))}>
        <MagnifyPlusOutlineIcon />
      </IconButton>
      <IconButton label={texts.refresh} onClick={refresh}>
        <RefreshIcon />
      </IconButton>
      <RefreshIntervalPicker
        timeOptions={intervals}
        {...(refreshInterval !== undefined && { value: refreshInterval })}
        onChange={setRefreshInterval}
        height={height}
      />
    </>
  );
}

interface IconButtonProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
}

export function IconButton({ label, onClick, children }: IconButtonProps) {
  return (
    <Tooltip title={label}>
      <ToolbarIconButton aria-label={label} onClick={onClick} sx={{ height }}>
        {children}
      </ToolbarIconButton>
    </Tooltip>
  );
}
