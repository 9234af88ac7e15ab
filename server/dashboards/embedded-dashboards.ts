import { randomUUIDv7 } from 'node:crypto';
import {
  deleteEmbeddedDashboard,
  type EmbeddedDashboard,
  insertEmbeddedDashboard,
  lockEmbeddedDashboard,
  lockEmbeddedDashboards,
  seedEmbeddedDashboardsOnce,
  updateEmbeddedDashboard,
} from './embedded-dashboards.sql.ts';
import type { Database } from '../database/pool.ts';
import { found, type Precondition, refuse } from '../base/errors.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';

/** Fields that are left out keep their values. */
interface Values extends Pick<EmbeddedDashboard, 'title' | 'path'> {
  description?: string | undefined;
  sortOrder?: number | undefined;
}

const what = 'embeddedDashboard';
// Leaves numbers for insertions between neighbours.
const sortStep = 10;

/** Adds those that ship with the dashboard tool, at the first start only, so that deleted ones do not come back. */
export async function seedEmbeddedDashboards(database: Database): Promise<void> {
  const shipped = [
    ['Overview', 'Power, energy and cost at a glance', 'overview'],
    ['Energy and cost', 'What was used, when, and what it cost', 'energy-and-cost'],
    ['Power quality', 'Voltage, frequency and power factor', 'power-quality'],
    ['Device comparison', 'Devices beside each other', 'device-comparison'],
  ] as const;
  const dashboards = shipped.map(([title, description, slug], index) => ({
    id: randomUUIDv7(),
    title,
    description,
    path: `/dashboards/${slug}`,
    sortOrder: (index + 1) * sortStep,
  }));
  await seedEmbeddedDashboardsOnce(database, dashboards);
}

/** Adds a dashboard, after all others unless a position is given. Throws `conflict` when there are `max` already. */
export async function createEmbeddedDashboard(
  changing: Changing,
  max: number,
  values: Values,
): Promise<EmbeddedDashboard> {
  return makeChange(changing, async (tx, recordChange) => {
    const { count, last } = await lockEmbeddedDashboards(tx);
    if (count >= max) {
      throw refuse('manyEmbeddedDashboards', { max });
    }
    const { title, path, description = '', sortOrder = last + sortStep } = values;
    const created = { id: randomUUIDv7(), title, description, path, sortOrder };
    await insertEmbeddedDashboard(tx, created);
    await recordChange('embedded-dashboard.create', { id: created.id, name: title, after: shownOf(created) });
    return created;
  });
}

/** Changes a dashboard. Throws `notFound`, and what `checkVersion` throws of it as it was. */
export async function changeEmbeddedDashboard(
  changing: Changing,
  id: string,
  values: Values,
  checkVersion: Precondition<EmbeddedDashboard>,
): Promise<EmbeddedDashboard> {
  return makeChange(changing, async (tx, recordChange) => {
    const before = found(await lockEmbeddedDashboard(tx, id), what);
    checkVersion(before);
    const { title, path, description = before.description, sortOrder = before.sortOrder } = values;
    const after = { id, title, description, path, sortOrder };
    await updateEmbeddedDashboard(tx, after);
    await recordChange('embedded-dashboard.change', {
      id,
      name: before.title,
      before: shownOf(before),
      after: shownOf(after),
    });
    return after;
  });
}

/** Deletes a dashboard from the menu, not from the tool. Throws `notFound`, and what `checkVersion` throws of it as it was. */
export async function removeEmbeddedDashboard(
  changing: Changing,
  id: string,
  checkVersion: Precondition<EmbeddedDashboard>,
): Promise<void> {
  await makeChange(changing, async (tx, recordChange) => {
    const before = found(await lockEmbeddedDashboard(tx, id), what);
    checkVersion(before);
    await deleteEmbeddedDashboard(tx, id);
    await recordChange('embedded-dashboard.delete', { id, name: before.title, before: shownOf(before) });
  });
}

const shownOf = ({ id: _id, ...shown }: EmbeddedDashboard) => shown;
