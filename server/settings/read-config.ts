import { type Config, readSettings } from './config.ts';
import { defineSettings } from './definitions.ts';
import { parseEnvFile } from './env-file.ts';
import { guardViolations } from './guards.ts';
import { createReader } from './reader.ts';

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
