import { byName, optionalQuantities, quantities, type Quantity, requiredQuantities } from '../../shared/quantities.ts';
import { type FixedUnits, fromFixedUnits, scaleOf, type UnitScale } from './fixed-units.ts';

interface Stored {
  /** The position in the table. */
  at: number;
  scale: UnitScale;
}
/** A quantity as it is stored. */
export type StoredQuantity = Quantity & Stored;

const stored = <Q extends Quantity>(quantity: Q): Q & Stored => ({
  ...quantity,
  at: quantities.indexOf(quantity),
  scale: scaleOf(quantity),
});
export const storedQuantities: readonly StoredQuantity[] = quantities.map(stored);
const [required, optional] = [requiredQuantities.map(stored), optionalQuantities.map(stored)];

export const quantityAt = byName(storedQuantities, ({ at }) => at);

/** SQL: the quantities of a row of `measurements`, in their order. */
export const quantityColumns = (alias: string) => storedQuantities.map(({ column }) => `${alias}.${column}`).join(', ');

/** SQL: the quantities of a row of `measurements`, by their names; for {@link quantitiesOf}. */
export const namedColumns = (alias: string) =>
  storedQuantities.map(({ name, column }) => `${alias}.${column} AS "${name}"`).join(', ');

type Named<Of> = Record<(typeof required)[number]['name'], Of> & Record<(typeof optional)[number]['name'], Of | null>;
/** In fixed units; null: not sent. */
export type StoredQuantities = Named<FixedUnits>;
/** In the units of their names. */
export type Quantities = Named<number>;

export const quantitiesOf = (row: StoredQuantities): Quantities => ({
  ...byName(required, ({ name, scale }) => fromFixedUnits(row[name], scale)),
  ...byName(optional, ({ name, scale }) => {
    const units = row[name];
    return units === null ? null : fromFixedUnits(units, scale);
  }),
});
