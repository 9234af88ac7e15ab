const secretBytes = 20;
const periodSeconds = 30;
/** RFC 6238: a step before and after, for clocks that differ and people who type slowly. */
const window = 1;

// Loaded with the first code, because many portals never need it.
const load = () => import('otpauth');

/** A new secret for an authenticator app: Base32, to be typed, and as `otpauth://…`, to be shown as a picture. */
export async function createNewApp(names: { issuer: string; label: string }) {
  const { Secret, TOTP } = await load();
  const secret = new Secret({ size: secretBytes });
  // A colon would end the issuer.
  const issuer = names.issuer.replaceAll(':', ' ');
  return { secret: secret.base32, uri: new TOTP({ issuer, label: names.label, secret }).toString() };
}

/** The time step of this code, if it is that of `nowMs` or next to it; null for any other code. */
export async function findStep(secret: string, digits: string, nowMs: number): Promise<number | null> {
  const { Secret, TOTP } = await load();
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: periodSeconds });
  const delta = totp.validate({ token: digits, timestamp: nowMs, window });
  return delta === null ? null : Math.floor(nowMs / 1000 / periodSeconds) + delta;
}
