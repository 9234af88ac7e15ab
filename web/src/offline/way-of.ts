/**
 * How the worker answers a request: `page` by the network, and from the kept shell where that fails; `asset` from the shell;
 * `file`, which has no hash in its name, by the network first. Null: not at all, the browser asks as if there were no worker.
 */
export type Way = 'page' | 'asset' | 'file';

interface Asked {
  method: string;
  /** `navigate` for a page that is opened. */
  mode: string;
  /** What asks; `document` is a page of its own, `iframe` one in a frame. */
  destination: string;
  url: string;
}

// What these answer is never a page of ours: figures, exports, keys, uploads, streams, and the pages of other programs.
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
