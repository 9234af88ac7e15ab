import { Box, Button, Menu, MenuItem, Popover, Stack, TextField, Typography } from '@mui/material';
import { isDurationString, isRelativeTimeRange, type AbsoluteTimeRange, type TimeRangeValue } from '@perses-dev/core';
import { formatInTimeZone, fromZonedTime } from 'date-fns-tz';
import { useState } from 'react';
import { CalendarIcon } from './icons.tsx';
import { format } from './reader.ts';
import { texts } from './texts.ts';
import { zone } from './zone.ts';

const names: Readonly<Record<string, string>> = texts.presets;

interface TimeRangePickerProps {
  value: TimeRangeValue;
  /** What `value` is at this moment. */
  absolute: AbsoluteTimeRange;
  onChange: (next: TimeRangeValue) => void;
}

/** The last so many hours or days, or any two instants, by the portal's clock. */
export function TimeRangePicker({ value, absolute, onChange }: TimeRangePickerProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState<'menu' | 'custom' | null>(null);
  const close = () => setOpen(null);
  const chosen = isRelativeTimeRange(value) ? value.pastDuration : null;
  const label =
    chosen === null
      ? format.dateTimeSpan(absolute.start.getTime(), absolute.end.getTime(), zone())
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
        {Object.entries(names).map(([duration, name]) => (
          <MenuItem
            key={duration}
            selected={duration === chosen}
            onClick={() => {
              close();
              if (isDurationString(duration)) onChange({ pastDuration: duration });
            }}
          >
            {name}
          </MenuItem>
        ))}
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

const toField = (date: Date): string => formatInTimeZone(date, zone(), "yyyy-MM-dd'T'HH:mm");

function CustomRange({
  absolute,
  onApply,
}: {
  absolute: AbsoluteTimeRange;
  onApply: (range: AbsoluteTimeRange) => void;
}) {
  const [from, setFrom] = useState(() => toField(absolute.start));
  const [to, setTo] = useState(() => toField(absolute.end));
  const range = { start: fromZonedTime(from, zone()), end: fromZonedTime(to, zone()) };
  const isRange = range.start < range.end;
  return (
    <Box
      component="form"
      sx={{ p: 2 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (isRange) onApply(range);
      }}
    >
      <Stack gap={2}>
        <TextField
          type="datetime-local"
          label={texts.from}
          value={from}
          onChange={({ target }) => setFrom(target.value)}
          slotProps={{ inputLabel: { shrink: true } }}
        />
        <TextField
          type="datetime-local"
          label={texts.to}
          value={to}
          onChange={({ target }) => setTo(target.value)}
          slotProps={{ inputLabel: { shrink: true } }}
        />
        <Typography variant="body2" color="text.secondary">
          {texts.timesIn(zone())}
        </Typography>
        <Button type="submit" variant="contained" disabled={!isRange}>
          {texts.apply}
        </Button>
      </Stack>
    </Box>
  );
}
