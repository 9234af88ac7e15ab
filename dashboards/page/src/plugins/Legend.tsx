import { Box, ButtonBase } from '@mui/material';

interface LegendProps {
  items: readonly { key: string; name: string; color: string }[];
  /** The only series that is shown, after a click on its name. */
  alone: string | null;
  onAlone: (key: string | null) => void;
}

/** The names below a chart. A click on a name shows only that series. The chart gets most of the space. */
export function Legend({ items, alone, onAlone }: LegendProps) {
  return (
    <Box
      component="ul"
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5, m: 0, p: 0, maxHeight: '45%', overflow: 'auto' }}
    >
      {items.map(({ key, name, color }) => (
        <Box component="li" key={key} sx={{ display: 'flex', maxWidth: '100%' }}>
          <ButtonBase
            aria-pressed={alone === key}
            onClick={() => onAlone(alone === key ? null : key)}
            sx={{
              typography: 'body2',
              minHeight: 24,
              gap: 0.75,
              minWidth: 0,
              color: alone === null || alone === key ? 'text.primary' : 'text.secondary',
              ...(alone === key && { fontWeight: 600 }),
            }}
          >
            <Box component="span" sx={{ width: 12, height: 4, borderRadius: 1, flexShrink: 0, bgcolor: color }} />
            <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
              {name}
            </Box>
          </ButtonBase>
        </Box>
      ))}
    </Box>
  );
}
