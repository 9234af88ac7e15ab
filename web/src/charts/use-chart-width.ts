import { startTransition, useLayoutEffect, useState, type RefObject } from 'react';
import { labelSize } from '../../../shared/charts/marks.ts';
import { usePrinting } from '../ui/printing.tsx';

let measuring: CanvasRenderingContext2D | null = null;

/** The width of a label in the typeface of the page, px. */
export function textWidth(text: string, { size = labelSize, isStrong = false } = {}): number {
  measuring ??= document.createElement('canvas').getContext('2d');
  if (measuring === null) return text.length * size * 0.6;
  measuring.font = `${isStrong ? 600 : 400} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return measuring.measureText(text).width;
}

/** As much of the text as fits, px, with an ellipsis if it is cut. */
export function cutText(text: string, maxPx: number, size: number): string {
  if (textWidth(text, { size }) <= maxPx) return text;
  const letters = [...text];
  while (letters.length > 1 && textWidth(`${letters.join('')}…`, { size }) > maxPx) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

/** The width in px with which a chart is drawn on paper and then scaled to the sheet. */
const paperWidth = 680;

/** The width at which the chart of an element is drawn, px. It is 0 before the width is known. */
export function useChartWidth(container: RefObject<HTMLElement | null>): { width: number; isPrinting: boolean } {
  const isPrinting = usePrinting();
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = container.current;
    if (element === null) return;
    // Reports the first width after the layout of the page. Reading it here would force a layout for each chart.
    const observer = new ResizeObserver(() => startTransition(() => setWidth(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [container]);
  return { width: isPrinting ? paperWidth : width, isPrinting };
}
