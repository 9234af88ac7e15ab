import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { applicationName, footerText, logoUrl } from '../../shared/branding.ts';
import { email, hexColor } from '../../shared/primitives.ts';
import { timeZone } from '../../shared/sites.ts';

/** What a setting takes: how it is read, what a message says of it, and how it is shown. */
export interface Kind<T> {
  /** Completes "… takes ". */
  takes: string;
  /** Undefined when the text is not of this kind. */
  parse: (raw: string) => T | undefined;
  /** How a value looks in the configuration overview; never holds a secret. */
  show: (value: T) => string;
  /** Whether a refused text may be repeated in the message; a mistyped address may hold a password. */
  mayRepeat: (raw: string) => boolean;
}

const always = () => true;

export const anyText: Kind<string> = {
  takes: 'any text',
  parse: (raw) => raw,
  show: (value) => value,
  mayRepeat: always,
};

/** The limits of `PUT /api/branding`: what a setting gives must be what the page can save again. */
export const portalName: Kind<string> = {
  takes: 'a text of at most 100 characters',
  parse: (raw) => applicationName.safeParse(raw).data,
  show: (value) => value,
  mayRepeat: (raw) => raw.length <= 200,
};

export const footer: Kind<string> = {
  takes: 'a text of at most 500 characters',
  parse: (raw) => footerText.safeParse(raw).data,
  show: (value) => value,
  mayRepeat: () => false,
};

/** What travels in an Authorization header, where blanks around it would be lost. */
export const bearerToken: Kind<string> = {
  takes: 'a token of printable ASCII characters without blanks',
  parse: (raw) => (/^[\x21-\x7e]+$/.test(raw) ? raw : undefined),
  show: () => '…',
  mayRepeat: () => false,
};

export const yesOrNo: Kind<boolean> = {
  takes: 'true or false',
  parse: (raw) =>
    new Map([
      ['true', true],
      ['false', false],
    ]).get(raw.toLowerCase()),
  show: String,
  mayRepeat: always,
};

export function oneOf<const Option extends string>(options: readonly Option[]): Kind<Option> {
  return {
    takes: options.join(' or '),
    parse: (raw) => options.find((option) => option.toLowerCase() === raw.toLowerCase()),
    show: (value) => value,
    mayRepeat: always,
  };
}

/** A decimal number from `min` to `max`, both included; whole ones only where `whole` says so. */
export function numberFrom(min: number, max: number, whole: 'whole' | 'decimal' = 'whole'): Kind<number> {
  return {
    takes: `a ${whole === 'whole' ? 'whole ' : ''}number from ${min} to ${max}`,
    parse(raw) {
      if (!/^-?\d+(\.\d+)?$/.test(raw)) return undefined;
      const value = Number(raw);
      if (value < min || value > max || (whole === 'whole' && !Number.isInteger(value))) return undefined;
      return value;
    },
    show: String,
    mayRepeat: always,
  };
}

export const color: Kind<string> = {
  takes: 'a hex color such as #0b7285',
  parse: (raw) => (hexColor.safeParse(raw).success ? raw : undefined),
  show: (value) => value,
  mayRepeat: always,
};

export const emailAddress: Kind<string> = {
  takes: 'an email address such as admin@example.com',
  parse: (raw) => (email.safeParse(raw).success ? raw : undefined),
  show: (value) => value,
  mayRepeat: always,
};

export const zone: Kind<string> = {
  takes: 'an IANA time zone such as Europe/Berlin',
  parse: (raw) => (timeZone.safeParse(raw).success ? raw : undefined),
  show: (value) => value,
  mayRepeat: always,
};

/** An unescaped /, ? or # in a password makes its beginning a port, and moves the rest of it, up to the @, behind the host. */
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

/** An http or https address without user name, password, query secrets: what the overview may show of it. */
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
export const httpUrl: Kind<string> = {
  takes: 'an http or https address such as https://fleet.example.com/api/fleet/ingest',
  parse: (raw) => (parseHttpUrl(raw) === undefined ? undefined : raw),
  show: showUrl,
  mayRepeat: withoutUserInfo,
};

