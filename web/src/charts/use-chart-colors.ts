import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { useBranding } from '../lib/branding.ts';
import { seriesColors } from '../../../shared/charts/series-colors.ts';
import { othersColors, surfaces } from '../../../shared/palette.ts';
import type { ChartColors } from '../../../shared/charts/drawing.ts';

/** The colors of charts in the current scheme; the tokens themselves, because some colors are mixed from them. */
export function useChartColors(): ChartColors {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const branding = useBranding();
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const token = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback;
    return {
      series: seriesColors(branding, scheme),
      others: othersColors[scheme],
      text: token('--mantine-color-text', '#808080'),
      dimmed: token('--mantine-color-dimmed', '#808080'),
      surface: surfaces[scheme],
    };
  }, [branding, scheme]);
}
