import { createHmac, timingSafeEqual } from 'node:crypto';

/** The user of a request to the dashboard tool, according to the portal. */
export interface GateIdentity {
  /** The id of the account. */
  user: string;
  email: string;
  name: string;
  /** The highest role of the account. */
  role: GateRole;
}

const gateRoles = ['Admin', 'RestrictedAdmin', 'User'] as const;
export type GateRole = (typeof gateRoles)[number];

const identityHeaders = ['x-portal-user', 'x-portal-email', 'x-portal-name', 'x-portal-role'] as const;
const proofHeader = 'x-portal-proof';
/** All headers that identify the user. A proxy in front of the tool must remove them from requests of clients. */
export const gateHeaderNames = [...identityHeaders, proofHeader] as const;

/** How long a proof is valid: as long as a request may take from the gate to the tool. */
const proofSeconds = 60;

export interface GateKey {
  /** `Dashboard__GateSecret`, which only the portal and its tool have. */
  secret: string;
  /** Epoch milliseconds. */
  nowMs: number;
}

/**
 * The headers that tell the dashboard tool who the user is. All of them are always sent, with a proof that the portal made
 * them. So no client and no other container can forge an identity, not even if a proxy forgets to remove headers.
 */
export function gateHeaders(identity: GateIdentity, { secret, nowMs }: GateKey) {
  const values = [identity.user, identity.email, identity.name, identity.role].map(encode);
  const [user = '', email = '', name = '', role = ''] = values;
  const expiresAt = String(Math.floor(nowMs / 1000) + proofSeconds);
  return {
    'x-portal-user': user,
    'x-portal-email': email,
    'x-portal-name': name,
    'x-portal-role': role,
    'x-portal-proof': `v1.${expiresAt}.${sign(values, expiresAt, secret).toString('base64url')}`,
  } satisfies Record<(typeof gateHeaderNames)[number], string>;
}

/**
 * The user according to the headers of a request. Null without a proof that is still valid and belongs to exactly these values.
 */
export function findGateIdentity(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { secret, nowMs }: GateKey,
): GateIdentity | null {
  const values = identityHeaders.map((header) => headers[header]).filter((value) => typeof value === 'string');
  const proof = headers[proofHeader];
  const match = /^v1\.(\d{1,12})\.([\w-]{43})$/.exec(typeof proof === 'string' ? proof : '');
  const [, expiresAt = '', signature = ''] = match ?? [];
  if (match === null || values.length !== identityHeaders.length || values.some((value) => !isEncoded(value))) {
    return null;
  }
  const isOurs = timingSafeEqual(Buffer.from(signature, 'base64url'), sign(values, expiresAt, secret));
  if (!isOurs || nowMs >= Number(expiresAt) * 1000) return null;
  const [user = '', email = '', name = '', role = ''] = values.map(decodeURIComponent);
  const known = gateRoles.find((one) => one === role);
  return known === undefined ? null : { user, email, name, role: known };
}

/** No value contains a line break, so the boundaries between values are unambiguous. */
const sign = (values: readonly string[], expiresAt: string, secret: string) =>
  createHmac('sha256', secret)
    .update(['v1', ...values, expiresAt].join('\n'))
    .digest();

/** Percent-encoded UTF-8, because headers only take Latin-1; characters of plain emails stay readable. */
const encode = (value: string) =>
  encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@').replaceAll('%2B', '+');

const isEncoded = (value: string) => /^(?:[\w.!~*'()@+-]|%[\dA-F]{2})+$/.test(value);
