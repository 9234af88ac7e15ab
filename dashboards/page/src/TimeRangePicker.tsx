import { Button, Divider, Menu, MenuItem, Popover } from '@mui/material';
import { isRelativeTimeRange, type AbsoluteTimeRange, type TimeRangeValue } from '@perses-dev/core';
import { useState } from 'react';
import { calendarPresets } from '../../../shared/time.ts';
import { rangeLabel } from '../../../web/src/ui/time-range/range-label.ts';
import { CustomRange } from './CustomRange.tsx';
import { CalendarIcon } from './icons.tsx';
import { isRangeName } from './presets.ts';
import { format } from './reader.ts';
import { texts } from './texts.ts';
import { zone } from './zone.ts';

const names: Readonly<Record<string, string>> = texts.presets;
const lasting = ['1h', '6h', 'last24h', 'last7d', 'last30d', '90d', '365d'];
const groups: readonly (readonly string[])[] = [calendarPresets, lasting];

interface TimeRangePickerProps {
  value: TimeRangeValue;
  /** What `value` means at this moment. */
  absolute: AbsoluteTimeRange;
  onChange: (next: TimeRangeValue) => void;
}

/** Chooses calendar days, weeks, months and years, the last hours or days, or a custom range. */
export function TimeRangePicker({ value, absolute, onChange }: TimeRangePickerProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState<'menu' | 'custom' | null>(null);
  const close = () => setOpen(null);
  const chosen = isRelativeTimeRange(value) ? value.pastDuration : null;
  const label =
    chosen === null
      ? rangeLabel({ fromMs: absolute.start.getTime(), toMs: absolute.end.getTime() }, zone(), format)
      : (names[chosen] ?? chosen);
  return (
    <>
      <Button
        variant="outlined"
        ref={setAnchor}
        startIcon={<CalendarIcon />}
        aria-label={`${texts.timeRange}: ${label}`}
        aria-haspopup="menu"
        onClick={() => setOpen('menu')}
        sx={{ minHeight: 34 }}
      >
        {label}
      </Button>
      <Menu open={open === 'menu'} anchorEl={anchor} onClose={close}>
        {groups.flatMap((group) => [
          ...group.map((duration) => (
            <MenuItem
              key={duration}
              selected={duration === chosen}
              onClick={() => {
                close();
                if (isRangeName(duration)) onChange({ pastDuration: duration });
              }}
            >
              {names[duration]}
            </MenuItem>
          )),
          <Divider key={`after ${group[0]}`} />,
        ])}
        <MenuItem onClick={() => setOpen('custom')}>{texts.custom}</MenuItem>
      </Menu>
      <Popover
        open={open === 'custom'}
        anchorEl={anchor}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        onClose={close}
      >
        <CustomRange
          absolute={absolute}
          onApply={(range) => {
            close();
            onChange(range);
          }}
        />
      </Popover>
    </>
  );
}
