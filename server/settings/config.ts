import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ConfigEntry } from '../../shared/app.ts';
import type { defineSettings } from './definitions.ts';
import type { SettingsReader } from './reader.ts';

/** Every setting of this process, read and checked once at start. */
export type Config = ReturnType<typeof readSettings> & {
  version: string;
  /** `GET /api/config`; without secrets. */
  overview: ConfigEntry[];
};

/** Reads all settings, with the defaults that depend on others. `defaultDataPath` applies if `Storage__DataPath` is not set. */
export function readSettings(
  settings: ReturnType<typeof defineSettings>,
  { read, readOr }: SettingsReader,
  { isProduction, defaultDataPath }: { isProduction: boolean; defaultDataPath: string },
) {
  const environment = readOr(
    settings.environment,
    isProduction ? 'Production' : 'Development',
    isProduction ? 'environment' : 'default',
  );
  const runMode = read(settings.runMode);
  const listen = read(settings.listenAddress);
  const connectionString = read(settings.connectionString);
  const isTrial = environment === 'Development' && runMode === 'Client';
  const autoProvision = readOr(settings.autoProvision, isTrial && connectionString === undefined);
  const upstream = read(settings.upstream);
  const dataPath = readOr(settings.dataPath, defaultDataPath);
  return {
    environment,
    runMode,
    publicUrl: readOr(settings.publicUrl, `http://${settings.listenAddress.kind.show(listen)}`),
    /** IANA zone of "today" if no site determines it. */
    timeZone: read(settings.timeZone),
    listen,
    trustedProxies: read(settings.trustedProxies),
    database: {
      connectionString,
      autoProvision,
      compressAfterDays: read(settings.compressAfterDays),
      /** 0 keeps all. */
      retentionMonths: read(settings.retentionMonths),
    },
    authentication: {
      defaultAdminEmail: read(settings.adminEmail),
      defaultAdminPassword: read(settings.adminPassword),
      refuseCommonPasswords: read(settings.refuseCommonPasswords),
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
    dashboard: {
      embedPathPrefix: read(settings.embedPathPrefix),
      upstream,
      start: readOr(settings.startTool, environment === 'Development' && upstream === undefined),
      gateSecret: readOr(settings.gateSecret, randomBytes(32).toString('base64url')),
    },
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
}
