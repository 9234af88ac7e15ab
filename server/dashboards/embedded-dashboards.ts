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
import { findDashboard } from './dashboards.sql.ts';
import { dashboardIn } from './dashboard-paths.rules.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { refuse } from '../base/errors.ts';
import { changesOf, type Changing, makeChange } from '../accounts/audit.ts';

/** Fields that are left out keep their values. */
interface Values extends Pick<EmbeddedDashboard, 'title' | 'path'> {
  description?: string | undefined;
  sortOrder?: number | undefined;
}

// The distance between sort orders leaves numbers for entries in between.
const sortStep = 10;

/** The dashboards that ship with the tool: their name there, and their entry in the menu. */
export const shippedDashboards = {
  overview: ['Overview', 'Power, energy and cost at a glance'],
  'energy-and-cost': ['Energy and cost', 'What was used, when, and what it cost'],
  'power-quality': ['Power quality', 'Voltage, frequency and power factor'],
  'device-comparison': ['Device comparison', 'Devices beside each other'],
} as const;

/** Adds the dashboards that ship with the tool. This happens at the first start only, so that deleted ones do not come back. */
export async function seedEmbeddedDashboards(database: Database): Promise<void> {
  const dashboards = Object.entries(shippedDashboards).map(([slug, [title, description]], index) => ({
    id: randomUUIDv7(),
    title,
    description,
    path: `/dashboards/${slug}`,
    sortOrder: (index + 1) * sortStep,
  }));
  await seedEmbeddedDashboardsOnce(database, dashboards);
}

/** The rules for entries of the menu. */
interface Menu {
  max: number;
  /** `Dashboard__EmbedPathPrefix`. */
  prefix: string;
  /** Whether the tool behind the prefix is our own. Only then its dashboards are known. */
  isOwnTool: boolean;
}

/**
 * Throws `invalid` if a path opens no dashboard of our own tool. The dashboards of another tool are unknown, so all paths pass.
 */
async function refuseUnknown(tx: Transaction, path: string, { isOwnTool, prefix }: Menu): Promise<void> {
  const name = isOwnTool ? dashboardIn(path) : null;
  if (name === null) return;
  const isThere = name !== undefined && (Object.hasOwn(shippedDashboards, name) || (await findDashboard(tx, name)));
  if (!isThere) throw refuse('noDashboard', { path: `${prefix}${path}` }, { field: 'path' });
}

/** Adds a dashboard, after all others unless a position is given. Throws `conflict` when there are `max` already. */
export async function createEmbeddedDashboard(
  changing: Changing,
  menu: Menu,
  values: Values,
): Promise<EmbeddedDashboard> {
  return makeChange(changing, async (tx, recordChange) => {
    await refuseUnknown(tx, values.path, menu);
    const { count, last } = await lockEmbeddedDashboards(tx);
    const { max } = menu;
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

const shownOf = ({ id: _id, ...shown }: EmbeddedDashboard) => shown;
const entries = changesOf<EmbeddedDashboard>({
  kind: 'embedded-dashboard',
  what: 'embeddedDashboard',
  lock: lockEmbeddedDashboard,
  nameOf: ({ title }) => title,
  shownOf,
});

/** Changes a dashboard. Throws `notFound`, and what `checkVersion` throws for the dashboard before the change. */
export const changeEmbeddedDashboard = entries.changer(
  async (tx, id, { menu, ...values }: Values & { menu: Menu }, before) => {
    const { title, path, description = before.description, sortOrder = before.sortOrder } = values;
    // An entry whose dashboard was deleted in the tool may still be moved and renamed.
    if (path !== before.path) await refuseUnknown(tx, path, menu);
    const after = { id, title, description, path, sortOrder };
    await updateEmbeddedDashboard(tx, after);
    return after;
  },
);

/**
 * Deletes a dashboard from the menu, not from the tool. Throws `notFound`, and what `checkVersion` throws for the dashboard
 * before the change.
 */
export const removeEmbeddedDashboard = entries.remover(deleteEmbeddedDashboard);
