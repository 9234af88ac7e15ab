import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from '../../scripts/imports.mjs';
import { listFiles } from '../../scripts/web-page.mjs';

const root = join(import.meta.dirname, '../..');

/** The rooms of the server from the lowest floor up; a room imports its own files and those of lower floors. */
const floors = [
  'base',
  'settings',
  'database',
  'workbook',
  'http',
  'accounts',
  'energy',
  'rates',
  'sites',
  'ingest',
  'reports',
  'fleet',
  'push',
  'dashboards',
  'branding',
  'notifications',
  'alarms',
  'subscriptions',
  'backup',
  'demo',
];

/** SQL and routes that other rooms still import, with those rooms. An entry that is no longer needed fails the test. */
const borrowed: Record<string, readonly string[]> = {
  'server/dashboards/dashboards.sql.ts': ['tool'],
  'server/energy/day-checksums.sql.ts': ['fleet', 'push'],
  'server/energy/dirty-ranges.sql.ts': ['fleet', 'ingest', 'sites'],
  'server/energy/energy-days.sql.ts': ['fleet'],
  'server/energy/energy-flags.sql.ts': ['fleet', 'reports'],
  'server/energy/energy-sums.sql.ts': ['fleet'],
  'server/energy/intervals.sql.ts': ['ingest', 'reports'],
  'server/energy/measurements.sql.ts': ['fleet', 'ingest', 'push', 'rates', 'reports', 'sites', 'tool'],
  'server/energy/reading-columns.sql.ts': ['reports'],
  'server/fleet/fleet-customers.sql.ts': ['tool'],
  'server/ingest/ingest.sql.ts': ['fleet'],
  'server/rates/tariffs.sql.ts': ['demo', 'fleet', 'push', 'reports', 'sites'],
  'server/sites/devices.sql.ts': ['fleet', 'push'],
  'server/sites/sites.sql.ts': ['push', 'tool'],
};

/** Imports up the floors, with the reason. */
const upward: Record<string, string> = {
  'server/ingest/client-ingest.ts > server/push/push-outbox.sql.ts':
    'an ingest records what it stored in its own transaction',
};

/** The room of a file: one of the floors, `tool` for the server of the dashboard tool, `house` for files of server/ itself. */
function roomOf(file: string): string {
  const [top = '', second = '', ...rest] = file.split('/');
  if (top === 'dashboards' && second === 'server') return 'tool';
  if (top !== 'server') return top;
  return rest.length === 0 ? 'house' : second;
}

const floorOf = (room: string) => (room === 'house' || room === 'tool' ? floors.length : floors.indexOf(room));
const layerOf = (file: string) => /\.(rules|sql|routes)\.ts$/.exec(file)?.[1] ?? 'use case';
/** Imports of nothing but types. */
const typesOnly = /^import (?:type [^;]*|\{\s*(?:type [^,}]+,?\s*)+\} from [^;]*);$/gm;
const isTest = (file: string) => /\.test\.tsx?$/.test(file);

/** A file and all that it imports, directly or through others, types and dynamic imports included. */
function closureOf(file: string): Set<string> {
  const found = new Set([join(root, file)]);
  for (const each of found) {
    for (const to of /\.m?ts$/.test(each) ? importsOf(each, readFileSync(each, 'utf8')) : []) found.add(to);
  }
  return found;
}

/** The error of an import of one file by another, or null. Types may come from any layer. */
function judge(file: string, imported: string, isOfTypes = false): string | null {
  const [from, to] = [roomOf(file), roomOf(imported)];
  if (to === 'shared' || to === 'messages' || imported === 'package.json') return null;
  if (floorOf(from) === -1 || floorOf(to) === -1) return `${file} imports ${imported}: a folder that is no room`;
  const isAllowed = (layers: readonly string[]) => layers.includes(layerOf(imported)) || to === 'base';
  if (layerOf(file) === 'rules' && !isAllowed(['rules'])) return `${file} imports ${imported}: rules import rules only`;
  if (layerOf(file) === 'sql' && !isAllowed(['rules', 'sql']) && to !== 'database') {
    return `${file} imports ${imported}: statements import no routes and no use cases`;
  }
  if (from === to) return null;
  if (to === 'house' && !(from === 'tool' && imported === 'server/logging.ts')) {
    return `${file} imports ${imported}: no room imports what opens it`;
  }
  if (floorOf(to) > floorOf(from) || to === 'tool') return `${file} imports ${imported}: imports go down the floors`;
  if (!isOfTypes && from !== 'house' && ['sql', 'routes'].includes(layerOf(imported))) {
    return `${file} imports ${imported}: the ${layerOf(imported)} of another room`;
  }
  return null;
}

