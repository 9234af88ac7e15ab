import { useLayoutEffect } from 'react';

/** What has the focus now, or, in a menu that is about to close, the button that opened the menu. */
function focusedBefore(): HTMLElement | null {
  const focused = document.activeElement;
  const menuOf = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = typeof menuOf === 'string' ? document.getElementById(menuOf) : focused;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

/** Gives the focus back when a dialog closes: to what opened it, or to the content where that is gone (a deleted row). */
export function useReturnFocus(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const before = focusedBefore();
    return () => {
      // After the dialog has let go of the focus, and after whatever closing it has removed.
      setTimeout(() => {
        const hasMovedOn =
          document.activeElement !== document.body && !document.activeElement?.closest('[role="dialog"]');
        if (hasMovedOn) return;
        const target = before?.isConnected === true ? before : document.getElementById('content');
        target?.focus({ preventScroll: true });
      }, 20);
    };
  }, [opened]);
}
