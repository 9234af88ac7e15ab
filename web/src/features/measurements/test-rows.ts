import type { BucketedRow } from '../../../../shared/measurements.ts';
import { byName, quantitiesWith } from '../../../../shared/quantities.ts';

/** A bucket of one reading that measured nothing, except for the given values. */
export const bucketedRowAt = (time: string, values: Partial<BucketedRow>): BucketedRow => ({
  time,
  samples: 1,
  activePowerKw: null,
  activePowerKwMin: null,
  activePowerKwMax: null,
  ...byName(quantitiesWith('mean', 'factor'), () => null),
  energyImportedKwh: 0,
  energyExportedKwh: 0,
  ...values,
});
