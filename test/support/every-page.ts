import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAccessibility, type WatchedPage } from './browser.ts';
import { signIn } from './session.ts';
import type { StageOfFile } from './stage.ts';

type ColorScheme = 'light' | 'dark';

/** How all pages are looked at. */
export interface Look {
  width: number;
  locale?: string;
  /** In these they must be accessible; from the second on at 1920 px. */
  accessibleIn: readonly ColorScheme[];
}

interface EveryPage {
  /** The path, its English heading, a text that appears with its data, and whether it has times. */
  pages: readonly { path: string; heading: string; content?: string | RegExp; hasTimes?: boolean }[];
  looks: readonly Look[];
  stage: Pick<StageOfFile, 'portal' | 'open'>;
  /** With the ids that only a filled portal has. */
  addressOf?: (path: string) => string;
}

export const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** A desk of 1280 x 1024 px at 200 %, and at 400 %. */
const zoomed = [
  { width: 640, height: 512 },
  { width: 320, height: 256 },
];

const watchShifts = `window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      if (!shift.hadRecentInput) window.shifts.push({ value: shift.value, moved: shift.sources.map(({ node }) => node?.textContent.slice(0, 40)) });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** In the page, because intercepted requests make the browser forget its cache. */
const answerSlowly = `window.asked = { count: 0, open: 0, at: 0 };
  const ask = window.fetch;
  window.fetch = async (...request) => {
    asked.count += 1;
    asked.open += 1;
    try {
      await new Promise((resolve) => setTimeout(resolve, 100 + (asked.count % 4) * 150));
      return await ask(...request);
    } finally {
      asked.open -= 1;
      asked.at = performance.now();
    }
  };`;
/** Waits until half a second has passed without a new or running request; returns the number of requests. */
const answered = `(async () => {
  while (asked.open > 0 || performance.now() - asked.at < 500) await new Promise((resolve) => setTimeout(resolve, 100));
  return asked.count;
})()`;

/** Everything that one load of a page shows is checked in one test, because loading costs most. */
export function describeEveryPage({ pages, looks, stage, addressOf = (path) => path }: EveryPage): void {
  describe.each(looks)('every page at $width px', ({ width, locale = 'en-GB', accessibleIn }) => {
    const [colorScheme = 'light', ...otherSchemes] = accessibleIn;
    // Zoomed, a page has the same widths whatever its window.
    const isZoomed = looks.every((other) => (other.locale ?? 'en-GB') !== locale || other.width <= width);
    const foreign: string[] = [];
    let opened: WatchedPage;

    beforeAll(async () => {
      opened = await stage.open({ colorScheme, locale, viewport: { width, height: 900 } });
      const { page } = opened;
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith('http') && url.origin !== stage.portal.url) foreign.push(request.url());
      });
      await signIn(page);
      await page.addInitScript(watchShifts);
      await page.addInitScript(answerSlowly);
    });
    afterAll(() => opened?.page.context().close());

    it.each(pages)(
      `$path: nothing moves while the answers come slowly, it does not scroll sideways${isZoomed ? ', also zoomed to 200 % and 400 %' : ''}, nothing is wrong in the console or asked of another host`,
      async ({ path, heading, content, hasTimes = false }) => {
        const { page, problems } = opened;
        problems.length = 0;
        foreign.length = 0;
        await page.goto(addressOf(path));
        const name = locale.startsWith('en') ? { name: heading } : {};
        await page.getByRole('heading', { level: 1, ...name }).waitFor();
        if (content !== undefined) await page.getByText(content).first().waitFor();
        expect(await page.evaluate<number>(answered)).toBeGreaterThan(0);
        // On a wide screen the navigation names the time zone.
        if (hasTimes)
          expect(
            await page
              .getByText(/^Times in [A-Z]/)
              .filter({ visible: true })
              .count(),
          ).toBe(1);
        await page.waitForLoadState('networkidle');
        const shifts = await page.evaluate<{ value: number; moved: string[] }[]>('window.shifts');
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        expect(sum, JSON.stringify(shifts)).toBeLessThan(0.01);
        expect(await overflowOf(page)).toBeLessThanOrEqual(0);
        if (accessibleIn.length > 0) await checkAccessibility(page);
        for (const scheme of otherSchemes) {
          await page.emulateMedia({ colorScheme: scheme });
          await page.setViewportSize({ width: 1920, height: 900 });
          expect(await overflowOf(page)).toBeLessThanOrEqual(0);
          await checkAccessibility(page);
        }
        for (const viewport of isZoomed ? zoomed : []) {
          await page.setViewportSize(viewport);
          expect(await overflowOf(page), `at ${viewport.width} px`).toBeLessThanOrEqual(0);
        }
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect([problems, foreign]).toEqual([[], []]);
      },
    );
  });
}
