import type { Locator, Page } from 'playwright-core';

/** The words of a tile, which is named by its figure. */
export const tile = (page: Page, name: string) =>
  page.locator('dl > div').filter({ has: page.locator('dt').getByText(name, { exact: true }) });
/** Texts as they are read: no-break spaces become spaces. */
export const words = async (locator: Locator) =>
  (await locator.allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' '));
export const textOf = async (locator: Locator) => (await words(locator)).join('\n');
export const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
