/** The sealed content of a session cookie. Instants are epoch milliseconds. */
export interface Session {
  accountId: string;
  sessionId: string;
  /** The stamp of the account when the cookie was sealed. If the account has another stamp, the session has ended. */
  securityStamp: string;
  signedInAt: number;
  lastSeenAt: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** decisions.md 2: idle lifetime 8 h sliding, absolute 14 days. */
const idleLifetimeMs = 8 * hourMs;
export const absoluteLifetimeMs = 14 * 24 * hourMs;
// A cookie is sealed again at most this often. Otherwise each response to a page that polls would contain a cookie.
export const renewalMs = 5 * minuteMs;

/** When the session expires unless it is used before. */
export function sessionExpiresAt(session: Session): number {
  return Math.min(session.lastSeenAt + idleLifetimeMs, sessionEndsAt(session));
}

/** The latest instant at which any cookie of this session can still be valid. */
export function sessionEndsAt(session: Session): number {
  return session.signedInAt + absoluteLifetimeMs;
}

export function isSessionOver(session: Session, now: number): boolean {
  return now >= sessionExpiresAt(session);
}

/**
 * Whether to renew the cookie: because the idle lifetime starts again with each use, or because a clock that was ahead wrote
 * the cookie.
 */
export function isDueForRenewal(session: Session, now: number): boolean {
  return Math.abs(now - session.lastSeenAt) >= renewalMs;
}

/**
 * The session after a use now. Neither of its times may be in the future. So a clock that was ahead does not extend a session
 * beyond its next use.
 */
export function renewSession(session: Session, now: number): Session {
  return { ...session, signedInAt: Math.min(session.signedInAt, now), lastSeenAt: now };
}

// The first match counts, because most browsers also name the browsers that they descend from.
const browsers: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* .*Safari\//],
  ['curl', /^curl\/(\d+)/],
];
const systems: readonly [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Browser and system of a `User-Agent`: `Firefox 130` and `Windows`; null if unknown. */
export function describeUserAgent(userAgent: string): { browser: string | null; system: string | null } {
  const browser = browsers
    .map(([name, pattern]) => ({ name, version: pattern.exec(userAgent)?.[1] }))
    .find(({ version }) => version !== undefined);
  return {
    browser: browser === undefined ? null : `${browser.name} ${browser.version}`,
    system: systems.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null,
  };
}
