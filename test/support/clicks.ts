import type { Locator } from 'playwright-core';

/** Clicks as a person does, and counts them. */
export function countClicks() {
  let count = 0;
  return {
    click: async (target: Locator) => {
      count += 1;
      await target.click();
    },
    /** Since the last time. */
    take: () => {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}
