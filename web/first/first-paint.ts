// Runs before the first paint and draws in the reader's color scheme, so that a dark page never flashes white. It shows what was
// kept: the frame of the pages for a signed-in user, otherwise the sign-in page. It is a separate file because the CSP forbids
// inline scripts.
import type { Branding } from '../../shared/app.ts';
import { keptColorScheme, keptFirstDays, keptFirstPaint, readSavedLanguage } from '../src/lib/first-paint.ts';
import { firstTimes, pathAt } from './first-times.ts';
import type { FirstFiles } from './requests.ts';

const root = document.documentElement;
const chosen = keptColorScheme();
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');

const { isSignedIn, brand } = keptFirstPaint();
if (isSignedIn) root.setAttribute('data-first', 'shell');

// Requests what the page will need anyway, before its code has arrived. Nothing of it is run here, and a wrong guess costs one
// file.
const {
  texts = {},
  titles = {},
  pages = [],
}: Partial<FirstFiles> = JSON.parse(document.currentScript?.dataset['files'] ?? '{}');
const wanted = [readSavedLanguage() ?? '', ...navigator.languages].map((tag) => tag.toLowerCase().split('-')[0] ?? '');
const language = wanted.find((one) => Object.hasOwn(texts, one)) ?? 'en';
const ownTexts = texts[language] ?? {};
for (const file of ownTexts['first'] ?? []) ask(file, 'modulepreload');
if (isSignedIn) {
  const page = pages.find(({ paths }) => paths.length === 0 || paths.includes(location.pathname));
  // Only a Client's Dashboard has stored it.
  const timeZone = keptFirstDays();
  const times = timeZone === null ? null : firstTimes(timeZone, Date.now());
  if (times !== null) {
    for (const path of page?.requests ?? []) {
      if (location.search === '' || !path.includes('{'))
        ask(pathAt(path, times), 'preload', { as: 'fetch', crossOrigin: 'anonymous', className: 'asked-ahead' });
    }
  }
  askInTurn(page?.stages ?? []);
}

if (brand !== null) showBrand(brand);
else {
  fetch('/api/branding')
    .then((answer): Promise<Branding> => answer.json())
    .then(showBrand)
    .catch(() => undefined);
}

function ask(href: string, rel: string, attributes: Partial<HTMLLinkElement> = {}): HTMLLinkElement {
  const link = Object.assign(document.createElement('link'), { href, rel, ...attributes });
  document.head.append(link);
  return link;
}

/** The files of a stage, once those before them have arrived: requested together, each would arrive later. */
function askInTurn([files = [], ...later]: readonly (readonly string[])[]): void {
  const awaited = new Set(files.flatMap((file) => ownTexts[file] ?? file));
  for (const file of awaited) {
    ask(file, 'modulepreload').addEventListener('load', () => {
      awaited.delete(file);
      if (awaited.size === 0) askInTurn(later);
    });
  }
}

function showBrand({ primaryColor, applicationName }: Pick<Branding, 'primaryColor' | 'applicationName'>): void {
  const title = isSignedIn ? applicationName : (titles[language] ?? '').replace('{name}', () => applicationName);
  root.style.setProperty('--first-color', primaryColor);
  root.style.setProperty('--first-title', JSON.stringify(title));
}
