import { useElementScrollRestoration, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';

/** So long a page may take to become as high as it was. */
const patienceMs = 10_000;
const readersOwn = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/**
 * Brings whoever goes back, or loads a page again, to the place where they were as soon as the page is high enough for it. The router
 * tries once, when what stands below the first numbers is still to come. Not once the reader has moved.
 */
export function KeptPlace() {
  const { history } = useRouter();
  const key = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.key });
  const kept = useElementScrollRestoration({ getElement: () => window });
  // The window's first page is one that is loaded again, or nothing is kept of it.
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
