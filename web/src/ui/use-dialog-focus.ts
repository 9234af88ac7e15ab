import { useEffect, useLayoutEffect, useRef } from 'react';

/** So long after a dialog has opened, the menu that it was opened from may still claim the focus. */
const settledAfterMs = 300;

/** What on the page has opened the first of the dialogs: one that follows another gives the focus back to it. */
let openerOnPage: HTMLElement | null = null;
let openDialogs = 0;

/** The button of the menu that has the focus, or had it last and is gone already: without motion a menu closes before its dialog opens. */
let menuButton: HTMLElement | null = null;
/** A button that is disabled while it waits for an answer loses the focus to the body. */
let lastFocused: HTMLElement | null = null;
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement) lastFocused = target;
  const id = target instanceof Element && target.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  menuButton = typeof id === 'string' ? document.getElementById(id) : null;
});

/** What has the focus now or had it last, or, in a menu that is about to close, the button that opened the menu. */
function focusedBefore(): HTMLElement | null {
  if (menuButton !== null) return menuButton;
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : lastFocused;
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
    if (openDialogs === 0) openerOnPage = before;
    openDialogs += 1;
    return () => {
      // After the dialog has let go of the focus, and after whatever closing it has removed.
      setTimeout(() => {
        openDialogs -= 1;
        const { activeElement } = document;
        if (activeElement !== document.body && !activeElement?.closest('[role="dialog"]')) return;
        const opener = [before, openerOnPage].find((one) => one?.isConnected === true);
        // The dialog that followed keeps it.
        if (openDialogs > 0 && !opener?.closest('[role="dialog"]')) return;
        (opener ?? document.getElementById('content'))?.focus({ preventScroll: true });
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
