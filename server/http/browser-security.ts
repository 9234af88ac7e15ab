import type { IncomingHttpHeaders } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { refuse } from '../base/errors.ts';

/** Browser features that no page of the portal uses and no frame in it may use. */
const unusedFeatures = [
  'accelerometer',
  'camera',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
];

/**
 * For answers of the dashboard tool. Only the page of the portal may show it in a frame. The tool itself sends the policy for
 * scripts.
 */
export const framedBySelf = {
  'content-security-policy': "frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
} as const;

/** The security headers of every response, including those that no route or hook sees. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  const isHttps = publicUrl.startsWith('https:');
  const contentSecurityPolicy = [
    "default-src 'self'",
    // Mantine and the charts of the dashboard tool set style attributes. Scripts come only from files.
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: https:${isHttps ? '' : ' http:'}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ];
  return {
    'content-security-policy': contentSecurityPolicy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
    'referrer-policy': 'same-origin',
    // Without subdomains, because the portal does not decide for them.
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
}

/** Methods that change nothing. */
export const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The names by which a URL can mean this machine, whatever other names it has. */
export const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Rejects requests that change something and that a browser sends for another site (decisions.md 2). `same-site` is rejected
 * too, because a sibling subdomain belongs to another customer. So are web sockets, because browsers let any site open them.
 * Requests with neither header do not come from a browser, so they pass. The Host of a request proves nothing, so the public
 * address decides. In Development, loopback names count as this portal too.
 */
export function refuseCrossSite(publicUrl: string, isDevelopment: boolean): onRequestHookHandler {
  const isOwn = ownOrigins(new URL(publicUrl), isDevelopment);
  const refuseForeign = (headers: IncomingHttpHeaders) => {
    const fetchSite = headers['sec-fetch-site'];
    const origin = headers.origin;
    const isForeignSite = fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none';
    if (isForeignSite) throw refuse('crossSite');
    if (origin !== undefined && !isOwn(origin)) {
      throw refuse('crossSiteAt', { address: publicUrl });
    }
  };
  return (request, _reply, done) => {
    const isWriting = !readingMethods.has(request.method);
    if (isWriting || request.headers.upgrade !== undefined) refuseForeign(request.headers);
    done();
  };
}

function ownOrigins(publicUrl: URL, isDevelopment: boolean): (origin: string) => boolean {
  return (origin) => {
    if (!URL.canParse(origin)) return false;
    const { host, hostname, protocol } = new URL(origin);
    // If the portal uses https, a page with the same name on http comes from an attacker on the network.
    if (host === publicUrl.host) return protocol === 'https:' || publicUrl.protocol === 'http:';
    return isDevelopment && loopbackNames.has(hostname);
  };
}
