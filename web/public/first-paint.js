// Runs before the first paint: in the reader's color scheme, so that a dark page never flashes white, and with what
// lib/first-paint.ts has kept. A file of its own: the CSP forbids inline scripts.
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
  const ask = (href, rel, attributes) =>
    document.head.append(Object.assign(document.createElement('link'), { href, rel, ...attributes }));
  const { texts = {}, pages = [] } = JSON.parse(document.currentScript.dataset.files ?? '{}');
  const [before = [], behind = []] = texts[keptIn('language') ?? navigator.language.split('-')[0]] ?? texts.en ?? [];
  for (const file of before) ask(file, 'modulepreload');
  if (isSignedIn === 'shell') {
    const mine = pages.filter(({ paths }) => paths.length === 0 || paths.includes(location.pathname));
    for (const path of mine.flatMap(({ answers }) => answers)) {
      ask(path, 'preload', { as: 'fetch', crossOrigin: 'anonymous' });
    }
    for (const file of new Set([...behind, ...mine.flatMap(({ files }) => files)])) ask(file, 'modulepreload');
  }
  if (color === undefined) return;
  root.style.setProperty('--first-color', color);
  root.style.setProperty('--first-name', JSON.stringify(name.join(' ')));
})();
