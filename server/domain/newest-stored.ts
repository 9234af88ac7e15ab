/** The newest reading of a device among those that are about to be stored. */
export interface Claim {
  deviceNumber: number;
  newestMicros: number;
  /** Whether it is taken to be new, or would be if there were no doubt; else nothing is known of the device. */
  isGuess: boolean;
}

/**
 * Guesses which readings are new: those above the newest of their device, as far as this process has stored it. A wrong guess
 * costs time and nothing else, so what others have stored or taken away meanwhile is not asked for.
 */
export class NewestStored {
  /** Epoch microseconds; without the devices whose newest reading was not new. */
  readonly #newest = new Map<number, number>();
  /** What is sent again comes in a row: behind a wrong guess nothing is taken to be new until it would have been right. */
  #isInDoubt = false;

  /** Of how many devices something is known. */
  get size(): number {
    return this.#newest.size;
  }

  /** Readings of the device after this instant are taken to be new. */
  newOnesAfter(deviceNumber: number): number {
    return this.#isInDoubt ? Infinity : (this.#newest.get(deviceNumber) ?? Infinity);
  }

  /** Says that readings up to this one are about to be stored, so that nobody else takes them to be new; undefined if that is no news. */
  claim(deviceNumber: number, newestMicros: number): Claim | undefined {
    const known = this.#newest.get(deviceNumber);
    if (known === undefined) return { deviceNumber, newestMicros, isGuess: false };
    if (newestMicros <= known) return undefined;
    this.#newest.set(deviceNumber, newestMicros);
    return { deviceNumber, newestMicros, isGuess: true };
  }

  /** What came out of the claims of a transaction that was committed. */
  learn<One extends Claim>(claims: readonly One[], wasNew: (claim: One) => boolean): void {
    const guesses = claims.filter(({ isGuess }) => isGuess);
    const isTold = guesses.length > 0 || (claims.length > 0 && claims.every(wasNew));
    if (isTold) this.#isInDoubt = !guesses.every(wasNew);
    for (const claim of claims) {
      const { deviceNumber, newestMicros } = claim;
      if (!wasNew(claim)) this.#newest.delete(deviceNumber);
      else this.#newest.set(deviceNumber, Math.max(newestMicros, this.#newest.get(deviceNumber) ?? newestMicros));
    }
  }
}

/** The same for each customer of a fleet, so that what one sends again puts nobody else in doubt. */
export class NewestOfFleet {
  /** Who has sent longest ago stands first. */
  readonly #customers = new Map<string, NewestStored>();
  readonly #maxDevices: number;
  #devices = 0;

  /** Beyond `maxDevices` those who have not sent for longest are forgotten. */
  constructor(maxDevices: number) {
    this.#maxDevices = maxDevices;
  }

  of(customerId: string): NewestStored {
    return this.#customers.getOrInsertComputed(customerId, () => new NewestStored());
  }

  /** As {@link NewestStored.learn}, with claims of one customer. */
  learn<One extends Claim>(customerId: string, claims: readonly One[], wasNew: (claim: One) => boolean): void {
    const own = this.of(customerId);
    this.#customers.delete(customerId);
    this.#customers.set(customerId, own);
    this.#devices -= own.size;
    own.learn(claims, wasNew);
    this.#devices += own.size;
    for (const [id, { size }] of this.#customers) {
      if (this.#devices <= this.#maxDevices || id === customerId) break;
      this.#customers.delete(id);
      this.#devices -= size;
    }
  }
}
