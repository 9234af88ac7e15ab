// Loading times of the page: first loads without a cache in a real browser with a slow processor and a slow network, for 100
// and 300 devices, and response times. It does not use a real phone; the slow processor depends on this machine.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { ensureBrowser } from '../scripts/browser.mjs';
import { ensureWebPage } from '../scripts/web-page.mjs';
import {
  dayMs,
  historyBodies,
  minuteMs,
  minutesPerDay,
  meterHistory,
  repeatedHistory,
  rowsOf,
} from './support/history.ts';
import { rowOrigin } from './support/meter-rows.ts';
import { fill, store } from './support/materialization.ts';
import { latencyOf } from './support/measuring.ts';
import { interactiveMs, isQuiet, type PageLoad, readPage, redraw, watchPage } from './support/page-load.ts';
import { signInAt } from '../test/support/portal.ts';
import { type BenchPortal, startBenchPortal } from './support/portal.ts';
import { count, head, judged, line, milliseconds } from './support/report.ts';

const runs = 3;
const slowdown = 4;
const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };
/** Bits per second, and the latency of each request. */
const slow = { rate: 1_600_000, waitMs: 40 };
const slowest = { rate: 400_000, waitMs: 40 };
const marks = { shift: 0.02, interactiveMs: 3_000, usefulMs: 1_000, answerMs: 200, chartMs: 300 };
const signInMarks = { largestPaintMs: 1_500, scriptBytes: 150_000 };
const dashboardMarks = { largestPaintMs: 2_200, scriptBytes: 350_000 };
type Marks = typeof signInMarks;
/** What the browser of a returning reader has stored. */
const seenBefore = `localStorage.setItem('first-paint', 'shell #0b7285 Power monitoring');
localStorage.setItem('first-days', 'Europe/Berlin');`;

await ensureWebPage();
await using browser = await chromium.launch({
  executablePath: await ensureBrowser(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});

for (const devices of [100, 300]) {
  await using portal = await startBenchPortal({ devices, connections: 4, expectedIntervalSeconds: 900 });
  const stored = await fillYear(portal, devices);
  const cookie = await signInAt(portal.url);
  console.log(
    `${devices} devices with ${count(stored)} ${rowOrigin} rows. ${browser.version()}, processor ${slowdown}x slower, ${slow.rate / 1e6} Mbit/s and ${slow.waitMs} ms for each request, nothing cached; median of ${runs} loads, one on a wide screen and of pages without marks of their own.`,
  );
  console.log('');
  head('page | width: | painted ms: | largest ms: | interactive ms: | shift: | JavaScript kB: | requests: | misses');
  if (devices === 100) await loads(portal.url, '', '/sign-in', phone, signInMarks);
  await loads(portal.url, cookie, '/dashboard', phone, dashboardMarks);
  if (devices === 300) {
    await loads(portal.url, cookie, '/dashboard', desk, dashboardMarks, 1);
    for (const path of ['/measurements', '/compare', '/sites', '/settings/profile']) {
      await loads(portal.url, cookie, path, phone, {}, 1);
    }
  }
  console.log('');
  head('what | median ms: | worst ms: | mark | holds');
  if (devices === 100) await firstPaint('sign-in', portal.url, '', '/sign-in');
  await firstPaint('Dashboard', portal.url, cookie, '/dashboard');
  await answers(portal.url, cookie);
  await chart(portal.url, cookie, portal.deviceIds[0] ?? '');
  console.log('');
}

/** A month of quarter-hours of all devices, after a year of hours of one. */
async function fillYear(portal: BenchPortal, devices: number): Promise<number> {
  const end = Math.floor(Date.now() / (15 * minuteMs)) * 15 * minuteMs;
  const history = repeatedHistory(meterHistory(end - 365 * dayMs), 100);
  const year = { from: 0, to: 334 * minutesPerDay, step: 60 };
  const month = { from: year.to, to: 365 * minutesPerDay, step: 15 };
  const all = Array.from({ length: devices }, (_, device) => device);
  await store(portal, historyBodies(history, [0], [year]));
  await fill(portal, historyBodies(history, all, [month]));
  return rowsOf(year) + devices * rowsOf(month);
}

/** A page of a browser that has nothing stored but a session. */
async function open(url: string, cookie: string, viewport = phone, rate?: typeof slow): Promise<Page> {
  const context: BrowserContext = await (browser satisfies Browser).newContext({
    baseURL: url,
    locale: 'en-GB',
    viewport,
    reducedMotion: 'no-preference',
  });
  context.setDefaultTimeout(180_000);
  const [name = '', value = ''] = cookie.split('=');
  if (cookie !== '') await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.addInitScript(watchPage);
  // The browser of a user who was here before.
  if (cookie !== '') await page.addInitScript(seenBefore);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (rate !== undefined) {
    const throughput = rate.rate / 8;
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: rate.waitMs,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  return page;
}

async function loads(
  url: string,
  cookie: string,
  path: string,
  viewport: typeof phone,
  mark: Partial<Marks>,
  times = runs,
): Promise<void> {
  const seen: PageLoad[] = [];
  for (let run = 0; run < times; run += 1) {
    const page = await open(url, cookie, viewport, slow);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await until(page, isQuiet);
    seen.push(await page.evaluate<PageLoad>(readPage));
    await page.context().close();
  }
  const median = (value: (load: PageLoad) => number) => latencyOf(seen.map(value)).median;
  const largest = median(({ largestPaintMs }) => largestPaintMs);
  const interactive = median(interactiveMs);
  const shift = Math.max(...seen.map((load) => load.shift));
  const scripts = median(({ scriptBytes }) => scriptBytes);
  const misses = [
    { name: 'largest', value: largest, mark: mark.largestPaintMs ?? dashboardMarks.largestPaintMs },
    { name: 'interactive', value: interactive, mark: marks.interactiveMs },
    { name: 'shift', value: shift, mark: marks.shift },
    { name: 'JavaScript', value: scripts, mark: mark.scriptBytes ?? dashboardMarks.scriptBytes },
  ].filter((one) => !(one.value < one.mark));
  line(
    path,
    viewport.width,
    milliseconds(median(({ firstPaintMs }) => firstPaintMs)),
    milliseconds(largest),
    milliseconds(interactive),
    shift.toFixed(3),
    count(scripts / 1000),
    median(({ requests }) => requests),
    misses.length === 0
      ? 'none'
      : misses.map((one) => `${one.name} (${one.mark > 10_000 ? `${one.mark / 1000} kB` : one.mark})`).join(', '),
  );
}

/** Evaluated by the debugger, because the CSP of the page forbids eval. */
async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate<boolean>(condition))) await sleep(200);
}

