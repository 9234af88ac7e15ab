import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
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
    settings.Application__Environment,
    isProduction ? 'Production' : 'Development',
    isProduction ? 'environment' : 'default',
  );
  const runMode = read(settings.Application__RunMode);
  const listen = read(settings.Application__ListenAddress);
  const connectionString = read(settings.Database__ConnectionString);
  const isTrial = environment === 'Development' && runMode === 'Client';
  const autoProvision = readOr(
    settings.Database__AutoProvisionLocalTimescaleDb,
    isTrial && connectionString === undefined,
  );
  const upstream = read(settings.Dashboard__Upstream);
  const dataPath = readOr(settings.Storage__DataPath, defaultDataPath);
  return {
    environment,
    runMode,
    publicUrl: readOr(
      settings.Application__PublicUrl,
      `http://${settings.Application__ListenAddress.kind.show(listen)}`,
    ),
    /** IANA zone of "today" if no site determines it. */
    timeZone: read(settings.Application__TimeZone),
    listen,
    trustedProxies: read(settings.Application__TrustedProxies),
    database: {
      connectionString,
      autoProvision,
      compressAfterDays: read(settings.Database__CompressAfterDays),
      /** 0 keeps all. */
      retentionMonths: read(settings.Database__RetentionMonths),
    },
    authentication: {
      defaultAdminEmail: read(settings.Authentication__DefaultAdminEmail),
      defaultAdminPassword: read(settings.Authentication__DefaultAdminPassword),
      refuseCommonPasswords: read(settings.Authentication__RefuseCommonPasswords),
    },
    whiteLabel: {
      applicationName: read(settings.WhiteLabel__ApplicationName),
      logoUrl: read(settings.WhiteLabel__LogoUrl),
      primaryColor: read(settings.WhiteLabel__PrimaryColor),
      secondaryColor: read(settings.WhiteLabel__SecondaryColor),
      accentColor: read(settings.WhiteLabel__AccentColor),
      footerText: read(settings.WhiteLabel__FooterText),
    },
    storage: {
      dataPath,
      keysPath: readOr(settings.Storage__KeysPath, join(dataPath, 'keys')),
      uploadsPath: readOr(settings.Storage__UploadsPath, join(dataPath, 'uploads')),
    },
    dashboard: {
      embedPathPrefix: read(settings.Dashboard__EmbedPathPrefix),
      upstream,
      start: readOr(settings.Dashboard__Start, environment === 'Development' && upstream === undefined),
      gateSecret: readOr(settings.Dashboard__GateSecret, randomBytes(32).toString('base64url')),
    },
    fleetIngest: {
      enabled: read(settings.FleetIngest__Enabled),
      url: read(settings.FleetIngest__Url),
      token: read(settings.FleetIngest__Token),
      intervalSeconds: read(settings.FleetIngest__IntervalSeconds),
      batchSize: read(settings.FleetIngest__BatchSize),
      backoffMinSeconds: read(settings.FleetIngest__BackoffMinSeconds),
      backoffMaxSeconds: read(settings.FleetIngest__BackoffMaxSeconds),
      tokenGraceHours: read(settings.FleetIngest__TokenGraceHours),
      maxBatchesPerMinute: read(settings.FleetIngest__MaxBatchesPerMinute),
    },
    notifications: {
      allowPrivateTargets: read(settings.Notifications__AllowPrivateTargets),
      language: read(settings.Notifications__Language),
    },
    mail: {
      /** Undefined: the portal sends no mail. */
      host: read(settings.Mail__Host),
      port: read(settings.Mail__Port),
      security: read(settings.Mail__Security),
      username: read(settings.Mail__Username),
      password: read(settings.Mail__Password),
      from: read(settings.Mail__From),
    },
    metrics: { token: read(settings.Metrics__Token) },
    demo: { enabled: readOr(settings.Demo__Enabled, isTrial && autoProvision), world: read(settings.Demo__World) },
  };
}

/** The parameters of a one-off command. */
export interface OneRunOptions {
  config: Config;
  log: FastifyBaseLogger;
  migrationsFolder: string;
  /** Epoch milliseconds. */
  now: () => number;
  /** Aborted when the process is told to stop. */
  signal: AbortSignal;
  /** For a command that starts a portal: the parts with which it starts a dashboard tool. */
  tool: { projectFolder: string; environment: NodeJS.ProcessEnv };
  /** The arguments after the command's name. */
  words: readonly string[];
}
