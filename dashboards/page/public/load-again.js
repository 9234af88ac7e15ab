// If a file of the page is missing (the network changed, or the tool was replaced), the page would stay blank. It is loaded again,
// once a minute at most. A file of its own, because the CSP forbids inline scripts.
(() => {
  const key = 'loaded-again';
  const loadAgain = () => {
    if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < 60_000) return;
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  };
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && loadAgain(), true);
  addEventListener('vite:preloadError', loadAgain);
})();