/** How long a reader with a very slow network sees nothing. */
async function firstPaint(name: string, url: string, cookie: string, path: string): Promise<void> {
  const painted: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const page = await open(url, cookie, phone, slowest);
    await page.goto(path, { waitUntil: 'commit' });
    await until(page, 'window.seen.firstPaintMs > 0');
    painted.push(await page.evaluate<number>('window.seen.firstPaintMs'));
    await page.context().close();
  }
  report(`${name}: first paint at ${slowest.rate / 1000} kbit/s`, painted, marks.usefulMs);
}

/** Actions of the reader on the Overview, and the longest time until the next frame. */
async function answers(url: string, cookie: string): Promise<void> {
  const page = await open(url, cookie, desk);
  await page.goto('/dashboard?range=this-month');
  const picker = page.getByRole('button', { name: /^Devices:/ }).first();
  const settled = async () => {
    await page.waitForLoadState('networkidle');
    await until(page, 'performance.now() - Math.max(0, ...window.seen.longTasks.map((task) => task.startMs)) > 500');
  };
  const steps: [string, () => Promise<void>][] = [
    ['the device picker opens', () => picker.click()],
    ['a letter into its search', () => page.keyboard.press('b')],
    ['the picker closes', () => page.keyboard.press('Escape')],
    ['chart to table', () => page.getByRole('button', { name: 'Show as table' }).first().click()],
    ['table to chart', () => page.getByRole('button', { name: 'Show as chart' }).first().click()],
    ['the range before', () => page.getByRole('button', { name: 'Previous range' }).click()],
    ['another page', () => page.getByRole('link', { name: 'Sites', exact: true }).click()],
  ];
  await page.getByRole('button', { name: 'Show as table' }).first().waitFor();
  await settled();
  for (const [name, step] of steps) {
    await page.evaluate('window.seen.slowest = 0');
    await step();
    await settled();
    report(`${name}, to the next frame`, [await page.evaluate<number>('window.seen.slowest')], marks.answerMs);
  }
  await page.context().close();
}

/** A year's load curve of an existing device: from the click to the frame that shows it. */
async function chart(url: string, cookie: string, device: string): Promise<void> {
  const page = await open(url, cookie, desk);
  await page.goto(`/dashboard?range=this-year&devices=${device}`);
  // The panels below it have tables too, and may be drawn before it.
  const panel = page.getByRole('region', { name: 'Load curve' });
  const taken: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    await panel.getByRole('button', { name: 'Show as table' }).click();
    await panel.getByRole('button', { name: 'Show as chart' }).waitFor();
    await page.waitForLoadState('networkidle');
    taken.push(await page.evaluate<number>(redraw));
  }
  report("a year's chart is drawn", taken.slice(1), marks.chartMs);
  await page.context().close();
}

function report(name: string, taken: readonly number[], markMs: number): void {
  const { median, worst } = latencyOf(taken);
  line(name, milliseconds(median), milliseconds(worst), ...judged(`< ${count(markMs)} ms`, median < markMs));
}
