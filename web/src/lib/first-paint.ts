import type { Branding } from '../../../shared/app.ts';

const store = 'first-paint';

/** Keeps for the next load what it shows before any code has come (public/first-paint.js). */
export function keepForFirstPaint({ primaryColor, applicationName }: Branding, isSignedIn: boolean): void {
  try {
    localStorage.setItem(store, `${isSignedIn ? 'shell' : 'sign-in'} ${primaryColor} ${applicationName}`);
  } catch {
    // Storage may be blocked; the next load then begins without the brand.
  }
}

/** Keeps whose days the Dashboard means, so that the next load asks for today's first numbers before any code has come. */
export function keepFirstDays(timeZone: string): void {
  try {
    localStorage.setItem('first-days', timeZone);
  } catch {
    // The next load then asks once its code is there.
  }
}

/** Somebody was signed in here when the page was left: their pages are the ones that will be asked for. */
export const wasSignedIn = (): boolean => document.documentElement.dataset['first'] === 'shell';
