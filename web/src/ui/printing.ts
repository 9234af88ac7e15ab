import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/** Some thirty sheets; of a longer table no more are printed. */
export const maxPrintedRows = 1000;

let isPrinting = false;
let schemeOnScreen: string | null = null;
const listeners = new Set<() => void>();
const schemeAttribute = 'data-mantine-color-scheme';

function change(next: boolean): void {
  if (next === isPrinting) return;
  const root = document.documentElement;
  // The charts read their colors from the document while they are drawn: paper is light.
  if (next) schemeOnScreen = root.getAttribute(schemeAttribute);
  root.setAttribute(schemeAttribute, next ? 'light' : (schemeOnScreen ?? 'light'));
  isPrinting = next;
  // The browser lays the sheets out as soon as its event has been heard.
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}

window.addEventListener('beforeprint', () => change(true));
window.addEventListener('afterprint', () => change(false));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the page is being laid out on paper, which is light and as wide as its sheets. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isPrinting);
}
