import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { applicationName, footerText, logoUrl } from '../../shared/app.ts';
import { email, hexColor, timeZone } from '../../shared/primitives.ts';
import { addressesIn, piecesOf } from '../base/database-address.ts';

/** A kind of setting: how it is parsed, described in messages, and shown. */
export interface Kind<T> {
  /** Completes "… takes ". */
  takes: string;
  /** Undefined when the text is not of this kind. */
  parse: (raw: string) => T | undefined;
  /** How a value looks in the configuration overview; never holds a secret. */
  show: (value: T) => string;
  /** Whether the message may repeat a rejected text; a mistyped address may hold a password. */
  mayRepeat: (raw: string) => boolean;
}

interface Showing<T> {
  show?: Kind<T>['show'];
  mayRepeat?: Kind<T>['mayRepeat'];
}

const always = () => true;
const never = () => false;

function kind<T>(
  takes: string,
  parse: Kind<T>['parse'],
  { show = String, mayRepeat = always }: Showing<T> = {},
): Kind<T> {
  return { takes, parse, show, mayRepeat };
}

/** A kind that accepts what a schema accepts. */
const ofSchema = <T>(takes: string, schema: z.ZodType<T>, showing?: Showing<T>): Kind<T> =>
  kind(takes, (raw) => schema.safeParse(raw).data, showing);

export const anyText = kind('any text', (raw) => raw);

/** A password: kept as it was written, never shown. */
export const secretText: Kind<string> = { ...anyText, takes: 'a secret text', show: () => '…', mayRepeat: never };

/** The limits of `PUT /api/branding`, so that the page can save a value from the settings again. */
export const portalName = ofSchema('a text of at most 100 characters', applicationName, {
  mayRepeat: (raw) => raw.length <= 200,
});

export const footer = ofSchema('a text of at most 500 characters', footerText, { mayRepeat: never });

/** A value for an Authorization header, which would lose surrounding blanks. */
export const bearerToken = ofSchema(
  'a token of printable ASCII characters without blanks',
  z.string().regex(/^[\x21-\x7e]+$/),
  { show: () => '…', mayRepeat: never },
);

/** The secret that the portal and its dashboard tool share. */
export const gateSecret = ofSchema(
  'a secret of at least 32 printable ASCII characters without blanks',
  z.string().regex(/^[\x21-\x7e]{32,}$/),
  { show: () => '…', mayRepeat: never },
);

export const yesOrNo = ofSchema('true or false', z.stringbool({ truthy: ['true'], falsy: ['false'] }));

export function oneOf<const Option extends string>(options: readonly Option[]): Kind<Option> {
  return kind(options.join(' or '), (raw) => options.find((option) => option.toLowerCase() === raw.toLowerCase()));
}

/** A decimal number from `min` to `max`, both included; whole ones only where `whole` says so. */
export function numberFrom(min: number, max: number, whole: 'whole' | 'decimal' = 'whole'): Kind<number> {
  const number = z.number().min(min).max(max);
  const schema = z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(whole === 'whole' ? number.int() : number);
  return ofSchema(`a ${whole === 'whole' ? 'whole ' : ''}number from ${min} to ${max}`, schema);
}

export const color = ofSchema('a hex color such as #0b7285', hexColor);
export const emailAddress = ofSchema('an email address such as admin@example.com', email);
/** Without a display name, comment or list: each of these could add other recipients. */
const plainAddress = /^[^\p{Cc}\s@<>(),;:"\\[\]]+@[^\p{Cc}\s@<>(),;:"\\[\]]+$/u;
export const isPlainAddress = (value: string): boolean => plainAddress.test(value);
export const senderAddress = ofSchema('a plain email address such as portal@example.com', email.refine(isPlainAddress));
export const mailHost = ofSchema(
  'the name or IP address of an SMTP server such as smtp.example.com',
  z.union([z.ipv4(), z.ipv6(), z.string().regex(/^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i)]),
);
export const zone = ofSchema('an IANA time zone such as Europe/Berlin', timeZone);

/** After an unescaped /, ? or # in a password, its beginning is parsed as a port and the rest, up to the @, as the path. */
const hasStrayAt = ({ pathname, search, hash }: URL) => `${pathname}${search}${hash}`.includes('@');

/** A parameter without a value may be a secret itself. */
function showParameter([name, value]: readonly [string, string], isHarmless = false): string {
  if (value === '' || !/^[\w.-]+$/.test(name)) return '…';
  return `${name}=${isHarmless ? value : '…'}`;
}

const withoutUserInfo = (raw: string) => !raw.includes('@');

function parseHttpUrl(raw: string): URL | undefined {
  if (!URL.canParse(raw)) return undefined;
  const url = new URL(raw);
  return /^https?:\/\//i.test(raw) && url.hostname !== '' ? url : undefined;
}

