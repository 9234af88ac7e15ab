import { Box } from '@mui/material';
import { useChartsTheme } from '@perses-dev/components';
import { formatValue } from '../units.ts';
import { z } from 'zod';
import { chartPanel, type DrawnProps } from './chart-panel.tsx';
import { calculate } from './parts.ts';

/** One value of each series as a bar, the largest first. */
export const BarChart = chartPanel({ options: z.object({}), initial: {}, mode: 'instant', Drawn: Bars });

function Bars({ title, parts, width, height }: DrawnProps<object>) {
  const { color } = useChartsTheme().echartsTheme;
  const [fill = 'currentColor'] = Array.isArray(color) ? color.map(String) : [];
  const rows = parts
    .flatMap((part) => {
      const value = calculate('total', part);
      return value === null ? [] : [{ part, value }];
    })
    .toSorted((a, b) => b.value - a.value);
  const largest = Math.max(...rows.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return (
    <Box
      component="ul"
      tabIndex={0}
      aria-label={title}
      sx={{
        width,
        height,
        m: 0,
        px: 2,
        py: 1,
        overflow: 'auto',
        listStyle: 'none',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {rows.map(({ part, value }) => (
        <Box component="li" key={part.key} sx={{ typography: 'body2', mb: 1 }}>
          <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
            <Box sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }} title={part.name}>
              {part.name}
            </Box>
            <Box sx={{ whiteSpace: 'nowrap' }}>{formatValue(value, part)}</Box>
          </Box>
          <Box sx={{ height: 8, borderRadius: 1, bgcolor: 'divider' }}>
            <Box
              sx={{
                width: `${(Math.abs(value) / largest) * 100}%`,
                height: '100%',
                borderRadius: 1,
                bgcolor: value < 0 ? 'text.secondary' : fill,
              }}
            />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
