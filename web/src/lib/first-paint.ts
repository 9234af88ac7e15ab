import type { Branding } from '../../../shared/app.ts';
import type { Language } from '../../../shared/messages.ts';

const firstPaintKey = 'first-paint';
const firstDaysKey = 'first-days';
const languageKey = 'language';
/** The key under which Mantine stores the reader's choice. */
export const colorSchemeKey = 'color-scheme';

/** The URL of the Overview, whose first numbers are shown before the code of the pages has arrived. */
export const dashboardPaths = ['/', '/dashboard'];

/** The browser may block storage. Then nothing is stored. */
function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The browser may block storage. Then the next load begins without the value. */
function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then nothing is stored.
  }
}

/** Stores what the next load shows before any code has arrived (`web/first/first-paint.ts`). */
export const keepForFirstPaint = ({ primaryColor, applicationName }: Branding, isSignedIn: boolean): void =>
  keep(firstPaintKey, `${isSignedIn ? 'shell' : 'sign-in'} ${primaryColor} ${applicationName}`);

/** The stored values; no brand on a first visit. */
export function keptFirstPaint() {
  const [page, primaryColor, ...name] = (kept(firstPaintKey) ?? '').split(' ');
  const brand = primaryColor === undefined ? null : { primaryColor, applicationName: name.join(' ') };
  return { isSignedIn: page === 'shell', brand };
}

/** Stores the time zone of the Overview, so that the next load requests today's first numbers before any code has arrived. */
export const keepFirstDays = (timeZone: string): void => keep(firstDaysKey, timeZone);

export const keptFirstDays = (): string | null => kept(firstDaysKey);

export const keptColorScheme = (): string | null => kept(colorSchemeKey);

/** If the browser blocks storage, the chosen language applies until the page is closed. */
export const saveLanguage = (language: Language): void => keep(languageKey, language);

export const readSavedLanguage = (): string | null => kept(languageKey);

/** Whether a user was signed in when the page was closed. Then the pages behind sign-in will be requested. */
export const wasSignedIn = (): boolean => document.documentElement.dataset['first'] === 'shell';