/** The part of an http or https address that the overview may show: without user name, password and query secrets. */
export function showUrl(value: string): string {
  if (!URL.canParse(value)) return value.includes('@') ? '…' : value;
  const url = new URL(value);
  if (hasStrayAt(url)) return `${url.protocol}//…`;
  if (url.username !== '' || url.password !== '') {
    url.username = '…';
    url.password = '';
  }
  const parameters = [...url.searchParams].map((parameter) => showParameter(parameter));
  url.search = '';
  // A fragment may be a token.
  const hasFragment = url.hash !== '';
  url.hash = '';
  const shown = url.href.replaceAll('%E2%80%A6', '…');
  return `${shown}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}${hasFragment ? '#…' : ''}`;
}

/** An address on the web; kept as it was written. */
export const httpUrl = kind(
  'an http or https address such as https://fleet.example.com/api/fleet/ingest',
  (raw) => (parseHttpUrl(raw) === undefined ? undefined : raw),
  { show: showUrl, mayRepeat: withoutUserInfo },
);

/** Only scheme, host and port, because the portal is always at the root of its address. */
export const origin = kind(
  'an http or https address without a path, such as https://portal.example.com',
  (raw) => {
    const url = parseHttpUrl(raw);
    return url !== undefined && url.href === `${url.origin}/` ? url.origin : undefined;
  },
  { mayRepeat: withoutUserInfo },
);

export const imageUrl = ofSchema(
  'an http or https address or a path of this portal such as /uploads/logo.png, at most 2000 characters',
  logoUrl,
  { show: showUrl, mayRepeat: withoutUserInfo },
);

export interface ListenAddress {
  host: string;
  port: number;
}

export const formatAddress = ({ host, port }: ListenAddress) => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`; port 0 takes a free one. */
export const listenAddress = kind<ListenAddress>(
  'an address and a port such as 127.0.0.1:8080 or [::1]:8080',
  (raw) => {
    const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i.exec(raw);
    const [, bracketed, plain, digits] = match ?? [];
    const port = Number(digits);
    const host = bracketed ?? plain;
    if (host === undefined || port > 65_535) return undefined;
    if (bracketed !== undefined && isIP(bracketed) !== 6) return undefined;
    if (plain !== undefined && /^[\d.]+$/.test(plain) && isIP(plain) !== 4) return undefined;
    return { host, port };
  },
  { show: formatAddress },
);

const proxy = z.union([z.enum(['loopback', 'linklocal', 'uniquelocal']), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

export const proxies = ofSchema<readonly string[]>(
  'IP addresses or ranges, separated by commas, such as 10.0.0.5, 172.16.0.0/12 or loopback',
  z
    .string()
    .toLowerCase()
    .transform((raw) =>
      raw
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
    .pipe(z.array(proxy)),
  { show: (value) => value.join(', ') },
);

// The portal's own first path segments, of its server and of its page.
const ownPaths = new Set(
  'api, health, metrics, uploads, assets, sign-in, dashboard, dashboards, measurements, sites, fleet, customers, settings'.split(
    ', ',
  ),
);

/** `/dash`: no trailing slash, no character that would need escaping, no path of the portal itself. */
export const pathPrefix = kind(
  `a path such as /dash, of letters, digits, - and _, that is not one of the portal's own (/${[...ownPaths].join(', /')})`,
  (raw) => {
    const prefix = raw.replace(/\/$/, '');
    const first = /^\/([\w-]+)(?:\/[\w-]+)*$/.exec(prefix)?.[1];
    return first === undefined || ownPaths.has(first.toLowerCase()) ? undefined : prefix;
  },
);

/** A folder, relative to the working folder unless it is absolute. */
export const folder = (workingFolder: string) =>
  kind('the path of a folder', (raw) => (raw.includes('\0') ? undefined : resolve(workingFolder, raw)));

export const postgresUrl = kind(
  'a PostgreSQL address such as postgres://user:password@localhost:5432/portal, several servers are separated by commas',
  (raw) => {
    if (addressesIn(raw) === undefined) return undefined;
    try {
      decodeURIComponent(raw);
    } catch {
      return undefined;
    }
    return raw;
  },
  { show: showConnectionString, mayRepeat: never },
);

const harmlessParameters = new Set([
  'sslmode',
  'application_name',
  'connect_timeout',
  'port',
  'host',
  'user',
  'dbname',
]);

/** A connection string with user, host and database, and neither the password nor a parameter that might hold one. */
export function showConnectionString(value: string): string {
  const { before, hosts, after } = piecesOf(value) ?? { before: '', hosts: [''], after: '' };
  if (before === '') return '…';
  const urls = hosts.map((host) => new URL(`${before}${host}${after}`));
  const [url = new URL(value)] = urls;
  if (hasStrayAt(url)) return `${url.protocol}//…`;
  const user = url.username === '' ? '' : `${url.username}@`;
  const parameters = [...url.searchParams].map((parameter) =>
    showParameter(parameter, harmlessParameters.has(parameter[0].toLowerCase())),
  );
  return `${url.protocol}//${user}${urls.map(({ host }) => host).join(',')}${url.pathname}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}
