import { useEffect, useLayoutEffect, useRef } from 'react';

/** So long after a dialog has opened, the menu that it was opened from may still claim the focus. */
const settledAfterMs = 300;

/** What has the focus now, or, in a menu that is about to close, the button that opened the menu. */
function focusedBefore(): HTMLElement | null {
  const focused = document.activeElement;
  const menuOf = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = typeof menuOf === 'string' ? document.getElementById(menuOf) : focused;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

/**
 * Keeps the focus in a dialog that has just opened, and gives it back when the dialog closes: to what opened it, or to the
 * content of the page where that is gone (a deleted row). Answers a ref for anything inside the dialog.
 */
export function useDialogFocus(opened: boolean) {
  const inside = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!opened) return;
    const before = focusedBefore();
    return () => {
      // After the dialog has let go of the focus, and after whatever closing it has removed.
      setTimeout(() => {
        const { activeElement } = document;
        if (activeElement !== document.body && !activeElement?.closest('[role="dialog"]')) return;
        const target = before?.isConnected === true ? before : document.getElementById('content');
        target?.focus({ preventScroll: true });
      }, 20);
    };
  }, [opened]);

  useEffect(() => {
    if (!opened) return;
    const settledAt = performance.now() + settledAfterMs;
    const keep = ({ target }: FocusEvent) => {
      // Another dialog above this one may have it.
      const isOutside = target instanceof Element && target.closest('[role="dialog"]') === null;
      if (performance.now() > settledAt || !isOutside) return;
      const first = inside.current?.closest('[role="dialog"]')?.querySelector('[data-autofocus]');
      if (first instanceof HTMLElement) first.focus({ preventScroll: true });
    };
    document.addEventListener('focusin', keep);
    return () => document.removeEventListener('focusin', keep);
  }, [opened]);

  return inside;
}
