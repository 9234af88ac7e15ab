import { join } from 'node:path';
import type { Config } from './settings/config.ts';
import { defineSettings } from './settings/definitions.ts';
import { parseEnvFile } from './settings/env-file.ts';
import { guardViolations } from './settings/guards.ts';
import { createReader } from './settings/reader.ts';

export interface ConfigInput {
  environment: Readonly<Record<string, string | undefined>>;
  /** The text of the `.env` file, or undefined if there is none. */
  envFile: string | undefined;
  /** Where relative paths start. */
  workingFolder: string;
  /** `Storage__DataPath` where it is not set. */
  defaultDataPath: string;
  version: string;
}

export type ConfigResult = { config: Config } | { violations: string[] };

/**
 * Reads and checks every setting and every startup guard that needs only settings (startup rules 6 to 9, decisions.md 7).
 * Reports all violations together, one sentence each.
 */
export function readConfig({
  environment,
  envFile,
  workingFolder,
  defaultDataPath,
  version,
}: ConfigInput): ConfigResult {
  const file = parseEnvFile(envFile ?? '');
  const settings = defineSettings(workingFolder);
  const reader = createReader(Object.values(settings), environment, file.values);
  const { read, readOr } = reader;

  const isProduction = environment['NODE_ENV'] === 'production';
  const appEnvironment = readOr(
    settings.environment,
    isProduction ? 'Production' : 'Development',
    isProduction ? 'environment' : 'default',
  );
  const runMode = read(settings.runMode);
  const listen = read(settings.listenAddress);
  const connectionString = read(settings.connectionString);
  const isTrial = appEnvironment === 'Development' && runMode === 'Client';
  const autoProvision = readOr(settings.autoProvision, isTrial && connectionString === undefined);
  const dataPath = readOr(settings.dataPath, defaultDataPath);

  const config: Omit<Config, 'overview'> = {
    environment: appEnvironment,
    runMode,
    version,
    publicUrl: readOr(settings.publicUrl, `http://${settings.listenAddress.kind.show(listen)}`),
    timeZone: read(settings.timeZone),
    listen,
    trustedProxies: [...read(settings.trustedProxies)],
    database: {
      connectionString,
      autoProvision,
      compressAfterDays: read(settings.compressAfterDays),
      retentionMonths: read(settings.retentionMonths),
    },
    authentication: {
      defaultAdminEmail: read(settings.adminEmail),
      defaultAdminPassword: read(settings.adminPassword),
    },
    whiteLabel: {
      applicationName: read(settings.applicationName),
      logoUrl: read(settings.logoUrl),
      primaryColor: read(settings.primaryColor),
      secondaryColor: read(settings.secondaryColor),
      accentColor: read(settings.accentColor),
      footerText: read(settings.footerText),
    },
    storage: {
      dataPath,
      keysPath: readOr(settings.keysPath, join(dataPath, 'keys')),
      uploadsPath: readOr(settings.uploadsPath, join(dataPath, 'uploads')),
    },
    dashboard: { embedPathPrefix: read(settings.embedPathPrefix), upstream: read(settings.upstream) },
    fleetIngest: {
      enabled: read(settings.pushEnabled),
      url: read(settings.pushUrl),
      token: read(settings.pushToken),
      intervalSeconds: read(settings.intervalSeconds),
      batchSize: read(settings.batchSize),
      backoffMinSeconds: read(settings.backoffMinSeconds),
      backoffMaxSeconds: read(settings.backoffMaxSeconds),
      tokenGraceHours: read(settings.tokenGraceHours),
      maxBatchesPerMinute: read(settings.maxBatchesPerMinute),
    },
    metrics: { token: read(settings.metricsToken) },
    demo: { enabled: readOr(settings.demo, isTrial && autoProvision) },
  };
  const unusable = new Set(reader.violations.map(({ setting }) => setting.toLowerCase()));
  const guarded = guardViolations(config).filter(({ setting }) => !unusable.has(setting.toLowerCase()));
  const violations = [
    ...file.badLines.map(
      (line) => `Line ${line} of .env is not NAME=value; correct it or start it with # as a comment.`,
    ),
    ...[...reader.violations, ...guarded].map(({ setting, problem }) => `${setting} ${problem}`),
  ];
  return violations.length > 0 ? { violations } : { config: { ...config, overview: reader.overview() } };
}
