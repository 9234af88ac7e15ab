import type { Queryable } from './pool.ts';
import { findRow } from './rows.ts';

const FIND_TABLES = `SELECT to_regclass('fleet.customers') IS NOT NULL AS "hasFleet",
  to_regclass('monitoring.measurements') IS NOT NULL AS "hasMonitoring"`;

/** Startup rule 10: throws when the database belongs to the other run mode. Runs before the first migration. */
export async function refuseDatabaseOfOtherMode(database: Queryable, runMode: 'Client' | 'Admin'): Promise<void> {
  const found = await findRow<{ hasFleet: boolean; hasMonitoring: boolean }>(database, FIND_TABLES);
  if (runMode === 'Client' && found?.hasFleet === true) {
    throw new Error(
      'Database__ConnectionString points at a fleet database (it has the table fleet.customers), but Application__RunMode is ' +
        'Client. Give each stack its own database.',
    );
  }
  if (runMode === 'Admin' && found?.hasMonitoring === true) {
    throw new Error(
      'Database__ConnectionString points at the database of a Client (it has the table monitoring.measurements), but ' +
        'Application__RunMode is Admin. Give each stack its own database.',
    );
  }
}
