import { type ReactNode, useSyncExternalStore } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { useDisplayZone } from '../lib/current-user.ts';
import { sharedValue } from '../lib/shared-value.ts';
import { useFormat } from '../lib/use-format.ts';

/** The maximum number of rows in print, which fill about thirty sheets. A longer table is cut there. */
export const maxPrintedRows = 1000;

const isPrinting = sharedValue(false);
let schemeOnScreen: string | null = null;
const schemeAttribute = 'data-mantine-color-scheme';

function change(next: boolean): void {
  if (next === isPrinting.read()) return;
  const root = document.documentElement;
  // Charts read their colors from the document when they are drawn, and paper is light.
  if (next) schemeOnScreen = root.getAttribute(schemeAttribute);
  root.setAttribute(schemeAttribute, next ? 'light' : (schemeOnScreen ?? 'light'));
  // The browser lays out the sheets right after its event.
  flushSync(() => isPrinting.write(next));
}

window.addEventListener('beforeprint', () => change(true));
window.addEventListener('afterprint', () => change(false));

/** Whether the layout is for paper. Paper is light and as wide as its sheets. */
export function usePrinting(): boolean {
  return useSyncExternalStore(isPrinting.subscribe, isPrinting.read);
}

/** The element that shows the head of the sheets. */
export const sheetHeadPlace = 'sheet-head';

/** The content of the head of each printed sheet, in addition to the brand. */
export function OnEachSheet({ children }: { children: ReactNode }) {
  const isPrinting = usePrinting();
  const place = isPrinting ? document.getElementById(sheetHeadPlace) : null;
  return place === null ? null : createPortal(<span>{children}</span>, place);
}

/** When the data of a printed page was loaded, and the time zone of its times. `name` says whose data it is. */
export function PrintedAt({ atMs, name }: { atMs: number; name?: string }) {
  const format = useFormat();
  const zone = useDisplayZone();
  const parts = [...(name === undefined ? [] : [name]), format.dateTime(atMs, zone), format.timeZoneName(zone)];
  return <OnEachSheet>{parts.join(' · ')}</OnEachSheet>;
}
