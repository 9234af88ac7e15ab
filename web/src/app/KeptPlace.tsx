import { useElementScrollRestoration, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';

/** How long a page may take to reach its previous height. */
const patienceMs = 10_000;
const readersOwn = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/**
 * Restores the scroll position after Back or a reload, as soon as the page is high enough. The router tries only once,
 * before the lower part of the page has loaded. Stops when the reader scrolls.
 */
export function KeptPlace() {
  const { history } = useRouter();
  const key = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.key });
  const kept = useElementScrollRestoration({ getElement: () => window });
  // The first page of the window was reloaded, or has no kept position.
  const isReturn = useRef(true);
  useEffect(
    () =>
      history.subscribe(({ action: { type } }) => {
        isReturn.current = type === 'BACK' || type === 'FORWARD' || type === 'GO';
      }),
    [history],
  );
  const keptTop = useEffectEvent((at: string | undefined) =>
    at !== undefined && isReturn.current ? (kept?.scrollY ?? 0) : 0,
  );

  useEffect(() => {
    const top = keptTop(key);
    if (top === 0) return;
    const ended = new AbortController();
    const observer = new ResizeObserver(() => {
      if (document.documentElement.scrollHeight - window.innerHeight < top) return;
      ended.abort();
      window.scrollTo({ top, behavior: 'instant' });
    });
    const timer = setTimeout(() => ended.abort(), patienceMs);
    ended.signal.addEventListener('abort', () => {
      observer.disconnect();
      clearTimeout(timer);
    });
    for (const event of readersOwn) {
      window.addEventListener(event, () => ended.abort(), { signal: ended.signal, passive: true });
    }
    observer.observe(document.body);
    return () => ended.abort();
  }, [key]);
  return null;
}
