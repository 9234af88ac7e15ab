import type { Place } from './sorted-readings.rules.ts';

/** A claim that readings of a place are about to be stored, the newest of them at `newestMicros`. */
export interface Claim {
  place: Place;
  newestMicros: number;
  /**
   * False if nothing is known of the place; otherwise its readings are guessed to be new (or would be, if they were not in
   * doubt).
   */
  isGuess: boolean;
}

/**
 * Guesses which readings are new: those after the newest of their place that this process has stored. A wrong guess
 * only costs time, so the database is not asked what other processes have stored or deleted. Repeated readings of one
 * customer do not affect guesses for others.
 */
export class NewestStored {
  /** In the order in which they last sent something. */
  readonly #customers = new Map<string | null, NewestOfCustomer>();
  readonly #maxPlaces: number;
  #places = 0;

  /** Beyond `maxPlaces`, the customers that have not sent anything for longest are forgotten. */
  constructor(maxPlaces: number) {
    this.#maxPlaces = maxPlaces;
  }

  /** Readings of the place after this instant are assumed to be new. */
  newOnesAfter({ customerId, number }: Place): number {
    return this.#customers.get(customerId)?.newOnesAfter(number) ?? Infinity;
  }

  /**
   * To be called before readings up to this one are stored, so that nobody else assumes them to be new; undefined if none of them
   * is new.
   */
  claim(place: Place, newestMicros: number): Claim | undefined {
    return this.#of(place.customerId).claim(place, newestMicros);
  }

  /** Learns from a committed transaction which of its claims were right. */
  learn<One extends Claim>(claims: readonly One[], wasNew: (claim: One) => boolean): void {
    for (const [customerId, ownClaims] of Map.groupBy(claims, ({ place }) => place.customerId)) {
      const own = this.#of(customerId);
      this.#customers.delete(customerId);
      this.#customers.set(customerId, own);
      this.#places -= own.size;
      own.learn(ownClaims, wasNew);
      this.#places += own.size;
      for (const [id, { size }] of this.#customers) {
        if (this.#places <= this.#maxPlaces || id === customerId) break;
        this.#customers.delete(id);
        this.#places -= size;
      }
    }
  }

  #of(customerId: string | null): NewestOfCustomer {
    return this.#customers.getOrInsertComputed(customerId, () => new NewestOfCustomer());
  }
}

class NewestOfCustomer {
  /** Epoch microseconds by number; without the devices whose newest reading was not new. */
  readonly #newest = new Map<number, number>();
  /**
   * Repeated readings arrive one after the other. So after a wrong guess nothing counts as new until a guess would have
   * been right.
   */
  #isInDoubt = false;

  get size(): number {
    return this.#newest.size;
  }

  newOnesAfter(number: number): number {
    return this.#isInDoubt ? Infinity : (this.#newest.get(number) ?? Infinity);
  }

  claim(place: Place, newestMicros: number): Claim | undefined {
    const known = this.#newest.get(place.number);
    if (known === undefined) return { place, newestMicros, isGuess: false };
    if (newestMicros <= known) return undefined;
    this.#newest.set(place.number, newestMicros);
    return { place, newestMicros, isGuess: true };
  }

  learn<One extends Claim>(claims: readonly One[], wasNew: (claim: One) => boolean): void {
    const guesses = claims.filter(({ isGuess }) => isGuess);
    const isTold = guesses.length > 0 || (claims.length > 0 && claims.every(wasNew));
    if (isTold) this.#isInDoubt = !guesses.every(wasNew);
    for (const claim of claims) {
      const { place, newestMicros } = claim;
      if (!wasNew(claim)) this.#newest.delete(place.number);
      else this.#newest.set(place.number, Math.max(newestMicros, this.#newest.get(place.number) ?? newestMicros));
    }
  }
}
