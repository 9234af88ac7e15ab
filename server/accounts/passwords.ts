import { readFileSync } from 'node:fs';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { violatedPasswordRules } from '../../shared/accounts.ts';
import { limiterOf } from '../base/budgets.ts';
import { refuse } from '../base/errors.ts';

/** The cost of argon2: memory in KiB, number of passes, number of lanes. */
export interface HashCost {
  memoryKib: number;
  passes: number;
  parallelism: number;
}

/** A stored password: argon2id in the PHC string format. */
interface PasswordHash extends HashCost {
  salt: Uint8Array;
  tag: Uint8Array;
}

/** The OWASP minimum of its password storage cheat sheet: 19 MiB, two passes, one lane. */
export const currentCost: HashCost = { memoryKib: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const base64 = (bytes: Uint8Array) => bytes.toBase64({ omitPadding: true });

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

/** True if the hash was made at a cost other than the current one. The next sign-in should then make it again. */
export function isOutdated(hash: HashCost, today = currentCost): boolean {
  return hash.memoryKib !== today.memoryKib || hash.passes !== today.passes || hash.parallelism !== today.parallelism;
}

/** Normalized as NIST SP 800-63B asks: the same characters are the same password, however a keyboard composes them. */
export const normalisedPassword = (password: string) => password.normalize('NFKC');

/** The form in which a password is looked up in the list of common passwords. */
export const foldedPassword = (password: string) => normalisedPassword(password).toLowerCase();

/** Throws `invalid` that lists every rule which a new password breaks. */
export function refuseWeakPassword(password: string, { isCommon }: Pick<Passwords, 'isCommon'>): void {
  const violatedRules = violatedPasswordRules(password);
  if (isCommon(foldedPassword(password))) violatedRules.push('to be less common (many people have this one)');
  if (violatedRules.length === 0) return;
  const last = violatedRules.at(-1) ?? '';
  const needs = violatedRules.length === 1 ? last : `${violatedRules.slice(0, -1).join(', ')} and ${last}`;
  throw refuse('weakPassword', { needs });
}

const isEntry = (line: string) => line !== '' && !line.startsWith('# ');
const commonPasswords = new URL('common-passwords.txt', import.meta.url);
const derive = promisify(argon2);

export type Passwords = ReturnType<typeof createPasswords>;

/** Hashes passwords with argon2id, a few at a time. With `refuseCommon` the most common passwords are refused, too. */
export function createPasswords({
  refuseCommon,
  hashCost: todaysCost = currentCost,
}: {
  refuseCommon: boolean;
  hashCost?: HashCost | undefined;
}) {
  const limiter = limiterOf('hashing');
  // Checked if the account does not exist. No password has this tag.
  const nobodysHash = { ...todaysCost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) };

  const tagOf = (password: string, salt: Uint8Array, cost: HashCost, tagLength: number) =>
    limiter.run(() =>
      derive('argon2id', {
        message: normalisedPassword(password),
        nonce: salt,
        memory: cost.memoryKib,
        passes: cost.passes,
        parallelism: cost.parallelism,
        tagLength,
      }),
    );

  const hash = async (password: string): Promise<string> => {
    const salt = randomBytes(saltBytes);
    return formatPasswordHash({ ...todaysCost, salt, tag: await tagOf(password, salt, todaysCost, tagBytes) });
  };

  const common = new Set(refuseCommon ? readFileSync(commonPasswords, 'utf8').split('\n').filter(isEntry) : []);

  return {
    hash,
    /** Whether a folded password is one of the most common ones. Always false if the settings accept common passwords. */
    isCommon: (folded: string) => common.has(folded),
    /**
     * Takes the same time for an account that does not exist (`null`). `renewedHash` is the password hashed at today's cost if the
     * stored hash used another one.
     */
    async verify(password: string, storedHash: string | null) {
      const stored = storedHash === null ? null : parsePasswordHash(storedHash);
      const expected = stored ?? nobodysHash;
      const tag = await tagOf(password, expected.salt, expected, expected.tag.length);
      const isCorrect = timingSafeEqual(tag, expected.tag) && stored !== null;
      return { isCorrect, renewedHash: isCorrect && isOutdated(expected, todaysCost) ? await hash(password) : null };
    },
  };
}
