import { refuse } from '../base/errors.ts';

/** Cost of argon2: memory in KiB, passes over it, lanes. */
export interface HashCost {
  memoryKib: number;
  passes: number;
  parallelism: number;
}

/** A stored password: argon2id in the PHC string format. */
export interface PasswordHash extends HashCost {
  salt: Uint8Array;
  tag: Uint8Array;
}

/** The OWASP minimum of its password storage cheat sheet: 19 MiB, two passes, one lane. */
export const currentCost: HashCost = { memoryKib: 19_456, passes: 2, parallelism: 1 };
export const saltBytes = 16;
export const tagBytes = 32;

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export function formatPasswordHash({ memoryKib, passes, parallelism, salt, tag }: PasswordHash): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** Null when the text is not an argon2id hash in the PHC string format. */
export function parsePasswordHash(text: string): PasswordHash | null {
  const match = phc.exec(text);
  if (match === null) return null;
  const [, memoryKib = '', passes = '', parallelism = '', salt = '', tag = ''] = match;
  return {
    memoryKib: Number(memoryKib),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Uint8Array.fromBase64(salt),
    tag: Uint8Array.fromBase64(tag),
  };
}

/** True when the hash was made at another cost than today's and should be made again at the next sign-in. */
export function isOutdated(hash: HashCost, today = currentCost): boolean {
  return hash.memoryKib !== today.memoryKib || hash.passes !== today.passes || hash.parallelism !== today.parallelism;
}

/** NIST SP 800-63B: one password, however a keyboard composes its characters (NFKC). */
export function normalisedPassword(password: string): string {
  return password.normalize('NFKC');
}

/** The form in which passwords are looked for among the common ones. */
export function foldedPassword(password: string): string {
  return normalisedPassword(password).toLowerCase();
}

export interface PasswordPolicy {
  /** What a password visibly lacks, such as `a digit`. */
  violatedRules(password: string): string[];
  /** Whether a folded password is one of the most common; never where the settings accept those. */
  isCommon(folded: string): boolean;
}

/** Throws `invalid` that lists every rule which a new password breaks. */
export function refuseWeakPassword(password: string, policy: PasswordPolicy): void {
  const violatedRules = policy.violatedRules(password);
  if (policy.isCommon(foldedPassword(password))) violatedRules.push('to be less common (many people have this one)');
  if (violatedRules.length === 0) return;
  const last = violatedRules.at(-1) ?? '';
  const needs = violatedRules.length === 1 ? last : `${violatedRules.slice(0, -1).join(', ')} and ${last}`;
  throw refuse('weakPassword', { needs });
}

function base64(bytes: Uint8Array): string {
  return bytes.toBase64({ omitPadding: true });
}
