/** Whom a passkey is made for (WebAuthn): browsers use it there and nowhere else. */
export interface RelyingParty {
  /** The name of the host. */
  id: string;
  /** Of the page that asks. */
  origin: string;
}

/**
 * By the public address, and in Development also by localhost, where the page is opened there. Null where browsers have no
 * passkeys: an address without a name, or without https.
 */
export function relyingPartyOf(
  publicUrl: string,
  { isDevelopment, origin }: { isDevelopment: boolean; origin: string | undefined },
): RelyingParty | null {
  const isLocal = isDevelopment && origin !== undefined && URL.canParse(origin) && isLocalhost(new URL(origin));
  const url = new URL(isLocal ? origin : publicUrl);
  const isSafe = url.protocol === 'https:' || isLocalhost(url);
  const hasName = !/^\d+\.\d+\.\d+\.\d+$|^\[/.test(url.hostname);
  return isSafe && hasName ? { id: url.hostname, origin: url.origin } : null;
}

const isLocalhost = ({ hostname }: URL) => hostname === 'localhost';

/** COSE: ES256, EdDSA and RS256, which between them every device has. */
export const passkeyAlgorithms = [-7, -8, -257] as const;
export const maxPasskeys = 10;
