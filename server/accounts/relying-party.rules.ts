/** The relying party of a passkey (WebAuthn): browsers use the passkey only there. */
export interface RelyingParty {
  /** The host name. */
  id: string;
  /** The origin of the page that asks. */
  origin: string;
}

/**
 * Determined by the public address; in Development also localhost, if the page was opened there. Null if browsers allow no
 * passkeys there: an address without a host name or without https.
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
