/** The second factor as the user typed it. */
export type TypedCode = { kind: 'app'; digits: string } | { kind: 'recovery'; code: string };

/** The time allowed from the password to the second factor, or from the QR code to the first code. */
export const stepLifetimeMs = 10 * 60_000;
export const recoveryCodesAtOnce = 10;
/** 120 bits. With fewer than 112 bits (NIST SP 800-63B), the codes would need slow hashing. */
export const recoveryCodeBytes = 15;

// Crockford's alphabet, in which no letter can be mistaken for a digit.
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ';
const digitsOfCode = 24;

/** A code as it is displayed: six groups of four characters. */
export function formatRecoveryCode(bytes: Uint8Array): string {
  const plain = BigInt(`0x${bytes.toHex()}`).toString(32).padStart(digitsOfCode, '0');
  const code = plain.replaceAll(/[a-v]/g, (letter) => letters.charAt(letter.charCodeAt(0) - 97));
  return code.replaceAll(/.{4}(?=.)/g, '$&-');
}

/** Reads a typed code; case and separators are ignored. Null if it is neither kind of code. */
export function readTypedCode(typed: string): TypedCode | null {
  const plain = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  if (/^\d{6}$/.test(plain)) return { kind: 'app', digits: plain };
  const code = plain.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return /^[\dA-HJKMNP-TV-Z]{24}$/.test(code) ? { kind: 'recovery', code } : null;
}

/** False once the time for the step has passed. */
export const isStepOpen = (startedAt: number, now: number): boolean => now < startedAt + stepLifetimeMs;
