/** A claim that readings of a device are about to be stored, the newest of them at `newestMicros`. */
export interface Claim {
  deviceNumber: number;
  newestMicros: number;
  /** False if nothing is known of the device; else the readings are guessed to be new (or would be, were `NewestStored` not in doubt). */
  isGuess: boolean;
}

/**
 * Guesses which readings are new: those after the newest of their device that this process has stored. A wrong guess only costs
 * time, so the database is not asked what other processes have stored or deleted meanwhile.
 */
export class NewestStored {
  /** Epoch microseconds; without the devices whose newest reading was not new. */
  readonly #newest = new Map<number, number>();
  /**
   * Readings that are sent again come one after the other, so after a wrong guess nothing is taken to be new until a guess would
   * have been right.
   */
  #isInDoubt = false;

  /** The number of known devices. */
  get size(): number {
    return this.#newest.size;
  }

  /** Readings of the device after this instant are taken to be new. */
  newOnesAfter(deviceNumber: number): number {
    return this.#isInDoubt ? Infinity : (this.#newest.get(deviceNumber) ?? Infinity);
  }

  /** To be called before readings up to this one are stored, so that nobody else takes them to be new; undefined if none of them is new. */
  claim(deviceNumber: number, newestMicros: number): Claim | undefined {
    const known = this.#newest.get(deviceNumber);
    if (known === undefined) return { deviceNumber, newestMicros, isGuess: false };
    if (newestMicros <= known) return undefined;
    this.#newest.set(deviceNumber, newestMicros);
    return { deviceNumber, newestMicros, isGuess: true };
  }

  /** Learns from a committed transaction which of its claims were right. */
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

/** The same for each customer of a fleet, so that readings resent by one of them put no other in doubt. */
export class NewestOfFleet {
  /** In the order in which they last sent something. */
  readonly #customers = new Map<string, NewestStored>();
  readonly #maxDevices: number;
  #devices = 0;

  /** Beyond `maxDevices`, the customers that have not sent anything for longest are forgotten. */
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
