import { use, type EChartsType, type init } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import { useEffect, useState, type RefObject } from 'react';
import { usePrinting } from '../printing.ts';

use([CanvasRenderer, SVGRenderer]);

/** On paper a chart is drawn so wide, px, and its lines are scaled to the sheet. */
const paperWidth = 680;

/** The key of what draws a chart: one for the screen, and another for paper. */
export const useDrawingKey = (): string => (usePrinting() ? 'paper' : 'screen');

/**
 * The chart of an element: on the screen pixels that follow its size, on paper lines. Its options are set by later effects;
 * the component has {@link useDrawingKey} as its key.
 */
export function useChart(
  container: RefObject<HTMLDivElement | null>,
  chartRef: RefObject<EChartsType | null>,
  open: typeof init,
) {
  const isPrinting = usePrinting();
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const height = element.clientHeight;
    const made = open(
      element,
      null,
      isPrinting ? { renderer: 'svg', width: paperWidth, height } : { renderer: 'canvas' },
    );
    chartRef.current = made;
    element.querySelector('svg')?.setAttribute('viewBox', `0 0 ${paperWidth} ${height}`);
    const observer = new ResizeObserver(() => {
      made.resize();
      setWidth(element.clientWidth);
    });
    if (!isPrinting) observer.observe(element);
    return () => {
      observer.disconnect();
      // A heatmap is painted over several frames, and the next one would find nothing to paint on: painting nothing ends it.
      made.clear();
      made.getZr().flush();
      made.dispose();
      chartRef.current = null;
    };
  }, [container, chartRef, isPrinting, open]);
  return { isPrinting, width: isPrinting ? paperWidth : width };
}

/** Call it last: the sheets are laid out before the next frame, in which a chart is painted otherwise. */
export function usePaintedOnPaper(chartRef: RefObject<EChartsType | null>): void {
  const isPrinting = usePrinting();
  useEffect(() => {
    if (isPrinting) chartRef.current?.getZr().flush();
  });
}
