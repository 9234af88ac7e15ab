import { Box, Button, Checkbox, FormControlLabel, Stack, TextField, Typography } from '@mui/material';
import type { AbsoluteTimeRange } from '@perses-dev/core';
import { useState } from 'react';
import { calendarDates, longestRangeMs, resolveTimeRange } from '../../../web/src/lib/time-range.ts';
import { fromLocalText, toLocalText } from '../../../shared/time.ts';
import { texts, timesIn } from './texts.ts';
import { zone } from './zone.ts';

interface CustomRangeProps {
  absolute: AbsoluteTimeRange;
  onApply: (range: AbsoluteTimeRange) => void;
}

/** Whole days, which each site has in its own zone, or two instants. */
export function CustomRange({ absolute, onApply }: CustomRangeProps) {
  const before = { fromMs: absolute.start.getTime(), toMs: absolute.end.getTime() };
  const [hasTimes, setHasTimes] = useState(() => calendarDates(before, zone()) === null);
  const [fields, setFields] = useState(() => fieldsOf(before, hasTimes));
  const range = hasTimes
    ? { fromMs: fromLocalText(fields.from, zone()) ?? NaN, toMs: fromLocalText(fields.to, zone()) ?? NaN }
    : resolveTimeRange(fields, zone(), 0);
  const isRange = range.fromMs < range.toMs && range.toMs - range.fromMs <= longestRangeMs;
  const type = hasTimes ? 'datetime-local' : 'date';
  return (
    <Box
      component="form"
      sx={{ p: 2 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (isRange) onApply({ start: new Date(range.fromMs), end: new Date(range.toMs) });
      }}
    >
      <Stack gap={2}>
        {(['from', 'to'] as const).map((field) => (
          <TextField
            key={`${field} ${type}`}
            type={type}
            label={hasTimes ? texts[field] : texts[field === 'from' ? 'firstDay' : 'lastDay']}
            value={fields[field]}
            onChange={({ target }) => setFields({ ...fields, [field]: target.value })}
            slotProps={{ inputLabel: { shrink: true } }}
          />
        ))}
        <FormControlLabel
          control={
            <Checkbox
              size="small"
              checked={hasTimes}
              onChange={({ target }) => {
                setHasTimes(target.checked);
                setFields(fieldsOf(isRange ? range : before, target.checked));
              }}
            />
          }
          label={texts.withTimes}
        />
        <Typography variant="body2" color="text.secondary">
          {hasTimes ? timesIn(zone()) : texts.daysOfSites}
        </Typography>
        <Button type="submit" variant="contained" disabled={!isRange}>
          {texts.apply}
        </Button>
      </Stack>
    </Box>
  );
}

/** The values of the fields: instants, or the days that the range touches. */
function fieldsOf({ fromMs, toMs }: { fromMs: number; toMs: number }, hasTimes: boolean): { from: string; to: string } {
  if (hasTimes) return { from: toLocalText(fromMs, zone()), to: toLocalText(toMs, zone()) };
  const dateOf = (atMs: number) => toLocalText(atMs, zone()).slice(0, 'YYYY-MM-DD'.length);
  return { from: dateOf(fromMs), to: dateOf(toMs - 1) };
}
