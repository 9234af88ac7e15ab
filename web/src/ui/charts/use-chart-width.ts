import { startTransition, useLayoutEffect, useState, type RefObject } from 'react';
import { usePrinting } from '../printing.ts';

/** On paper a chart is drawn so wide, px, and scaled to the sheet. */
const paperWidth = 680;

/** How wide the chart of an element is drawn, px; 0 before it is known. */
export function useChartWidth(container: RefObject<HTMLElement | null>): { width: number; isPrinting: boolean } {
  const isPrinting = usePrinting();
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = container.current;
    if (element === null) return;
    // Tells the width for the first time once the page is laid out: asking for it here would lay it out for each chart.
    const observer = new ResizeObserver(() => startTransition(() => setWidth(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [container]);
  return { width: isPrinting ? paperWidth : width, isPrinting };
}
