// Runs before the first paint: in the reader's color scheme, so that a dark page never flashes white, and with what
// lib/first-paint.ts has kept: the frame of the pages where somebody was signed in, the sign-in page otherwise. A file of its own:
// the CSP forbids inline scripts.
(() => {
  const root = document.documentElement;
  const keptIn = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be blocked; the system's scheme then holds.
      return null;
    }
  };
  const chosen = keptIn('color-scheme');
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
  const [isSignedIn, color, ...name] = (keptIn('first-paint') ?? '').split(' ');
  if (isSignedIn === 'shell') root.setAttribute('data-first', 'shell');
  // What the page will ask for anyway, once it has code to ask with. Nothing of it is run here, and a wrong guess costs a file.
  const ask = (href, rel, attributes) => {
    const link = Object.assign(document.createElement('link'), { href, rel, ...attributes });
    document.head.append(link);
    return link;
  };
  const { texts = {}, titles = {}, pages = [] } = JSON.parse(document.currentScript.dataset.files ?? '{}');
  const wanted = [keptIn('language') ?? '', ...navigator.languages].map((tag) => tag.toLowerCase().split('-')[0]);
  const language = wanted.find((one) => Object.hasOwn(texts, one)) ?? 'en';
  const ownTexts = texts[language] ?? {};
  for (const file of ownTexts.first ?? []) ask(file, 'modulepreload');
  if (isSignedIn === 'shell') {
    const { answers = [], stages = [] } =
      pages.find(({ paths }) => paths.length === 0 || paths.includes(location.pathname)) ?? {};
    // Only a Client's Dashboard has kept it.
    const times = timesIn(keptIn('first-days'));
    const said = (path) => path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(times[name]));
    for (const path of times === null ? [] : answers) {
      if (location.search === '' || !path.includes('{'))
        ask(said(path), 'preload', { as: 'fetch', crossOrigin: 'anonymous', className: 'asked-ahead' });
    }
    askInTurn(stages);
  }
  // The files of a stage once those before them are there: together each would be later.
  function askInTurn([files = [], ...later]) {
    const awaited = new Set(files.flatMap((file) => ownTexts[file] ?? file));
    for (const file of awaited) {
      ask(file, 'modulepreload').addEventListener('load', () => {
        awaited.delete(file);
        if (awaited.size === 0) askInTurn(later);
      });
    }
  }
  // Today and its neighbours where the Dashboard's days are those of this zone, and the instants that its page will name; null where
  // this browser does not know the zone.
  function timesIn(timeZone) {
    const now = Date.now();
    const before = (ms, step) => new Date(Math.floor(now / step) * step - ms).toISOString();
    const dayMs = 86_400_000;
    let parts;
    try {
      const format = { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' };
      parts = timeZone && new Intl.DateTimeFormat('en', format).formatToParts(now);
    } catch {
      return null;
    }
    if (!parts) return null;
    const [year, month, day] = ['year', 'month', 'day'].map((name) => parts.find(({ type }) => type === name).value);
    const today = Date.UTC(year, month - 1, day);
    const date = (ms) => new Date(ms).toISOString().slice(0, 10);
    return {
      timeZone,
      yesterday: date(today - dayMs),
      today: date(today),
      tomorrow: date(today + dayMs),
      now: before(0, 60_000),
      quarter: before(0, 900_000),
      twelveHoursBefore: before(dayMs / 2, 900_000),
    };
  }
  const showBrand = (color, name) => {
    const title = isSignedIn === 'shell' ? name : (titles[language] ?? '').replace('{name}', () => name);
    root.style.setProperty('--first-color', color);
    root.style.setProperty('--first-title', JSON.stringify(title));
  };
  if (color !== undefined) return showBrand(color, name.join(' '));
  fetch('/api/branding')
    .then((answer) => answer.json())
    .then(({ primaryColor, applicationName }) => showBrand(primaryColor, applicationName))
    .catch(() => undefined);
})();
