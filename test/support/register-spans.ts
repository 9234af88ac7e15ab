import { type EnergyReading, type RegisterSpans, spanOf } from '../../server/energy/energy.rules.ts';

/** The spans covered by a device's registers; `readings` ascend by time and are all it has. */
export function registerSpans(readings: readonly EnergyReading[]): RegisterSpans {
  const spanIn = (register: 'importedKwh' | 'exportedKwh') => {
    const own = readings.filter((reading) => reading[register] !== null);
    return spanOf(own[0]?.timeMicros ?? null, own.at(-1)?.timeMicros ?? null);
  };
  return { imported: spanIn('importedKwh'), exported: spanIn('exportedKwh') };
}
