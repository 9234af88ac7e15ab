import type { Place } from './sorted-readings.rules.ts';

/** A claim that readings of a place are about to be stored. The newest of them has the time `newestMicros`. */
export interface Claim {
  place: Place;
  newestMicros: number;
  /**
   * False if nothing is known of the place. True if its readings are guessed to be new, or would be if guesses were not in
   * doubt at present.
   */
  isGuess: boolean;
}

/**
 * Guesses which readings are new: those after the newest reading of their place that this process has stored. Also remembers
 * the number of each device that was found. A wrong guess only costs time. So the database is not asked beforehand what other
 * processes have stored, renamed or deleted. If a customer repeats readings, guesses for other customers are not affected.
 */
export class NewestStored {
  /** The customers, in the order in which they last sent something. */
  readonly #customers = new Map<string | null, NewestOfCustomer>();
  readonly #maxPlaces: number;
  #places = 0;

  /**
   * If there are more than `maxPlaces` places and numbers, the customers that have not sent anything for longest are forgotten.
   */
  constructor(maxPlaces: number) {
    this.#maxPlaces = maxPlaces;
  }

  /** The number of each device by its position in the list. Undefined unless the numbers of all devices are remembered. */
  numbersOf(devices: readonly { customerId: string | null; id: string }[]): Map<number, number> | undefined {
    const numbers = new Map<number, number>();
    for (const [at, { customerId, id }] of devices.entries()) {
      const number = this.#customers.get(customerId)?.numbers.get(id);
      if (number === undefined) return undefined;
      numbers.set(at, number);
    }
    return numbers;
  }

  /** Remembers the devices that were found, given by their positions in the list. Forgets the other devices of the list. */
  remember(devices: readonly { customerId: string | null; id: string }[], found: ReadonlyMap<number, number>): void {
    const positions = Map.groupBy(devices.keys(), (at) => devices[at]?.customerId ?? null);
    for (const [customerId, own] of positions) {
      this.#change(customerId, ({ numbers }) => {
        for (const at of own) {
          const [id = '', number] = [devices[at]?.id, found.get(at)];
          if (number === undefined) numbers.delete(id);
          else numbers.set(id, number);
        }
      });
    }
  }

  /** Readings of the place after this instant are assumed to be new. */
  newOnesAfter({ customerId, number }: Place): number {
    return this.#customers.get(customerId)?.newOnesAfter(number) ?? Infinity;
  }

  /**
   * Claims the readings up to this one. Call this before they are stored, so that nobody else assumes them to be new. Undefined
   * if none of them is new.
   */
  claim(place: Place, newestMicros: number): Claim | undefined {
    return this.#of(place.customerId).claim(place, newestMicros);
  }

  /** Learns from a committed transaction which claims were right. */
  learn<One extends Claim>(claims: readonly One[], wasNew: (claim: One) => boolean): void {
    for (const [customerId, ownClaims] of Map.groupBy(claims, ({ place }) => place.customerId)) {
      this.#change(customerId, (own) => own.learn(ownClaims, wasNew));
    }
  }

  #change(customerId: string | null, change: (own: NewestOfCustomer) => void): void {
    const own = this.#of(customerId);
    this.#customers.delete(customerId);
    this.#customers.set(customerId, own);
    this.#places -= own.size;
    change(own);
    // A single customer may have more devices than `maxPlaces`.
    if (own.size > this.#maxPlaces) own.numbers.clear();
    this.#places += own.size;
    for (const [id, { size }] of this.#customers) {
      if (this.#places <= this.#maxPlaces || id === customerId) break;
      this.#customers.delete(id);
      this.#places -= size;
    }
  }

  #of(customerId: string | null): NewestOfCustomer {
    return this.#customers.getOrInsertComputed(customerId, () => new NewestOfCustomer());
  }
}

class NewestOfCustomer {
  /** The number of each device, by the id that its sender uses. */
  readonly numbers = new Map<string, number>();
  /** The newest reading by device number, in epoch microseconds. Devices whose newest reading was not new are left out. */
  readonly #newest = new Map<number, number>();
  /**
   * Whether guesses are in doubt. Repeated readings arrive one after the other. So after a wrong guess no reading counts as new
   * until a guess would have been right.
   */
  #isInDoubt = false;

  get size(): number {
    return this.#newest.size + this.numbers.size;
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
