import type { onRequestAsyncHookHandler } from 'fastify';
import { DomainError } from '../domain/errors.ts';

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses state-changing requests that a browser sends for another site (decisions.md 2). A sibling subdomain is another
 * customer, so `same-site` is refused too. Requests without either header do not come from a browser and pass.
 */
export function refuseCrossSite(publicUrl: string): onRequestAsyncHookHandler {
  const isOwn = ownOrigins(new URL(publicUrl));
  return async (request) => {
    if (readingMethods.has(request.method)) return;
    const fetchSite = request.headers['sec-fetch-site'];
    const origin = request.headers.origin;
    const isForeignSite = fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none';
    if (isForeignSite || (origin !== undefined && !isOwn(origin, request.host))) {
      throw new DomainError('forbidden', 'This request came from another website and was refused.');
    }
  };
}

/** The public address, and whatever address the request itself was sent to. */
function ownOrigins(publicUrl: URL): (origin: string, requestHost: string) => boolean {
  return (origin, requestHost) => {
    if (!URL.canParse(origin)) return false;
    const { host, protocol } = new URL(origin);
    // Where the portal is https, a plain page of the same name is somebody on the wire.
    if (host === publicUrl.host) return protocol === 'https:' || publicUrl.protocol === 'http:';
    return host === requestHost;
  };
}
