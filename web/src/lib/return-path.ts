/** Where sign-in leads back to: a path of this portal, never another site (no open redirect) and never the sign-in page itself. */
export function safeReturnPath(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return '/';
  // A browser reads backslashes as slashes and drops tabs and line breaks: `/\evil`, `/<tab>/evil` lead to another site.
  const url = URL.parse(value, 'http://portal.invalid');
  if (url === null || url.origin !== 'http://portal.invalid') return '/';
  if (url.pathname.startsWith('//') || url.pathname === '/sign-in') return '/';
  return url.pathname + url.search + url.hash;
}
