import { randomUUIDv7 } from 'node:crypto';
import {
  dashboardSpec,
  type DashboardSpec,
  type StoredDashboard,
  type ListedDashboard,
  toolLimits,
} from '../../shared/dashboard-tool.ts';
import {
  countDashboards,
  type DashboardAuthor,
  deleteDashboard,
  findDashboard,
  findVersion,
  listDashboards,
  lockDashboard,
  recordDashboardChange,
  type SavedDashboard,
  writeVersion,
} from '../../server/dashboards/dashboards.sql.ts';
import type { Database, Transaction } from '../../server/database/pool.ts';
import { differenceOf, storable } from '../../server/accounts/audit.rules.ts';
import { found, refuse } from '../../server/base/errors.ts';
import { compareNames } from '../../server/base/names.ts';

/** The dashboards that ship with the tool, by name. */
export type Shipped = ReadonlyMap<string, DashboardSpec>;

export interface StoreParts {
  /** For reading. */
  database: Database;
  /** For writing. */
  writing: Database;
  /** Epoch milliseconds. */
  now: () => number;
  shipped: Shipped;
}

const kept = toolLimits.versions;
const titleOf = (name: string, spec: DashboardSpec | undefined) => spec?.display?.name ?? name;

/** All dashboards by title: those that ship, changed or not, and those made by users. */
export async function listAll({ database, shipped }: StoreParts): Promise<ListedDashboard[]> {
  const saved = new Map((await listDashboards(database)).map((one) => [one.name, one]));
  const names = new Set([...shipped.keys(), ...saved.keys()]);
  return [...names]
    .map((name) => present(name, saved.get(name) ?? null, shipped))
    .toSorted((a, b) => compareNames(a.title, b.title) || compareNames(a.name, b.name));
}

/** The newest state of a dashboard, or one of its versions. Null if it does not exist. */
export async function openDashboard(
  { database, shipped }: StoreParts,
  name: string,
  asked?: number,
): Promise<StoredDashboard | null> {
  return database.snapshot(async (tx) => {
    const saved = await findDashboard(tx, name);
    const ships = shipped.get(name);
    const version = asked ?? saved?.version ?? 0;
    if (version === 0) return ships === undefined ? null : { ...present(name, null, shipped), spec: ships };
    const stored = await findVersion(tx, name, version);
    if (saved === null || stored === null) return null;
    const spec = stored.spec === null ? ships : dashboardSpec.safeParse(stored.spec).data;
    if (spec === undefined) return null;
    const { savedAt: updatedAt, savedBy: updatedBy } = stored;
    return { ...present(name, saved, shipped), version, title: titleOf(name, spec), updatedAt, updatedBy, spec };
  });
}

/** Throws `conflict` if the name is taken, or there are too many. */
export async function createDashboard(
  parts: StoreParts,
  by: DashboardAuthor,
  name: string,
  spec: DashboardSpec,
): Promise<StoredDashboard> {
  const taken = () => refuse('dashboardNameTaken', { name }, { field: 'name' });
  if (parts.shipped.has(name)) throw taken();
  await parts.writing.transaction(async (tx) => {
    if ((await countDashboards(tx)) >= toolLimits.dashboards) {
      throw refuse('manyDashboards', { max: toolLimits.dashboards });
    }
    if (!(await write(tx, parts, { name, version: 1, spec, by }, true))) throw taken();
    await record(tx, by, 'create', null, { name, version: 1, title: titleOf(name, spec) });
  });
  return found(await openDashboard(parts, name, 1), 'savedDashboard');
}

/** Throws `stale` if another version is the newest one. */
export async function saveDashboard(
  parts: StoreParts,
  by: DashboardAuthor,
  name: string,
  { version: edited, spec }: { version: number; spec: DashboardSpec },
): Promise<StoredDashboard> {
  const version = edited + 1;
  await parts.writing.transaction(async (tx) => {
    const saved = await lockDashboard(tx, name);
    if (saved === null && !parts.shipped.has(name)) found(null, 'savedDashboard');
    const newest = saved?.version ?? 0;
    if (newest !== edited) throw stale(newest, edited);
    if (!(await write(tx, parts, { name, version, spec, by }, saved === null))) throw stale(1, edited);
    const before = present(name, saved, parts.shipped);
    await record(tx, by, 'change', before, { name, version, title: titleOf(name, spec) });
  });
  return found(await openDashboard(parts, name, version), 'savedDashboard');
}

/**
 * Deletes a dashboard that users made. A dashboard that ships with the tool is reset to its shipped version. Throws `notFound`.
 */
export async function removeDashboard(parts: StoreParts, by: DashboardAuthor, name: string): Promise<void> {
  const isShipped = parts.shipped.has(name);
  await parts.writing.transaction(async (tx) => {
    const saved = await lockDashboard(tx, name);
    if (saved === null) {
      if (!isShipped) found(null, 'savedDashboard');
    } else if (!isShipped) {
      await deleteDashboard(tx, name);
      await record(tx, by, 'delete', present(name, saved, parts.shipped), null);
    } else if (saved.title !== null) {
      const version = saved.version + 1;
      await write(tx, parts, { name, version, spec: null, by }, false);
      const title = titleOf(name, parts.shipped.get(name));
      await record(tx, by, 'change', present(name, saved, parts.shipped), { name, version, title });
    }
  });
}

type Recorded = Pick<ListedDashboard, 'name' | 'version' | 'title'>;

/** The audit trail names who changed which version; the versions contain the changes. */
function record(
  tx: Transaction,
  by: DashboardAuthor,
  what: 'create' | 'change' | 'delete',
  before: Recorded | null,
  after: Recorded | null,
): Promise<void> {
  const shown = (one: Recorded | null) => one && { name: one.name, version: one.version, title: one.title };
  const title = (after ?? before)?.title ?? '';
  return recordDashboardChange(tx, {
    id: randomUUIDv7(),
    by,
    what,
    title: storable(title, 300),
    ...differenceOf(shown(before), shown(after)),
  });
}

interface Change {
  name: string;
  version: number;
  /** Null if the dashboard was reset to the shipped version. */
  spec: DashboardSpec | null;
  by: DashboardAuthor;
}

const write = (tx: Transaction, { now }: StoreParts, { spec, ...change }: Change, isNew: boolean) => {
  const title = spec === null ? null : titleOf(change.name, spec);
  return writeVersion(tx, { ...change, spec, title, nowMs: now() }, { isNew, kept });
};

const stale = (newest: number, edited: number) =>
  refuse('dashboardChanged', { newest, got: edited }, { field: 'version' });

function present(name: string, saved: SavedDashboard | null, shipped: Shipped): ListedDashboard {
  const ships = shipped.get(name);
  const description = typeof saved?.title === 'string' ? saved.description : ships?.display?.description;
  return {
    name,
    title: saved?.title ?? titleOf(name, ships),
    ...(description && { description }),
    version: saved?.version ?? 0,
    updatedAt: saved?.updatedAt ?? null,
    updatedBy: saved?.updatedBy ?? null,
    isProvisioned: ships !== undefined,
  };
}
