/** What a browser observed during one load of a page; times in milliseconds since navigation. */
export interface PageLoad {
  firstPaintMs: number;
  largestPaintMs: number;
  /** Sum of unexpected layout shifts. */
  shift: number;
  /** Tasks that blocked the page for more than 50 ms. */
  longTasks: readonly { startMs: number; durationMs: number }[];
  requests: number;
  /** As transferred, without headers. */
  scriptBytes: number;
}

/** The page counts as interactive after this long without a long task. */
export const quietMs = 5_000;

/** When the page responds at once: after the last long task before the first quiet period that follows its first paint. */
export function interactiveMs({ firstPaintMs, longTasks }: Pick<PageLoad, 'firstPaintMs' | 'longTasks'>): number {
  let interactive = firstPaintMs;
  for (const { startMs, durationMs } of longTasks.toSorted((a, b) => a.startMs - b.startMs)) {
    if (startMs + durationMs <= interactive) continue;
    if (startMs - interactive >= quietMs) break;
    interactive = startMs + durationMs;
  }
  return interactive;
}

/** For the page, before its first script: records what {@link readPage} reads. */
export const watchPage = `(() => {
  const seen = (window.seen = { firstPaintMs: 0, largestPaintMs: 0, shift: 0, longTasks: [], slowest: 0 });
  const watch = (type, note, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...options });
  watch('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') seen.firstPaintMs = startTime; });
  watch('largest-contentful-paint', ({ startTime }) => { seen.largestPaintMs = startTime; });
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value; });
  watch('longtask', ({ startTime, duration }) => seen.longTasks.push({ startMs: startTime, durationMs: duration }));
  watch('event', ({ interactionId, duration }) => {
    if (interactionId > 0) seen.slowest = Math.max(seen.slowest, duration);
  }, { durationThreshold: 16 });
})()`;

/** In the page: whether it is painted and has had no long task for a while. */
export const isQuiet = `window.seen.firstPaintMs > 0 && performance.now() -
  Math.max(window.seen.firstPaintMs, ...window.seen.longTasks.map((task) => task.startMs + task.durationMs)) > ${quietMs}`;

/** In the page: its {@link PageLoad}. */
export const readPage = `(() => {
  const { firstPaintMs, largestPaintMs, shift, longTasks } = window.seen;
  const files = performance.getEntriesByType('resource');
  const scripts = files.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
  const scriptBytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  return { firstPaintMs, largestPaintMs, shift, longTasks, requests: files.length + 1, scriptBytes };
})()`;

/** In the page: switches the only table back to a chart, and returns the milliseconds until the frame that shows it. */
export const redraw = `(async () => {
  const button = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Show as chart');
  const stage = document.getElementById(button.getAttribute('aria-controls'));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const started = performance.now();
  button.click();
  while (stage.querySelector('[role=img] path') === null) await frame();
  await frame();
  await frame();
  return performance.now() - started;
})()`;
