import { createHash } from 'node:crypto';
import type { Transaction } from '../database/pool.ts';
import { notFound, type Precondition, refuse } from '../base/errors.ts';
import { chosenIds, chosenSites, type DeviceScope } from '../base/scopes.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import { hasSubject, lockRemarks, readRemark, type ReportPlace, writeRemark } from './report-remarks.sql.ts';

/** The key of a report's remark; ids in another order are the same scope. */
export function placeOfRemark(period: string, scope: DeviceScope): ReportPlace {
  const devices = chosenIds(scope);
  if (devices === null) return { period, scope: '', subjectIds: [] };
  const subjects = [chosenSites(scope), devices];
  const ids = subjects.map((list) => list.toSorted().join());
  return { period, scope: createHash('sha256').update(ids.join('|')).digest('hex'), subjectIds: subjects.flat() };
}

/** The maximum number of remarks: enough for monthly remarks on twenty choices of devices, for twenty years. */
const maxRemarks = 5_000;

/**
 * Writes the remark of a report, or removes it. Throws `notFound` if nothing in the report's scope exists, `conflict` if there
 * are too many remarks, and what `checkVersion` throws for the previous remark.
 */
export async function changeRemark(
  changing: Changing,
  place: ReportPlace,
  remark: string,
  checkVersion: Precondition<{ remark: string }>,
): Promise<{ remark: string }> {
  return makeChange(changing, async (tx, recordChange) => {
    const count = await lockRemarks(tx);
    const before = { remark: await readRemark(tx, place) };
    checkVersion(before);
    if (remark !== '' && before.remark === '') await refuseNew(tx, place, count);
    await writeRemark(tx, place, remark);
    await recordChange('report.change-remark', { id: null, name: place.period, before, after: { remark } });
    return { remark };
  });
}

async function refuseNew(tx: Transaction, { subjectIds }: ReportPlace, count: number): Promise<void> {
  if (subjectIds.length > 0 && !(await hasSubject(tx, subjectIds))) throw notFound('device');
  if (count >= maxRemarks) throw refuse('manyRemarks', { max: maxRemarks });
}
