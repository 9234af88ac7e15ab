import { createMeters } from '../../server/demo/meter.ts';
import { fromFixedUnits, storedQuantities } from '../../server/base/quantities.ts';
import { byName } from '../../shared/quantities.ts';
import { isRealDataThere, readRealData, type RealRow } from '../../test/support/real-data.ts';

/** A row of an ingest body. */
export type BenchRow = RealRow;

/** The origin of the rows; figures of the two differ slightly. */
export const rowOrigin = isRealDataThere ? 'real' : 'generated';

const firstDay = 20_454;
const generatedDays = 21;
const minutesPerDay = 1440;

let rows: readonly BenchRow[] | undefined;

/**
 * About three weeks of one-minute rows of one meter, ascending: real ones if they lie beside the repository, otherwise those of
 * the demo.
 */
export function readMeterRows(): readonly BenchRow[] {
  if (rows !== undefined) return rows;
  if (isRealDataThere) {
    rows = readRealData('uci-household-1min-2006-12').filter(({ externalId }) => externalId === 'uci-main');
  } else {
    console.error('../shared/data is not beside the repository: the rows are generated, by the meters of the demo.');
    rows = generateRows();
  }
  return rows;
}

function generateRows(): BenchRow[] {
  const [meter] = createMeters({ seed: 1, firstDay });
  if (meter === undefined) throw new Error('The demo has no meter.');
  return Array.from({ length: generatedDays * minutesPerDay }, (_, minute): BenchRow => {
    const second = firstDay * 86_400 + minute * 60;
    const reading = meter.reading(second);
    if (reading === null) throw new Error(`The demo's meter has no reading at ${second}.`);
    return {
      externalId: meter.externalId,
      time: new Date(second * 1000).toISOString(),
      ...byName(storedQuantities, ({ at, scale }) => {
        const units = reading.quantities[at] ?? null;
        return units === null ? null : fromFixedUnits(units, scale);
      }),
    };
  });
}
