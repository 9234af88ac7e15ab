import type { onRequestAsyncHookHandler } from 'fastify';
import { DomainError } from '../domain/errors.ts';

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses state-changing requests that a browser sends for another site (decisions.md 2). A sibling subdomain is another
 * customer, so `same-site` is refused too. Requests without either header do not come from a browser and pass.
 */
export function refuseCrossSite(publicUrl: string): onRequestAsyncHookHandler {
  const publicHost = new URL(publicUrl).host;
  return async (request) => {
    if (readingMethods.has(request.method)) return;
    const fetchSite = request.headers['sec-fetch-site'];
    const origin = request.headers.origin;
    const isForeignSite = fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none';
    if (isForeignSite || (origin !== undefined && !isOwnOrigin(origin, request.host, publicHost))) {
      throw new DomainError('forbidden', 'This request came from another website and was refused.');
    }
  };
}

function isOwnOrigin(origin: string, requestHost: string, publicHost: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === requestHost || host === publicHost;
}
