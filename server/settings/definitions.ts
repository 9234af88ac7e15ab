import { languages } from '../../shared/messages.ts';
import {
  anyText,
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
  mailHost,
  numberFrom,
  oneOf,
  origin,
  pathPrefix,
  portalName,
  postgresUrl,
  proxies,
  secretText,
  senderAddress,
  yesOrNo,
  zone,
} from './kinds.ts';

/** One setting, with everything about it in one place. */
export interface Setting<T, Fallback extends T | undefined = T | undefined> {
  /** The key of the setting in `defineSettings`. */
  name: string;
  kind: Kind<T>;
  /** The default; undefined if it depends on other settings or there is none. */
  fallback: Fallback;
  isSecret: boolean;
  /** Whether `<name>_FILE` may name a file with the value, as secrets are passed to containers. */
  takesFile: boolean;
  description: string;
}

/** The shipped account, whose password Production rejects (startup rule 6). */
export const shippedAdmin = { email: 'admin@example.com', password: 'ChangeMe123!' };

const hour = 3600;

/** Every setting of the portal, in the order of the overview (specification and decisions.md 7). */
export function defineSettings(workingFolder: string) {
  const path = folder(workingFolder);
  const settings = {
    Application__Environment: setting(
      oneOf(['Development', 'Production']),
      undefined,
      'Production rejects trial settings; NODE_ENV=production sets it',
    ),
    Application__RunMode: setting(oneOf(['Client', 'Admin']), 'Client', 'one customer, or the fleet'),
    Application__PublicUrl: setting(origin, undefined, 'public address of the instance'),
    Application__TimeZone: setting(zone, 'UTC', 'display time zone without sites, and of "today" in the fleet'),
    Application__ListenAddress: setting(
      listenAddress,
      { host: '127.0.0.1', port: 8080 },
      'where the portal listens; containers set 0.0.0.0:8080',
    ),
    Application__TrustedProxies: setting(proxies, [], 'reverse proxies whose X-Forwarded headers are trusted'),
    Database__ConnectionString: setting(postgresUrl, undefined, 'the PostgreSQL database', 'holds a secret'),
    Database__AutoProvisionLocalTimescaleDb: setting(
      yesOrNo,
      undefined,
      'starts a database on this machine; Client and Development only',
    ),
    Database__CompressAfterDays: setting(
      numberFrom(1, 36_500),
      7,
      'days after which measurements are compressed; TimescaleDB only',
    ),
    Database__RetentionMonths: setting(
      numberFrom(0, 1_200),
      0,
      'months to keep measurements, 0 for all; energy and cost are kept',
    ),
    Authentication__DefaultAdminEmail: setting(
      emailAddress,
      shippedAdmin.email,
      'account that is created at start if missing',
    ),
    Authentication__DefaultAdminPassword: setting(secretText, shippedAdmin.password, 'its initial password', 'secret'),
    Authentication__RefuseCommonPasswords: setting(yesOrNo, false, 'rejects the 10,000 most common passwords'),
    WhiteLabel__ApplicationName: setting(portalName, 'Power Monitoring', 'initial name of the portal'),
    WhiteLabel__LogoUrl: setting(imageUrl, '', 'initial logo'),
    WhiteLabel__PrimaryColor: setting(color, '#0b7285', 'initial color of buttons and links'),
    WhiteLabel__SecondaryColor: setting(color, '#343a40', 'initial color of secondary labels'),
    WhiteLabel__AccentColor: setting(color, '#e8590c', 'initial color of highlights'),
    WhiteLabel__FooterText: setting(footer, '', 'initial footer'),
    Storage__KeysPath: setting(path, undefined, 'session keys; a mounted volume'),
    Storage__UploadsPath: setting(path, undefined, 'uploaded logos; a mounted volume'),
    Storage__DataPath: setting(path, undefined, 'the local database'),
    Dashboard__EmbedPathPrefix: setting(pathPrefix, '/dash', 'path of the dashboard tool'),
    Dashboard__Upstream: setting(httpUrl, undefined, 'address to which the portal proxies the prefix'),
    Dashboard__ListenAddress: setting(
      listenAddress,
      { host: '127.0.0.1', port: 8081 },
      'where the dashboard tool listens; containers set 0.0.0.0:8081',
    ),
    Dashboard__Start: setting(
      yesOrNo,
      undefined,
      'starts the dashboard tool with the portal; in Development, unless Dashboard__Upstream is set',
    ),
    Dashboard__GateSecret: setting(
      gateSecret,
      undefined,
      'authenticates the portal to the dashboard tool; generated at start if not set',
      'secret',
    ),
    FleetIngest__Enabled: setting(yesOrNo, false, 'pushes to an Admin instance; Client only'),
    FleetIngest__Url: setting(httpUrl, undefined, 'address of the fleet ingest'),
    FleetIngest__Token: setting(bearerToken, undefined, 'push token of the customer', 'secret'),
    FleetIngest__IntervalSeconds: setting(numberFrom(1, 24 * hour), 30, 'time between two pushes'),
    FleetIngest__BatchSize: setting(numberFrom(1, 200_000), 5000, 'rows of one measurement batch'),
    FleetIngest__BackoffMinSeconds: setting(
      numberFrom(0.01, 24 * hour, 'decimal'),
      60,
      'wait after the first failed push',
    ),
    FleetIngest__BackoffMaxSeconds: setting(
      numberFrom(0.01, 24 * hour, 'decimal'),
      1800,
      'longest wait after failed pushes',
    ),
    FleetIngest__TokenGraceHours: setting(
      numberFrom(0, 720, 'decimal'),
      24,
      'how long a rotated token stays valid; Admin',
    ),
    FleetIngest__MaxBatchesPerMinute: setting(
      numberFrom(1, 1_000_000),
      600,
      'batches accepted from one customer; Admin',
    ),
    Notifications__AllowPrivateTargets: setting(
      yesOrNo,
      false,
      'lets webhooks be at loopback, private and link-local addresses',
    ),
    Notifications__Language: setting(oneOf(languages), 'en', 'language of mails to people who have chosen none'),
    Mail__Host: setting(mailHost, undefined, 'SMTP server; without it the portal sends no mail'),
    Mail__Port: setting(numberFrom(1, 65_535), 587, 'its port'),
    Mail__Security: setting(
      oneOf(['starttls', 'tls', 'none']),
      'starttls',
      'encryption, with a certificate that is verified; none only for a server on the same machine or network',
    ),
    Mail__Username: setting(anyText, undefined, 'user name for the SMTP server'),
    Mail__Password: setting(secretText, undefined, 'its password', 'secret'),
    Mail__From: setting(senderAddress, undefined, 'address from which mail is sent'),
    Metrics__Token: setting(bearerToken, undefined, 'bearer token of /metrics', 'secret'),
    Demo__Enabled: setting(yesOrNo, undefined, 'fills an empty Client with demo data; Development only'),
    Demo__World: setting(
      oneOf(['OneCountry', 'SeveralCountries']),
      'OneCountry',
      'one customer in one time zone and currency, or sites in three of them',
    ),
  };
  for (const [name, one] of Object.entries(settings)) one.name = name;
  return settings;
}

function setting<T, const Fallback extends T | undefined>(
  kind: Kind<T>,
  fallback: Fallback,
  description: string,
  secret?: 'secret' | 'holds a secret',
): Setting<T, Fallback> {
  return { name: '', kind, fallback, description, isSecret: secret === 'secret', takesFile: secret !== undefined };
}
