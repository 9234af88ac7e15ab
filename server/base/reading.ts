import type { FixedUnits } from './fixed-units.ts';
import { quantityAt, type StoredQuantities, storedQuantities } from './quantities.ts';

/** The quantities of a reading, in the order of their table. */
export type ReadQuantities = readonly (FixedUnits | null)[];

/** One measurement of one device at an instant in epoch microseconds. */
export class Reading {
  readonly timeMicros: number;
  readonly quantities: ReadQuantities;

  constructor(timeMicros: number, quantities: ReadQuantities) {
    this.timeMicros = timeMicros;
    this.quantities = quantities;
  }

  static of({ timeMicros, ...values }: { timeMicros: number } & Partial<StoredQuantities>): Reading {
    return new Reading(
      timeMicros,
      storedQuantities.map(({ name }) => values[name] ?? null),
    );
  }

  get activePower(): FixedUnits {
    return this.quantities[quantityAt.activePowerKw] ?? 0;
  }

  get energyImported(): FixedUnits | null {
    return this.quantities[quantityAt.energyImportedKwh] ?? null;
  }

  get energyExported(): FixedUnits | null {
    return this.quantities[quantityAt.energyExportedKwh] ?? null;
  }
}

/** To be copied and filled. */
export const nothingRead: ReadQuantities = storedQuantities.map(() => null);
