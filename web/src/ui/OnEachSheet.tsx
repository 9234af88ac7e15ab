import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { usePrinting } from './printing.ts';

/** Where the head of the sheets is filled. */
export const sheetHeadPlace = 'sheet-head';

/** What stands at the head of each printed sheet, beside the brand. */
export function OnEachSheet({ children }: { children: ReactNode }) {
  const isPrinting = usePrinting();
  const place = isPrinting ? document.getElementById(sheetHeadPlace) : null;
  return place === null ? null : createPortal(<span>{children}</span>, place);
}
