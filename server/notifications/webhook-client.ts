import { createHmac } from 'node:crypto';
import { type LookupAddress, type LookupAllOptions, lookup as lookUp } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';

const timeoutMs = 10_000;
const maxErrorLength = 300;

export interface Delivery {
  id: string;
  url: string;
  /** `whsec_` and base64. */
  secret: string;
  body: string;
  nowMs: number;
}

export type Delivered = { status: number | null; error: string | null };

/** The signature of Standard Webhooks (https://www.standardwebhooks.com). */
export const signatureOf = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`;

/** From the IANA registries of special-purpose addresses: those that are not publicly reachable, or lead to another address. */
const special: readonly [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];
const blocked = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [address, prefix] of special) {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  blocked[family].addSubnet(address, prefix, family);
}

/** Whether an IP address belongs to a machine of the internet: not loopback, private, link-local, multicast or reserved. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  if (isIPv4(plain)) return !blocked.ipv4.check(plain, 'ipv4');
  return isIPv6(plain) && !blocked.ipv6.check(plain, 'ipv6');
}

class RefusedTarget extends Error {
  constructor(host: string, { allowPrivate }: Pick<PostOptions, 'allowPrivate'>) {
    const hint = allowPrivate === null ? '' : ' Set Notifications__AllowPrivateTargets to allow it.';
    super(`${host} is not a public address.${hint}`);
  }
}

/** Resolves a name to all of its addresses. */
type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Resolves a name once, so that the connection goes to the address that was checked. */
const judgedLookup =
  ({ allowPrivate }: Pick<PostOptions, 'allowPrivate'>, resolve: Resolve): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null) return done(error, '');
      if (
        first === undefined ||
        (allowPrivate !== true && !addresses.every(({ address }) => isPublicAddress(address)))
      ) {
        return done(new RefusedTarget(host, { allowPrivate }), '');
      }
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };

interface PostOptions {
  /** Whether the settings allow private addresses; null if no setting can allow them. */
  allowPrivate: boolean | null;
  signal: AbortSignal;
  resolve?: Resolve;
}

/** Posts a signed delivery, as {@link postTo} does. */
export function deliver({ id, url, secret, body, nowMs }: Delivery, options: PostOptions): Promise<Delivered> {
  const timestamp = Math.floor(nowMs / 1000);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secret, id, timestamp, body),
  };
  return postTo({ url, headers, body }, options);
}

export interface PostRequest {
  url: string;
  headers: Readonly<Record<string, string | number>>;
  body: string | Uint8Array;
}

/** Posts where a stranger may choose the address: to public addresses only, whatever the settings say. */
export const postPublicly = (request: PostRequest, signal: AbortSignal): Promise<Delivered> =>
  postTo(request, { allowPrivate: null, signal });

/**
 * Posts a body. A status of 2xx means accepted. A redirect is not followed and means rejected. Of the response only the
 * status is read. Unless private addresses are allowed, a post fails if the name resolves to one at that moment.
 */
export async function postTo(
  { url, headers, body }: PostRequest,
  { allowPrivate, signal, resolve: resolveName = lookUp }: PostOptions,
): Promise<Delivered> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<Delivered>();
  try {
    if (isIP(host) !== 0 && allowPrivate !== true && !isPublicAddress(host))
      throw new RefusedTarget(host, { allowPrivate });
    const options = {
      method: 'POST',
      agent: false,
      lookup: judgedLookup({ allowPrivate }, resolveName),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: { ...headers, 'user-agent': 'power-monitoring-portal' },
    };
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, options, (response) => {
      const status = response.statusCode ?? 0;
      response.destroy();
      resolve({ status, error: status >= 200 && status < 300 ? null : `The answer was ${status}.` });
    });
    request.on('error', reject);
    request.end(body);
    return await promise;
  } catch (error) {
    const text =
      error instanceof Error ? (error.name === 'TimeoutError' ? 'There was no answer in time.' : error.message) : '';
    return { status: null, error: text.slice(0, maxErrorLength) || 'The connection failed.' };
  }
}
