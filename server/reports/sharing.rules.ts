/** The most devices of reads kept for waiting questions: some ten megabytes. */
const maxWeight = 20_000;

interface Shared<T> {
  begunAt: number;
  weight: number;
  result: Promise<T>;
}

/**
 * Lets questions share a read that began after they arrived, so that all panels of a dashboard are answered by few reads, and no
 * answer is older than its question.
 */
export class Sharing<T> {
  #time = 0;
  #weight = 0;
  readonly #asking = new Set<number>();
  readonly #shared = new Map<string, Shared<T>>();

  /** How many reads are kept. */
  get size(): number {
    return this.#shared.size;
  }

  /** Does the work of a question; reads kept only for it are dropped afterwards. */
  async during<Answer>(work: (cameAt: number) => Promise<Answer>): Promise<Answer> {
    const cameAt = (this.#time += 1);
    this.#asking.add(cameAt);
    try {
      return await work(cameAt);
    } finally {
      this.#asking.delete(cameAt);
      for (const [key, { begunAt }] of this.#shared) {
        if (![...this.#asking].some((other) => other < begunAt)) this.#forget(key);
      }
    }
  }

  /** `key` must contain everything that the read depends on, including the user. If a read fails, each of the others tries again. */
  async read(key: string, { cameAt, weight }: { cameAt: number; weight: number }, read: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(key);
    if (known !== undefined && known.begunAt > cameAt) {
      const settled = await Promise.allSettled([known.result]);
      if (settled[0].status === 'fulfilled') return settled[0].value;
    }
    this.#forget(key);
    const begunAt = (this.#time += 1);
    const result = read();
    if (this.#weight + weight > maxWeight) return result;
    this.#shared.set(key, { begunAt, weight, result });
    this.#weight += weight;
    return result;
  }

  #forget(key: string): void {
    this.#weight -= this.#shared.get(key)?.weight ?? 0;
    this.#shared.delete(key);
  }
}
