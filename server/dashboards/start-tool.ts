import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { renewDashboardAccount } from './dashboard-role.sql.ts';
import { databaseIn, withAccount } from '../base/database-address.ts';
import type { Database } from '../database/pool.ts';
import type { Config } from '../settings/config.ts';
import type { ChildParts, ChildTool } from './child.ts';

interface Options {
  config: Config;
  log: FastifyBaseLogger;
  now: () => number;
  tool?: Pick<ChildParts, 'projectFolder' | 'environment'>;
}

/** The dashboard tool that this portal starts; undefined if it starts none. */
export async function openChildTool(
  { config, log, now, tool }: Options,
  { database, connectionString }: { database: Database; connectionString: string },
): Promise<ChildTool | undefined> {
  if (tool === undefined || !config.dashboard.start) return undefined;
  const { createChildTool, hasTool } = await import('./child.ts');
  if (!hasTool(tool.projectFolder)) return undefined;
  // The same name at each start, so that no old account remains.
  const portalKey = JSON.stringify([hostname(), resolve(config.storage.dataPath), databaseIn(connectionString)]);
  return createChildTool({
    ...tool,
    environment: withoutSettings(tool.environment),
    settings: async () =>
      toolSettings(config, withAccount(connectionString, await renewDashboardAccount(database, portalKey))),
    log,
    now,
    random: Math.random,
  });
}

function toolSettings({ dashboard, whiteLabel, ...config }: Config, connectionString: string): Record<string, string> {
  return {
    Application__Environment: config.environment,
    Application__RunMode: config.runMode,
    Application__PublicUrl: config.publicUrl,
    Application__TimeZone: config.timeZone,
    WhiteLabel__ApplicationName: whiteLabel.applicationName,
    WhiteLabel__LogoUrl: whiteLabel.logoUrl,
    WhiteLabel__PrimaryColor: whiteLabel.primaryColor,
    WhiteLabel__SecondaryColor: whiteLabel.secondaryColor,
    WhiteLabel__AccentColor: whiteLabel.accentColor,
    WhiteLabel__FooterText: whiteLabel.footerText,
    Database__ConnectionString: connectionString,
    Dashboard__EmbedPathPrefix: dashboard.embedPathPrefix,
    Dashboard__GateSecret: dashboard.gateSecret,
  };
}

/** The tool must not get the settings of the portal, which include its password and tokens. */
const withoutSettings = (environment: ChildParts['environment']) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(?!npm_)[a-z]+__/i.test(name)));
