import {
  bearerToken,
  color,
  emailAddress,
  folder,
  footer,
  gateSecret,
  httpUrl,
  imageUrl,
  type Kind,
  listenAddress,
  numberFrom,
  oneOf,
  origin,
  pathPrefix,
  portalName,
  postgresUrl,
  proxies,
  secretText,
  yesOrNo,
  zone,
} from './kinds.ts';

/** One setting, with everything about it in one place. */
export interface Setting<T, Fallback extends T | undefined = T | undefined> {
  name: string;
  kind: Kind<T>;
  /** The default; undefined if it depends on other settings or there is none. */
  fallback: Fallback;
  isSecret: boolean;
  /** Whether `<name>_FILE` may name a file with the value, as secrets are passed to containers. */
  takesFile: boolean;
  description: string;
}

/** The shipped account, whose password Production refuses (startup rule 6). */
export const shippedAdmin = { email: 'admin@example.com', password: 'ChangeMe123!' };

const hour = 3600;

/** Every setting of the portal, in the order of the overview (specification and decisions.md 7). */
export function defineSettings(workingFolder: string) {
  const path = folder(workingFolder);
  return {
    environment: setting(
      'Application__Environment',
      oneOf(['Development', 'Production']),
      undefined,
      'Production refuses settings that are only fit for a trial; NODE_ENV=production means Production',
    ),
    runMode: setting('Application__RunMode', oneOf(['Client', 'Admin']), 'Client', 'one customer, or the fleet'),
    publicUrl: setting('Application__PublicUrl', origin, undefined, 'public address of the instance'),
    timeZone: setting('Application__TimeZone', zone, 'UTC', 'zone of "today" where no site decides'),
    listenAddress: setting(
      'Application__ListenAddress',
      listenAddress,
      { host: '127.0.0.1', port: 8080 },
      'where the portal listens; containers set 0.0.0.0:8080',
    ),
    trustedProxies: setting(
      'Application__TrustedProxies',
      proxies,
      [],
      'reverse proxies whose X-Forwarded headers are believed',
    ),
    connectionString: setting(
      'Database__ConnectionString',
      postgresUrl,
      undefined,
      'the PostgreSQL database',
      'holds a secret',
    ),
    autoProvision: setting(
      'Database__AutoProvisionLocalTimescaleDb',
      yesOrNo,
      undefined,
      'starts a database on this machine; Client and Development only',
    ),
    compressAfterDays: setting(
      'Database__CompressAfterDays',
      numberFrom(1, 36_500),
      7,
      'days after which measurements are compressed; TimescaleDB only',
    ),
    retentionMonths: setting(
      'Database__RetentionMonths',
      numberFrom(0, 1_200),
      0,
      'months of which measurements are kept, 0 for all; energy and cost stay',
    ),
    adminEmail: setting(
      'Authentication__DefaultAdminEmail',
      emailAddress,
      shippedAdmin.email,
      'account that is created when it is missing',
    ),
    adminPassword: setting(
      'Authentication__DefaultAdminPassword',
      secretText,
      shippedAdmin.password,
      'its first password',
      'secret',
    ),
    refuseCommonPasswords: setting(
      'Authentication__RefuseCommonPasswords',
      yesOrNo,
      false,
      'refuses new passwords that are among the 10,000 most common',
    ),
    applicationName: setting('WhiteLabel__ApplicationName', portalName, 'Power Monitoring', 'first name of the portal'),
    logoUrl: setting('WhiteLabel__LogoUrl', imageUrl, '', 'first logo'),
    primaryColor: setting('WhiteLabel__PrimaryColor', color, '#0b7285', 'first color of buttons and links'),
    secondaryColor: setting('WhiteLabel__SecondaryColor', color, '#343a40', 'first color of quiet parts'),
    accentColor: setting('WhiteLabel__AccentColor', color, '#e8590c', 'first color of highlights'),
    footerText: setting('WhiteLabel__FooterText', footer, '', 'first footer'),
    keysPath: setting('Storage__KeysPath', path, undefined, 'keys that seal the sessions; a mounted volume'),
    uploadsPath: setting('Storage__UploadsPath', path, undefined, 'uploaded logos; a mounted volume'),
    dataPath: setting('Storage__DataPath', path, undefined, 'the local database'),
    embedPathPrefix: setting('Dashboard__EmbedPathPrefix', pathPrefix, '/dash', 'path of the dashboard tool'),
    upstream: setting(
      'Dashboard__Upstream',
      httpUrl,
      undefined,
      'address that the portal itself proxies the prefix to',
    ),
    dashboardListenAddress: setting(
      'Dashboard__ListenAddress',
      listenAddress,
      { host: '127.0.0.1', port: 8081 },
      'where the dashboard tool listens; containers set 0.0.0.0:8081',
    ),
    startTool: setting(
      'Dashboard__Start',
      yesOrNo,
      undefined,
      'starts the dashboard tool with the portal; in Development, unless Dashboard__Upstream is set',
    ),
    gateSecret: setting(
      'Dashboard__GateSecret',
      gateSecret,
      undefined,
      'proves to the dashboard tool that the portal says who asks; made at start where it is not set',
      'secret',
    ),
    pushEnabled: setting('FleetIngest__Enabled', yesOrNo, false, 'pushes to an Admin instance; Client only'),
    pushUrl: setting('FleetIngest__Url', httpUrl, undefined, 'address of the fleet ingest'),
    pushToken: setting('FleetIngest__Token', bearerToken, undefined, 'push token of the customer', 'secret'),
    intervalSeconds: setting('FleetIngest__IntervalSeconds', numberFrom(1, 24 * hour), 30, 'time between two pushes'),
    batchSize: setting('FleetIngest__BatchSize', numberFrom(1, 200_000), 5000, 'rows of one measurement batch'),
    backoffMinSeconds: setting(
      'FleetIngest__BackoffMinSeconds',
      numberFrom(0.01, 24 * hour, 'decimal'),
      60,
      'wait after the first failed push',
    ),
    backoffMaxSeconds: setting(
      'FleetIngest__BackoffMaxSeconds',
      numberFrom(0.01, 24 * hour, 'decimal'),
      1800,
      'longest wait after failed pushes',
    ),
    tokenGraceHours: setting(
      'FleetIngest__TokenGraceHours',
      numberFrom(0, 720, 'decimal'),
      24,
      'how long a rotated token still works; Admin',
    ),
    maxBatchesPerMinute: setting(
      'FleetIngest__MaxBatchesPerMinute',
      numberFrom(1, 1_000_000),
      600,
      'batches accepted of one customer; Admin',
    ),
    metricsToken: setting('Metrics__Token', bearerToken, undefined, 'bearer token of /metrics', 'secret'),
    demo: setting('Demo__Enabled', yesOrNo, undefined, 'fills an empty Client with demo data; Development only'),
  };
}

function setting<T, const Fallback extends T | undefined>(
  name: string,
  kind: Kind<T>,
  fallback: Fallback,
  description: string,
  secret?: 'secret' | 'holds a secret',
): Setting<T, Fallback> {
  return { name, kind, fallback, description, isSecret: secret === 'secret', takesFile: secret !== undefined };
}
