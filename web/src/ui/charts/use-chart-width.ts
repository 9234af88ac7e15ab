import { useLayoutEffect, useState, type RefObject } from 'react';
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
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [container]);
  return { width: isPrinting ? paperWidth : width, isPrinting };
}