/** Scheme, host and port alone: the portal is always at the root of its address. */
export const origin: Kind<string> = {
  takes: 'an http or https address without a path, such as https://portal.example.com',
  parse(raw) {
    const url = parseHttpUrl(raw);
    return url !== undefined && url.href === `${url.origin}/` ? url.origin : undefined;
  },
  show: (value) => value,
  mayRepeat: withoutUserInfo,
};

export const imageUrl: Kind<string> = {
  takes: 'an http or https address or a path of this portal such as /uploads/logo.png, at most 2000 characters',
  parse: (raw) => logoUrl.safeParse(raw).data,
  show: showUrl,
  mayRepeat: withoutUserInfo,
};

export interface ListenAddress {
  host: string;
  port: number;
}

/** `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`; port 0 takes a free one. */
export const listenAddress: Kind<ListenAddress> = {
  takes: 'an address and a port such as 127.0.0.1:8080 or [::1]:8080',
  parse(raw) {
    const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i.exec(raw);
    const [, bracketed, plain, digits] = match ?? [];
    const port = Number(digits);
    const host = bracketed ?? plain;
    if (host === undefined || port > 65_535) return undefined;
    if (bracketed !== undefined && isIP(bracketed) !== 6) return undefined;
    if (plain !== undefined && /^[\d.]+$/.test(plain) && isIP(plain) !== 4) return undefined;
    return { host, port };
  },
  show: ({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`,
  mayRepeat: always,
};

const namedRanges = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxy(entry: string): boolean {
  if (namedRanges.has(entry)) return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

export const proxies: Kind<readonly string[]> = {
  takes: 'IP addresses or ranges, separated by commas, such as 10.0.0.5, 172.16.0.0/12 or loopback',
  parse(raw) {
    const entries = raw
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== '');
    return entries.every(isProxy) ? entries : undefined;
  },
  show: (value) => value.join(', '),
  mayRepeat: always,
};

// The portal's own first path segments.
const ownPaths = new Set(['api', 'health', 'metrics', 'uploads', 'assets']);

/** `/dash`: no slash at the end, nothing that would need escaping, nothing that is the portal's own. */
export const pathPrefix: Kind<string> = {
  takes: `a path such as /dash, of letters, digits, - and _, that is not one of the portal's own (/${[...ownPaths].join(', /')})`,
  parse(raw) {
    const prefix = raw.replace(/\/$/, '');
    const first = /^\/([\w-]+)(?:\/[\w-]+)*$/.exec(prefix)?.[1];
    return first === undefined || ownPaths.has(first.toLowerCase()) ? undefined : prefix;
  },
  show: (value) => value,
  mayRepeat: always,
};

/** A folder, taken from the working folder when it is not absolute. */
export function folder(workingFolder: string): Kind<string> {
  return {
    takes: 'the path of a folder',
    parse: (raw) => (raw.includes('\0') ? undefined : isAbsolute(raw) ? resolve(raw) : resolve(workingFolder, raw)),
    show: (value) => value,
    mayRepeat: always,
  };
}

export const postgresUrl: Kind<string> = {
  takes: 'a PostgreSQL address such as postgres://user:password@localhost:5432/portal',
  parse(raw) {
    if (!/^postgres(?:ql)?:\/\//i.test(raw) || !URL.canParse(raw)) return undefined;
    try {
      decodeURIComponent(raw);
    } catch {
      return undefined;
    }
    return raw;
  },
  show: showConnectionString,
  mayRepeat: () => false,
};

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
  if (!URL.canParse(value)) return '…';
  const url = new URL(value);
  if (hasStrayAt(url)) return `${url.protocol}//…`;
  const user = url.username === '' ? '' : `${url.username}@`;
  const parameters = [...url.searchParams].map((parameter) =>
    showParameter(parameter, harmlessParameters.has(parameter[0].toLowerCase())),
  );
  return `${url.protocol}//${user}${url.host}${url.pathname}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}