describe('the rooms of the server', () => {
  const files = ['server', 'dashboards/server'].flatMap((folder) => listFiles(join(root, folder)));
  const imports = files
    .filter((file) => /\.m?ts$|\.mjs$/.test(file) && !isTest(file))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const values = importsOf(file, text.replaceAll(typesOnly, ''));
      return importsOf(file, text).map((to) => ({
        file: relative(root, file),
        to: relative(root, to),
        isOfTypes: !values.includes(to),
      }));
    });
  const isBreach = ({ file, to, isOfTypes }: (typeof imports)[number]) => judge(file, to, isOfTypes) !== null;

  it('import only downwards, and neither SQL nor routes of each other', () => {
    const isKnown = ({ file, to }: (typeof imports)[number]) =>
      borrowed[to]?.includes(roomOf(file)) === true || `${file} > ${to}` in upward;
    const breaches = imports.filter((each) => !isKnown(each));
    expect(breaches.flatMap(({ file, to, isOfTypes }) => judge(file, to, isOfTypes) ?? [])).toEqual([]);
  });

  it('let the summary be read without loading most of the server', () => {
    expect(closureOf('server/reports/dashboard.routes.ts').size).toBeLessThanOrEqual(57);
  });

  it('need each listed exception', () => {
    const needed = imports.filter(isBreach);
    const unused = Object.entries(borrowed).flatMap(([to, rooms]) =>
      rooms.filter((room) => !needed.some((each) => each.to === to && roomOf(each.file) === room)),
    );
    const pairs = new Set(needed.map(({ file, to }) => `${file} > ${to}`));
    expect([...unused, ...Object.keys(upward).filter((pair) => !pairs.has(pair))]).toEqual([]);
  });

  it.each([
    ['server/base/thing.ts', 'server/rates/tariffs.rules.ts', 'imports go down the floors'],
    ['server/energy/thing.ts', 'server/fleet/customers.ts', 'imports go down the floors'],
    ['server/rates/thing.ts', 'server/compose.ts', 'no room imports what opens it'],
    ['dashboards/server/thing.ts', 'server/startup.ts', 'no room imports what opens it'],
    ['server/fleet/thing.ts', 'dashboards/server/tool.ts', 'imports go down the floors'],
    ['server/fleet/thing.ts', 'server/rates/tariffs.sql.ts', 'the sql of another room'],
    ['server/fleet/thing.ts', 'server/rates/tariffs.routes.ts', 'the routes of another room'],
    ['dashboards/server/thing.ts', 'server/rates/tariffs.sql.ts', 'the sql of another room'],
    ['server/rates/thing.rules.ts', 'server/rates/tariffs.sql.ts', 'rules import rules only'],
    ['server/rates/thing.rules.ts', 'server/rates/tariffs.ts', 'rules import rules only'],
    ['server/rates/thing.rules.ts', 'server/database/pool.ts', 'rules import rules only'],
    ['server/rates/thing.sql.ts', 'server/rates/tariffs.ts', 'statements import no routes and no use cases'],
    ['server/rates/thing.sql.ts', 'server/rates/tariffs.routes.ts', 'statements import no routes and no use cases'],
    ['server/rates/thing.ts', 'server/common/tariffs.ts', 'a folder that is no room'],
    ['server/rates/thing.ts', 'web/src/lib/http.ts', 'a folder that is no room'],
  ])('%s does not import %s: %s', (file, imported, problem) => {
    expect(judge(file, imported)).toBe(`${file} imports ${imported}: ${problem}`);
  });

  it.each([
    ['server/rates/tariffs.ts', 'server/rates/tariffs.sql.ts'],
    ['server/rates/tariffs.routes.ts', 'server/rates/tariffs.ts'],
    ['server/rates/tariffs.routes.ts', 'server/http/guard.ts'],
    ['server/rates/tariffs.sql.ts', 'server/database/pool.ts'],
    ['server/rates/tariffs.sql.ts', 'server/energy/power.rules.ts'],
    ['server/rates/tariffs.rules.ts', 'server/base/money.ts'],
    ['server/rates/tariffs.rules.ts', 'shared/messages.ts'],
    ['server/reports/summary.ts', 'server/rates/total-energy.ts'],
    ['server/compose.ts', 'server/rates/tariffs.routes.ts'],
    ['dashboards/server/data.ts', 'server/rates/total-energy.ts'],
    ['dashboards/server/program.ts', 'server/logging.ts'],
  ])('%s imports %s', (file, imported) => {
    expect(judge(file, imported)).toBeNull();
  });
});
