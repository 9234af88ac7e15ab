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
  if (color === undefined) return;
  root.style.setProperty('--first-color', color);
  root.style.setProperty('--first-name', JSON.stringify(name.join(' ')));
})();
