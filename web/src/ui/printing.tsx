import { type ReactNode, useSyncExternalStore } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { sharedValue } from '../lib/shared-value.ts';

/** About thirty sheets; a longer table is cut there in print. */
export const maxPrintedRows = 1000;

const isPrinting = sharedValue(false);
let schemeOnScreen: string | null = null;
const schemeAttribute = 'data-mantine-color-scheme';

function change(next: boolean): void {
  if (next === isPrinting.read()) return;
  const root = document.documentElement;
  // Charts read their colors from the document while they are drawn: paper is light.
  if (next) schemeOnScreen = root.getAttribute(schemeAttribute);
  root.setAttribute(schemeAttribute, next ? 'light' : (schemeOnScreen ?? 'light'));
  // The browser lays out the sheets right after its event.
  flushSync(() => isPrinting.write(next));
}

window.addEventListener('beforeprint', () => change(true));
window.addEventListener('afterprint', () => change(false));

/** Whether the page is being laid out for paper, which is light and as wide as its sheets. */
export function usePrinting(): boolean {
  return useSyncExternalStore(isPrinting.subscribe, isPrinting.read);
}

/** The element that shows the head of the sheets. */
export const sheetHeadPlace = 'sheet-head';

/** The content of the head of each printed sheet, besides the brand. */
export function OnEachSheet({ children }: { children: ReactNode }) {
  const isPrinting = usePrinting();
  const place = isPrinting ? document.getElementById(sheetHeadPlace) : null;
  return place === null ? null : createPortal(<span>{children}</span>, place);
}
