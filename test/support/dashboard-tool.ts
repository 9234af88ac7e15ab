import { join } from 'node:path';
import { expect } from 'vitest';
import { provisionedFor } from '../../dashboards/server/provisioned/provisioned.ts';
import { readToolSettings } from '../../dashboards/server/settings.ts';
import { composeTool, startTool, type Tool, type ToolOptions } from '../../dashboards/server/tool.ts';
import { type GateIdentity, gateHeaders } from '../../server/dashboards/gate-proof.ts';
import type { App } from '../../server/http/guard.ts';
import { createLog } from '../../server/logging.ts';
import type { TestApp } from './app.ts';
import { dashboardsConnection } from './dashboard-role.ts';

export const gateSecret = 'the-secret-of-portal-and-tool-0123456789';
export const somebody: GateIdentity = {
  user: '019a0000-0000-7000-8000-000000000001',
  email: 'ada@example.com',
  name: 'Ada Jörgensen',
  role: 'Admin',
};
export const viewer: GateIdentity = { ...somebody, user: '019a0000-0000-7000-8000-000000000002', role: 'User' };

export interface TestTool extends AsyncDisposable {
  app: App;
  /** Every line that was logged. */
  log: string[];
  /** Requests a path below the prefix, as a user admitted by the gate. */
  ask: (
    url: string,
    question?: { payload?: object; method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; as?: GateIdentity },
  ) => Promise<{ status: number; body: string; json: () => unknown; headers: Record<string, unknown> }>;
}

/** The dashboard tool on the database of a portal, signed in as its role, without a port. */
export async function openTestTool(
  portal: TestApp,
  {
    now = Date.now,
    pageFolder = '/nowhere',
    environment = {},
    provisioned = {},
  }: {
    now?: () => number;
    pageFolder?: string;
    environment?: Record<string, string>;
    provisioned?: ToolOptions['provisioned'];
  } = {},
): Promise<TestTool> {
  const { config } = portal;
  const read = readToolSettings(
    {
      Application__RunMode: config.runMode,
      Application__TimeZone: config.timeZone,
      Database__ConnectionString: await dashboardsConnection(config.database.connectionString ?? ''),
      Dashboard__GateSecret: gateSecret,
      ...environment,
    },
    '/',
  );
  if ('violations' in read) throw new Error(read.violations.join('\n'));
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const { app, close } = await composeTool({ settings: read.settings, log, now, pageFolder, provisioned });
  await app.ready();
  return {
    app,
    log: lines,
    async ask(url, { payload, as = somebody, method = payload === undefined ? 'GET' : 'POST' } = {}) {
      const answer = await app.inject({
        method,
        url: `${read.settings.prefix}${url}`,
        headers: gateHeaders(as, { secret: gateSecret, nowMs: now() }),
        ...(payload !== undefined && { payload }),
      });
      const { statusCode: status, body, headers } = answer;
      return { status, body, headers, json: () => answer.json() };
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The answer of the tool to a query that must succeed. */
export async function answerOf(tool: TestTool, path: string, payload: object, as = somebody): Promise<unknown> {
  const answer = await tool.ask(`/api/${path}`, { payload, as });
  expect(answer.status, answer.body).toBe(200);
  return answer.json();
}

/** The dashboard tool as it ships, on a free port; with its page where that is built. It knows `gateSecret`. */
export async function startTestTool(
  connectionString: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Tool> {
  const read = readToolSettings(
    {
      Dashboard__GateSecret: gateSecret,
      Dashboard__ListenAddress: '127.0.0.1:0',
      Database__ConnectionString: await dashboardsConnection(connectionString),
      ...environment,
    },
    '/',
  );
  if ('violations' in read) throw new Error(read.violations.join('\n'));
  return startTool({
    settings: read.settings,
    log: createLog({ write: () => undefined }),
    now: Date.now,
    pageFolder: join(import.meta.dirname, '../../dashboards/page/dist'),
    provisioned: provisionedFor(read.settings.runMode),
  });
}
