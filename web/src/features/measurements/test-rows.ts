import type { BucketedRow } from '../../../../shared/measurements.ts';

/** A bucket of one reading that measured nothing, but for what is given. */
export const bucketedRowAt = (time: string, values: Partial<BucketedRow>): BucketedRow => ({
  time,
  samples: 1,
  activePowerKw: null,
  activePowerKwMin: null,
  activePowerKwMax: null,
  reactivePowerKvar: null,
  apparentPowerKva: null,
  powerFactor: null,
  voltageV: null,
  frequencyHz: null,
  energyImportedKwh: 0,
  energyExportedKwh: 0,
  ...values,
});
