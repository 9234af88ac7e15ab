import { z } from 'zod';
import {
  dashboardToolStatus,
  embeddedDashboard,
  embeddedDashboardCreate,
  embeddedDashboardUpdate,
  type EmbeddedDashboardWrite,
  maxEmbeddedDashboards,
} from '../../shared/embedded-dashboards.ts';
import { embeddedDashboardVersion } from '../../shared/versions.ts';
import { changeEmbeddedDashboard, createEmbeddedDashboard, removeEmbeddedDashboard } from './embedded-dashboards.ts';
import { type EmbeddedDashboard, listEmbeddedDashboards } from './embedded-dashboards.sql.ts';
import { pathBelow } from './dashboard-paths.rules.ts';
import type { ClientParts } from '../http/client-parts.ts';
import type { DashboardTool } from './dashboard-proxy.ts';
import { guarded, type App } from '../http/guard.ts';
import { removeRoute, writeRoutes } from '../http/resources.ts';
const resource = { path: '/api/embedded-dashboards', tags: ['Embedded dashboards'] };

interface EmbeddedDashboardParts extends Pick<ClientParts, 'database' | 'guard'> {
  /** `Dashboard__EmbedPathPrefix`. */
  prefix: string;
  tool: DashboardTool;
  /** Whether the tool is our own; false for a tool at `Dashboard__Upstream`. */
  isOwnTool: boolean;
}

/** `/api/embedded-dashboards`: decisions.md 3. */
export function embeddedDashboardRoutes(app: App, parts: EmbeddedDashboardParts): void {
  const { database, guard, prefix, tool, isOwnTool } = parts;
  const menu = { max: maxEmbeddedDashboards, prefix, isOwnTool };
  const present = (stored: EmbeddedDashboard) => ({ ...stored, path: `${prefix}${stored.path}` });
  const stored = (values: EmbeddedDashboardWrite) => ({ ...values, path: pathBelow(prefix, values.path) });

  app.get(
    resource.path,
    guarded(guard.signedIn, {
      tags: resource.tags,
      operationId: 'listEmbeddedDashboards',
      summary: 'List the dashboards of the menu, in their order',
      response: { 200: z.array(embeddedDashboard) },
    }),
    async () => (await listEmbeddedDashboards(database)).map(present),
  );

  app.get(
    `${resource.path}/status`,
    guarded(guard.signedIn, {
      tags: resource.tags,
      operationId: 'getDashboardToolStatus',
      summary: 'Get the state of the dashboard tool',
      response: { 200: dashboardToolStatus },
    }),
    async () => ({ ...(await tool.status()), path: prefix }),
  );

  writeRoutes(
    app,
    { database, guard },
    {
      ...resource,
      answer: embeddedDashboard,
      present,
      versionOf: embeddedDashboardVersion,
      create: {
        operationId: 'createEmbeddedDashboard',
        summary: 'Add a dashboard to the menu',
        description: `The path lies under Dashboard__EmbedPathPrefix and opens a dashboard that exists. 409 beyond ${maxEmbeddedDashboards} dashboards.`,
        body: embeddedDashboardCreate,
        run: async (changing, values) => createEmbeddedDashboard(changing, menu, stored(values)),
      },
      change: {
        operationId: 'updateEmbeddedDashboard',
        summary: 'Change a dashboard of the menu; absent fields keep their values',
        body: embeddedDashboardUpdate,
        run: (changing, id, values, check) => changeEmbeddedDashboard(changing, id, { ...stored(values), menu }, check),
      },
    },
  );
  removeRoute(
    app,
    { database, guard },
    {
      ...resource,
      operationId: 'deleteEmbeddedDashboard',
      summary: 'Remove a dashboard from the menu; the dashboard tool keeps it',
      versionOf: (stored: EmbeddedDashboard) => embeddedDashboardVersion(present(stored)),
      run: removeEmbeddedDashboard,
    },
  );
}
