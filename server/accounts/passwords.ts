import { readFileSync } from 'node:fs';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { limiterOf } from '../base/budgets.ts';
import {
  currentCost,
  formatPasswordHash,
  isOutdated,
  normalisedPassword,
  parsePasswordHash,
  type PasswordPolicy,
  saltBytes,
  tagBytes,
  type HashCost,
} from './passwords.rules.ts';

interface PasswordVerdict {
  isCorrect: boolean;
  /** The password hashed at today's cost if the stored hash used another cost; else null. */
  renewedHash: string | null;
}

export interface Passwords extends PasswordPolicy {
  /** A PHC string to store. */
  hash(password: string): Promise<string>;
  /** Takes the same time for an account that does not exist (`null`). */
  verify(password: string, storedHash: string | null): Promise<PasswordVerdict>;
}

const isEntry = (line: string) => line !== '' && !line.startsWith('# ');
const commonPasswords = new URL('common-passwords.txt', import.meta.url);
const derive = promisify(argon2);

interface PasswordOptions {
  violatedRules: Passwords['violatedRules'];
  /** Whether the most common passwords are refused too. */
  refuseCommon: boolean;
  hashCost?: HashCost | undefined;
}

/** Hashes passwords with argon2id, a few at a time. */
export function createPasswords({
  violatedRules,
  refuseCommon,
  hashCost: todaysCost = currentCost,
}: PasswordOptions): Passwords {
  const limiter = limiterOf('hashing');
  // Checked when the account does not exist; no password has this tag.
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

  const hash = async (password: string) => {
    const salt = randomBytes(saltBytes);
    return formatPasswordHash({ ...todaysCost, salt, tag: await tagOf(password, salt, todaysCost, tagBytes) });
  };

  const common = new Set(refuseCommon ? readFileSync(commonPasswords, 'utf8').split('\n').filter(isEntry) : []);

  return {
    hash,
    violatedRules,
    isCommon: (folded) => common.has(folded),
    async verify(password, storedHash) {
      const stored = storedHash === null ? null : parsePasswordHash(storedHash);
      const expected = stored ?? nobodysHash;
      const tag = await tagOf(password, expected.salt, expected, expected.tag.length);
      const isCorrect = timingSafeEqual(tag, expected.tag) && stored !== null;
      return { isCorrect, renewedHash: isCorrect && isOutdated(expected, todaysCost) ? await hash(password) : null };
    },
  };
}
