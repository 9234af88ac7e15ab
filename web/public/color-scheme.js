// Runs before the first paint, so that a dark page never flashes white. A file of its own: the CSP forbids inline scripts.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('color-scheme');
  } catch {
    // Storage may be blocked; the system's scheme then holds.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
