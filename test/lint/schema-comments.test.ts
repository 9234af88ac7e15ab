import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingComments } from '../../scripts/schema-comments.mjs';

const folder = join(import.meta.dirname, '../integration');
const snapshots = globSync('schema-*.snap.sql', { cwd: folder }).map((file) =>
  readFileSync(join(folder, file), 'utf8'),
);

describe('every table, column, view and function of the databases has a comment', () => {
  it('none lacks one', () => {
    expect(snapshots.length).toBeGreaterThanOrEqual(7);
    expect(snapshots.flatMap(missingComments)).toEqual([]);
  });

  it('reports the name of each planted breach', () => {
    const sites =
      '-- Places.\nCREATE TABLE monitoring.sites (\n  -- GUID.\n  id uuid NOT NULL,\n  -- Shown.\n  "name" text,\n  CONSTRAINT a CHECK (true)\n);';
    expect(missingComments(sites)).toEqual([]);
    expect(missingComments(sites.replace('-- Places.', '-- '))).toEqual(['monitoring.sites']);
    expect(missingComments(sites.replace('-- GUID.', '-- '))).toEqual(['monitoring.sites.id']);
    expect(missingComments(sites.replace('  -- Shown.\n', ''))).toEqual(['monitoring.sites."name"']);
    const view =
      '-- Hours.\n--   hour: UTC instant.\n--   samples: Number.\nCREATE VIEW fleet.device_hours AS\n SELECT 1;';
    expect(missingComments(view)).toEqual([]);
    expect(missingComments(view.replace('Number.', ''))).toEqual(['fleet.device_hours.samples']);
    expect(missingComments('-- \nCREATE OR REPLACE FUNCTION portal.keep()\n RETURNS trigger;')).toEqual([
      'portal.keep',
    ]);
  });

  it('without any of its comments the schema has nothing that passes', () => {
    for (const snapshot of snapshots) {
      const columns = snapshot.match(/^ {2}-- \S/gm)?.length ?? 0;
      expect(
        missingComments(snapshot.replaceAll(/^ *-- (?!hypertable|Made by).*\n/gm, '')).length,
      ).toBeGreaterThanOrEqual(columns);
    }
  });
});
