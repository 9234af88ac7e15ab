/**
 * How the worker answers a request. `page`: from the network or, if that fails, from the stored shell. `asset`: from the shell.
 * `file`, which has no hash in its name: from the network if possible. Null: the browser sends the request as if there were no
 * worker.
 */
export type Way = 'page' | 'asset' | 'file';

interface Asked {
  method: string;
  /** `navigate` for a page that is opened. */
  mode: string;
  /** The kind of client; `document` is a top-level page, `iframe` a page in a frame. */
  destination: string;
  url: string;
}

// The answers under these paths are never pages of ours. They are figures, exports, keys, uploads, streams, or pages of other
// programs.
const neverPages = /^\/+(?:api|assets|health|metrics|uploads)(?:\/|$)/i;

/** `files` are those of the shell, as paths of `origin`. */
export function wayOf(asked: Asked, origin: string, files: ReadonlySet<string>): Way | null {
  const { origin: ofRequest, pathname } = new URL(asked.url);
  if (asked.method !== 'GET' || ofRequest !== origin) return null;
  if (asked.mode === 'navigate') {
    const isPage = asked.destination === 'document' && !neverPages.test(pathname) && !files.has(pathname);
    return isPage ? 'page' : null;
  }
  if (!files.has(pathname)) return null;
  return pathname.startsWith('/assets/') ? 'asset' : 'file';
}
