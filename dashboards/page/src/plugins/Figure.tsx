import { Box, LinearProgress, Stack, TextField, Typography } from '@mui/material';
import { useChartsTheme } from '@perses-dev/components';
import { useTimeRange, type OptionsEditorProps } from '@perses-dev/plugin-system';
import { calculations, figureOptions, type FigureOptions } from '../../../../shared/dashboard-panels.ts';
import { sparkShape } from '../../../../web/src/charts/sparkline.ts';
import { texts } from '../texts.ts';
import { formatValue } from '../units.ts';
import { chartPanel, type DrawnProps } from './chart-panel.tsx';
import { fitFigures } from './figure-fit.ts';
import { calculate, type Part } from './parts.ts';
import { ChoiceOf } from './QueryForm.tsx';

const modeOf = ({ calculation }: FigureOptions) => (calculation === 'total' ? 'instant' : 'range');

/** Shows each series as one number. */
export const StatChart = chartPanel<FigureOptions>({
  options: figureOptions,
  initial: { calculation: 'total' },
  mode: modeOf,
  Drawn: Figures,
  Form: FigureForm,
});

/** Shows each series as one number with a bar, from zero to the end of its scale. */
export const GaugeChart = chartPanel<FigureOptions>({
  options: figureOptions,
  initial: { calculation: 'total', max: 1 },
  mode: modeOf,
  Drawn: Figures,
  Form: FigureForm,
});

const courseHeight = 40;

const nameHeight = 20;
const barHeight = 14;

function Figures({ options, parts, width, height }: DrawnProps<FigureOptions>) {
  const { calculation, sparkline, max } = options;
  const isOne = parts.length === 1;
  // The trend line takes the bottom of the panel, so the figure needs the space above.
  const foot = sparkline !== undefined && isOne ? courseHeight : 8;
  const figures = parts
    .map((part) => {
      const value = calculate(calculation, part);
      return { part, value, text: formatValue(value, part) };
    })
    .toSorted((a, b) => (calculation === 'min' ? 1 : -1) * ((a.value ?? 0) - (b.value ?? 0)));
  const { shown, columns, fontSize } = fitFigures({
    count: figures.length,
    length: Math.max(...figures.map(({ text }) => text.length)),
    width: width - 16,
    height: height - 8 - foot,
    besideHeight: (isOne ? 0 : nameHeight) + (max === undefined ? 0 : barHeight),
    largestFont: isOne ? 28 : 20,
  });
  return (
    <Box
      sx={{
        position: 'relative',
        width,
        height,
        p: 1,
        pb: `${foot}px`,
        display: 'grid',
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        alignContent: 'space-evenly',
        alignItems: 'center',
        overflow: 'hidden',
      }}
    >
      {sparkline !== undefined && isOne && parts[0] && <Course part={parts[0]} width={width} />}
      {figures.slice(0, shown).map(({ part, value, text }) => (
        <Box key={part.key} sx={{ position: 'relative', textAlign: 'center', minWidth: 0 }}>
          {!isOne && (
            <Typography variant="body2" color="text.secondary" noWrap title={part.name}>
              {part.name}
            </Typography>
          )}
          <Box sx={{ fontSize, fontWeight: 600, lineHeight: 1.3, whiteSpace: 'nowrap' }}>{text}</Box>
          {max !== undefined && (
            <LinearProgress
              variant="determinate"
              aria-label={part.name}
              value={Math.max(0, Math.min(100, ((value ?? 0) / max) * 100))}
              sx={{ height: 8, borderRadius: 4, mt: 0.5, mx: 'auto', maxWidth: 240 }}
            />
          )}
        </Box>
      ))}
      {shown < figures.length && (
        <Typography variant="body2" color="text.secondary" sx={{ position: 'absolute', right: 8, bottom: 2 }}>
          +{figures.length - shown}
        </Typography>
      )}
    </Box>
  );
}

function Course({ part, width }: { part: Part; width: number }) {
  const { start, end } = useTimeRange().absoluteTimeRange;
  const { color, width: strokeWidth } = useChartsTheme().sparkline;
  const points = part.points.flatMap(([at, value]) => (value === null ? [] : [{ at, value }]));
  const bridge = Math.max(...part.points.slice(1).map(([at], index) => at - (part.points[index]?.[0] ?? at)), 0);
  const { line } = sparkShape(
    points,
    { from: start.getTime(), to: end.getTime(), bridge },
    { width, height: courseHeight, padding: 2 },
  );
  return (
    <Box
      component="svg"
      aria-hidden
      viewBox={`0 0 ${width} ${courseHeight}`}
      sx={{ position: 'absolute', left: 0, bottom: 0, width, height: courseHeight, opacity: 0.45 }}
    >
      <path d={line} fill="none" stroke={color} strokeWidth={strokeWidth} />
    </Box>
  );
}

function FigureForm({ value, onChange, isReadonly = false }: OptionsEditorProps<FigureOptions>) {
  const { calculation, max } = figureOptions.parse(value);
  return (
    <Stack spacing={2} sx={{ p: 2 }}>
      <ChoiceOf
        label={texts.calculation}
        value={calculation}
        options={calculations}
        names={texts.calculations}
        isDisabled={isReadonly}
        onChange={(chosen) => onChange({ ...value, calculation: chosen })}
      />
      {max !== undefined && (
        <TextField
          type="number"
          label={texts.maximum}
          value={max}
          disabled={isReadonly}
          onChange={({ target }) => {
            const next = Number(target.value);
            if (next > 0) onChange({ ...value, max: next });
          }}
        />
      )}
    </Stack>
  );
}
