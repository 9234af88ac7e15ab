import { createHash } from 'node:crypto';
import { lockRemarks, readRemark, type ReportPlace, writeRemark } from '../db/report-remarks.ts';
import type { Precondition } from '../domain/preconditions.ts';
import { chosenIds, chosenSites, type DeviceScope } from '../domain/scopes.ts';
import { type Changing, makeChange } from './audit.ts';

/** Where the remark of a report is kept; ids in another order are the same scope. */
export function placeOfRemark(period: string, scope: DeviceScope): ReportPlace {
  const devices = chosenIds(scope);
  if (devices === null) return { period, scope: '' };
  const ids = [chosenSites(scope), devices].map((list) => list.toSorted().join());
  return { period, scope: createHash('sha256').update(ids.join('|')).digest('hex') };
}

/** Remarks something about a report, or nothing any more. Throws what `refuse` throws of what was remarked before. */
export async function changeRemark(
  changing: Changing,
  place: ReportPlace,
  remark: string,
  refuse: Precondition<{ remark: string }>,
): Promise<{ remark: string }> {
  return makeChange(changing, async (tx, recordChange) => {
    await lockRemarks(tx);
    const before = { remark: await readRemark(tx, place) };
    refuse(before);
    await writeRemark(tx, place, remark);
    await recordChange('report.change-remark', { id: null, name: place.period, before, after: { remark } });
    return { remark };
  });
}
