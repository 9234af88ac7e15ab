import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dashboard, Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { z } from 'zod';
import { Database } from '../../server/db/pool.ts';

export const grafanaFolder = join(import.meta.dirname, '../../deploy/grafana');
export const readGrafana = (path: string): Promise<string> => readFile(join(grafanaFolder, path), 'utf8');

/** Of hex digits, as the secret of a stack. */
export const grafanaPassword = '00ff00ff00ff00ff';

/** Makes the role and what it may ask, as the overlay does, and connects as it. Roles belong to the cluster, which is the run's. */
export async function openGrafana(database: Database, connectionString: string): Promise<Database> {
  for (const text of [await readGrafana('role.sql'), await readGrafana('reporting.sql')])
    await database.query({ text });
  await database.query({ text: `ALTER ROLE portal_grafana PASSWORD '${grafanaPassword}'` });
  const address = new URL(connectionString);
  address.username = 'portal_grafana';
  address.password = grafanaPassword;
  return new Database(address.href, { maxConnections: 1 });
}

const query = z.object({ rawSql: z.string(), format: z.enum(['table', 'time_series']) });
export type Query = z.infer<typeof query>;

/** Its panels with what each asks. */
export const listPanels = ({ panels = [] }: Dashboard): { panel: Panel; queries: Query[] }[] =>
  panels.flatMap((panel) => ('targets' in panel ? [{ panel, queries: z.array(query).parse(panel.targets) }] : []));

export interface Chosen {
  from: string;
  to: string;
  device: readonly string[];
  site?: readonly string[];
  intervalMs?: number;
}

/** Puts variables and macros in as Grafana does: all chosen ids in quotes, instants as literals. */
export function fillIn(sql: string, { from, to, device, site = [], intervalMs = 900_000 }: Chosen): string {
  const list = (ids: readonly string[]) => (ids.length === 0 ? [''] : ids).map((id) => `'${id}'`).join(',');
  return sql
    .replaceAll('$__interval_ms', String(intervalMs))
    .replaceAll('$__timeFrom()', `'${from}'`)
    .replaceAll('$__timeTo()', `'${to}'`)
    .replaceAll('$device', list(device))
    .replaceAll('$site', list(site));
}
