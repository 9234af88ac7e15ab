import { rebuildEnergy } from './materialize-energy.ts';
import { openExistingDatabase } from '../database/open-database.ts';
import type { OneRunOptions } from '../settings/config.ts';
import { listDeviceNumbers } from './measurements.sql.ts';

/**
 * `npm run rebuild-energy`: recomputes the slots of every device from its measurements, also while a portal uses the database. The
 * result is the same to the bit; the command proves that, and repairs what a damaged disk has changed.
 */
export async function rebuildAllEnergy({ config, log, signal }: OneRunOptions): Promise<undefined> {
  if (config.runMode !== 'Client') {
    throw new Error('Only a Client has energy to rebuild; Application__RunMode is Admin.');
  }
  await using resources = new AsyncDisposableStack();
  const database = await openExistingDatabase({ config, log, signal }, resources);
  const numbers = await listDeviceNumbers(database);
  for (const [at, number] of numbers.entries()) {
    signal.throwIfAborted();
    await rebuildEnergy(database, number);
    log.info({ device: number, done: at + 1, of: numbers.length }, 'rebuilt the energy of a device');
  }
}
