/** What somebody typed as the second factor. */
export type TypedCode = { kind: 'app'; digits: string } | { kind: 'recovery'; code: string };

/** So long somebody may take from the password to the second factor, or from the picture to its first code. */
export const stepLifetimeMs = 10 * 60_000;
export const recoveryCodesAtOnce = 10;
/** 120 bits, because whoever has less has to be slow to compare (NIST SP 800-63B, look-up secrets). */
export const recoveryCodeBytes = 15;

// Crockford's: no letter is taken for a digit.
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ';
const digitsOfCode = 24;

/** As it is shown: six groups of four. */
export function formatRecoveryCode(bytes: Uint8Array): string {
  const plain = BigInt(`0x${bytes.toHex()}`).toString(32).padStart(digitsOfCode, '0');
  const code = plain.replaceAll(/[a-v]/g, (letter) => letters.charAt(letter.charCodeAt(0) - 97));
  return code.replaceAll(/.{4}(?=.)/g, '$&-');
}

/** Whatever the case and however it is divided; null where it is neither. */
export function readTypedCode(typed: string): TypedCode | null {
  const plain = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  if (/^\d{6}$/.test(plain)) return { kind: 'app', digits: plain };
  const code = plain.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return /^[\dA-HJKMNP-TV-Z]{24}$/.test(code) ? { kind: 'recovery', code } : null;
}

/** False once somebody has taken too long. */
export const isStepOpen = (startedAt: number, now: number): boolean => now < startedAt + stepLifetimeMs;
