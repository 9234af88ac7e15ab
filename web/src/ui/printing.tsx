import { type ReactNode, useSyncExternalStore } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { sharedValue } from '../lib/shared-value.ts';

/** Some thirty sheets; of a longer table no more are printed. */
export const maxPrintedRows = 1000;

const isPrinting = sharedValue(false);
let schemeOnScreen: string | null = null;
const schemeAttribute = 'data-mantine-color-scheme';

function change(next: boolean): void {
  if (next === isPrinting.read()) return;
  const root = document.documentElement;
  // The charts read their colors from the document while they are drawn: paper is light.
  if (next) schemeOnScreen = root.getAttribute(schemeAttribute);
  root.setAttribute(schemeAttribute, next ? 'light' : (schemeOnScreen ?? 'light'));
  // The browser lays the sheets out as soon as its event has been heard.
  flushSync(() => isPrinting.write(next));
}

window.addEventListener('beforeprint', () => change(true));
window.addEventListener('afterprint', () => change(false));

/** Whether the page is being laid out on paper, which is light and as wide as its sheets. */
export function usePrinting(): boolean {
  return useSyncExternalStore(isPrinting.subscribe, isPrinting.read);
}

/** Where the head of the sheets is filled. */
export const sheetHeadPlace = 'sheet-head';

/** The head of each printed sheet, beside the brand. */
export function OnEachSheet({ children }: { children: ReactNode }) {
  const isPrinting = usePrinting();
  const place = isPrinting ? document.getElementById(sheetHeadPlace) : null;
  return place === null ? null : createPortal(<span>{children}</span>, place);
}
