import { DomainError } from './errors.ts';
import { refuseInvalidTariff } from './tariff-rules.ts';
import type { Tariff } from './tariffs.ts';

/** The records of a full set as they come in: of those with one id the first holds, also where it is refused for something else. */
export class SetRecords {
  readonly ids = new Set<string>();
  readonly #periodIds = new Set<string>();

  /** Why a record does not hold; null for the first with its id. */
  add(id: string): string | null {
    if (this.ids.has(id)) return 'id: stands twice in the batch; the first record of it holds';
    this.ids.add(id);
    return null;
  }

  /** Why a tariff cannot be stored beside those that could; null if it can. */
  addTariff(tariff: Tariff): string | null {
    const own = new Set<string>();
    for (const [at, { id }] of tariff.periods.entries()) {
      if (own.has(id) || this.#periodIds.has(id)) return `periods.${at}.id: stands twice in the batch`;
      own.add(id);
    }
    try {
      refuseInvalidTariff(tariff);
    } catch (error) {
      if (error instanceof DomainError) return error.message;
      throw error;
    }
    for (const id of own) this.#periodIds.add(id);
    return null;
  }
}
