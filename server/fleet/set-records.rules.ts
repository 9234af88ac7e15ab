import type { Message } from '../../shared/messages.ts';
import { about, DomainError, message } from '../base/errors.ts';
import { refuseInvalidTariff, type Tariff } from '../rates/tariffs.rules.ts';

/**
 * The records of a full set as they arrive. If several have the same id, the first one counts, even if it is rejected for
 * another reason.
 */
export class SetRecords {
  readonly ids = new Set<string>();
  readonly #periodIds = new Set<string>();

  /** Why the record is rejected; null if it is the first one with its id. */
  add(id: string): Message | null {
    if (this.ids.has(id)) return about('id', message('idTwice'));
    this.ids.add(id);
    return null;
  }

  /** Why a tariff cannot be stored together with those accepted so far; null if it can. */
  addTariff(tariff: Tariff): Message | null {
    const own = new Set<string>();
    for (const [at, { id }] of tariff.periods.entries()) {
      if (own.has(id) || this.#periodIds.has(id)) {
        return about(`periods.${at}.id`, message('periodIdTwice'));
      }
      own.add(id);
    }
    try {
      refuseInvalidTariff(tariff);
    } catch (error) {
      if (error instanceof DomainError) return error.refusal;
      throw error;
    }
    for (const id of own) this.#periodIds.add(id);
    return null;
  }
}
