// Every table, column, view and function of the databases says what it means, and in which unit. Reads the snapshots of the schemas,
// which test/integration/schema.test.ts holds equal to the databases that migrations and engines make.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, root, say } from './project.mjs';

/**
 * What lacks a comment in a snapshot, such as `monitoring.sites.name`. Comments stand above what they are about.
 * @param {string} snapshot
 * @returns {string[]}
 */
export function missingComments(snapshot) {
  /** @type {string[]} */
  const missing = [];
  for (const statement of snapshot.split('\n\n')) {
    const lines = statement.split('\n');
    const at = lines.findIndex((line) => /^CREATE (TABLE|(MATERIALIZED )?VIEW|OR REPLACE FUNCTION) /.test(line));
    if (at < 0) continue;
    const name = /([\w"]+\.[\w"]+)/.exec(lines[at] ?? '')?.[1] ?? lines[at];
    const isColumn = /^ {2}(?!--|CONSTRAINT )\S+ /;
    const isTable = lines[at]?.startsWith('CREATE TABLE ');
    if (!lines.slice(0, at).some((line) => /^-- \S/.test(line))) missing.push(`${name}`);
    for (const [place, line] of lines.entries()) {
      const column = isTable && isColumn.test(line) ? line.trim().split(' ')[0] : undefined;
      if (column !== undefined && !/^ {2}-- \S/.test(lines[place - 1] ?? '')) missing.push(`${name}.${column}`);
      // The columns of a view are listed above it.
      const ofView = /^-- {3}(\w+): $/.exec(line);
      if (ofView !== null) missing.push(`${name}.${ofView[1]}`);
    }
  }
  return missing;
}

if (import.meta.main) {
  await main(async () => {
    const folder = join(root, 'test', 'integration');
    const files = globSync('schema-*.snap.sql', { cwd: folder });
    const missing = files.flatMap((file) => missingComments(readFileSync(join(folder, file), 'utf8')));
    if (files.length === 0) say('No schema snapshot found in test/integration.');
    if (missing.length > 0) {
      say(
        `These have no comment: ${missing.join(', ')}. Write COMMENT ON … where they are made, then ` +
          'UPDATE_SCHEMA=1 npm test test/integration/schema.',
      );
    }
    return files.length === 0 || missing.length > 0 ? 1 : 0;
  });
}
