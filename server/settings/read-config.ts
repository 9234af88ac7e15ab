import { type Config, readSettings } from './config.ts';
import { defineSettings, shippedAdmin } from './definitions.ts';
import { createReader, type Violation } from './reader.ts';
import { violatedPasswordRules } from '../../shared/accounts.ts';

interface EnvFile {
  values: Record<string, string>;
  /** Line numbers, from 1, that are neither empty, a comment nor `NAME=value`. */
  badLines: number[];
}

const assignment = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=(.*)$/;
const quoted = /^\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`)\s*(?:#.*)?$/;
const escapes = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Reads the text of a `.env` file, one `NAME=value` per line. `#` starts a comment only at the start of a line or after a space:
 * `#0b7285` is a color, and passwords contain `#` (Node's own parser would cut both off).
 */
export function parseEnvFile(text: string): EnvFile {
  const file: EnvFile = { values: {}, badLines: [] };
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const match = assignment.exec(line);
    const value = match?.[2] === undefined ? undefined : parseValue(match[2]);
    if (match?.[1] === undefined || value === undefined) file.badLines.push(index + 1);
    else file.values[match[1]] = value;
  }
  return file;
}

/** Undefined when a quote is left open. */
function parseValue(raw: string): string | undefined {
  const match = quoted.exec(raw);
  if (match !== null) {
    const [, double, single, backtick] = match;
    if (double === undefined) return single ?? backtick ?? '';
    return double.replace(/\\(.)/g, (_, character: string) => escapes.get(character) ?? character);
  }
  if (/^\s*["'`]/.test(raw)) return undefined;
  return raw.replace(/\s+#.*$/, '').trim();
}

export interface ConfigInput {
  environment: Readonly<Record<string, string | undefined>>;
  /** The text of the `.env` file, or undefined if there is none. */
  envFile: string | undefined;
  workingFolder: string;
  defaultDataPath: string;
  version: string;
}

export type ConfigResult = { config: Config } | { violations: string[] };

/**
 * Reads and checks every setting and every startup guard that needs only settings (startup rules 6 to 9, decisions.md 7).
 * Reports all violations together, one sentence each.
 */
export function readConfig(input: ConfigInput): ConfigResult {
  const file = parseEnvFile(input.envFile ?? '');
  const settings = defineSettings(input.workingFolder);
  const reader = createReader(Object.values(settings), {
    environment: input.environment,
    file: file.values,
    workingFolder: input.workingFolder,
  });
  const isProduction = input.environment['NODE_ENV'] === 'production';
  const config = readSettings(settings, reader, { isProduction, defaultDataPath: input.defaultDataPath });
  const unusable = new Set(reader.violations.map(({ setting }) => setting.toLowerCase().replace(/_file$/, '')));
  const guarded = guardViolations(config).filter(({ setting }) => !unusable.has(setting.toLowerCase()));
  const violations = [
    ...file.badLines.map(
      (line) => `Line ${line} of .env is not NAME=value; correct it or start it with # as a comment.`,
    ),
    ...[...reader.violations, ...guarded].map(({ setting, problem }) => `${setting} ${problem}`),
  ];
  return violations.length > 0
    ? { violations }
    : { config: { ...config, version: input.version, overview: reader.overview() } };
}

/** The startup guards that need nothing but settings: startup rules 6 to 9 and decisions.md 7. */
function guardViolations(config: Omit<Config, 'overview' | 'version'>): Violation[] {
  const { authentication, dashboard, demo, fleetIngest, mail, runMode } = config;
  const { connectionString, autoProvision } = config.database;
  const isProduction = config.environment === 'Production';
  const isAdmin = runMode === 'Admin';
  const password = authentication.defaultAdminPassword;
  const isShipped = isProduction && password === shippedAdmin.password;
  const broken = violatedPasswordRules(password);
  const isPushing = fleetIngest.enabled && !isAdmin;
  const hasNoDatabase = connectionString === undefined && !isAdmin && !autoProvision;

  const problems: Readonly<Record<string, readonly (string | false)[]>> = {
    Authentication__DefaultAdminPassword: [
      isShipped && 'is the shipped default, which is not allowed in Production; set another password.',
      !isShipped && broken.length > 0 && `is too weak; it needs ${broken.join(', ')}.`,
    ],
    Database__AutoProvisionLocalTimescaleDb: [
      isProduction &&
        autoProvision &&
        'is true, which is not allowed in Production; set it to false and set Database__ConnectionString.',
      isAdmin &&
        autoProvision &&
        'is true, but only a Client starts its own database; remove it and set Database__ConnectionString.',
      autoProvision &&
        connectionString !== undefined &&
        'is true although Database__ConnectionString is set; keep one of them.',
    ],
    Database__ConnectionString: [
      isAdmin && connectionString === undefined && 'is not set; the run mode Admin needs it.',
      hasNoDatabase && isProduction && 'is not set; Production needs it.',
      hasNoDatabase &&
        !isProduction &&
        'is not set and Database__AutoProvisionLocalTimescaleDb is false; the portal needs one of them.',
    ],
    Dashboard__Start: [
      dashboard.start &&
        dashboard.upstream !== undefined &&
        'is true although Dashboard__Upstream is set; keep one of them.',
    ],
    Demo__Enabled: [
      isProduction && demo.enabled && 'is true, which is not allowed in Production; remove it or set it to false.',
      isAdmin && demo.enabled && 'is true, but only a Client has demo data; remove it or set it to false.',
    ],
    FleetIngest__Enabled: [
      isAdmin && fleetIngest.enabled && 'is true, but only a Client pushes; remove it or set it to false.',
    ],
    FleetIngest__Url: [isPushing && fleetIngest.url === undefined && 'is not set; FleetIngest__Enabled needs it.'],
    FleetIngest__Token: [isPushing && fleetIngest.token === undefined && 'is not set; FleetIngest__Enabled needs it.'],
    Mail__Host: [mail.host === undefined && mail.from !== undefined && 'is not set; Mail__From needs it.'],
    Mail__From: [mail.host !== undefined && mail.from === undefined && 'is not set; Mail__Host needs it.'],
    Mail__Password: [
      mail.username !== undefined && mail.password === undefined && 'is not set; Mail__Username needs it.',
      mail.password !== undefined &&
        mail.security === 'none' &&
        'would be sent in clear text; set Mail__Security to starttls or tls.',
    ],
    Mail__Username: [
      mail.password !== undefined && mail.username === undefined && 'is not set; Mail__Password needs it.',
    ],
    FleetIngest__BackoffMaxSeconds: [
      fleetIngest.backoffMaxSeconds < fleetIngest.backoffMinSeconds &&
        `is ${fleetIngest.backoffMaxSeconds}, which is less than FleetIngest__BackoffMinSeconds (${fleetIngest.backoffMinSeconds}).`,
    ],
  };
  return Object.entries(problems).flatMap(([setting, all]) =>
    all.flatMap((problem) => (problem === false ? [] : [{ setting, problem }])),
  );
}
