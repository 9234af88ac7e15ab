import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

const secretNames = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'x-customer-token',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'key',
  'connectionString',
]);
const deepest = 4;

/** Structured lines with one event each. Headers and bodies are never logged, so the redaction is only a safety net. */
export function createLog(destination?: DestinationStream): Logger {
  return pino(
    {
      level: 'info',
      base: { service: 'power-monitoring-portal' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (details) => withoutSecrets(details, deepest) },
      serializers: { err: describeError },
    },
    destination ?? standardOutput(),
  );
}

/** With a wildcard in a path, pino's own redaction makes each line eight times as expensive. Most lines are flat. */
function withoutSecrets(details: object, depth: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(details)) {
    if (secretNames.has(name)) shown[name] = '[redacted]';
    else if (typeof value !== 'object' || value === null || value instanceof Error || Array.isArray(value))
      shown[name] = value;
    else shown[name] = depth === 0 ? '[deeper]' : withoutSecrets(value, depth - 1);
  }
  return shown;
}

/**
 * Lines are written synchronously, so that the last line before an exit is not lost. If nobody reads the log any longer, the
 * portal continues.
 */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true }).on('error', () => undefined);
}

/**
 * Logs only type, message, stack and codes of an error and its causes. Errors of drivers and of URL also contain their input,
 * which may be a connection string or the values of a row.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = stdSerializers.err(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { type, message, code, stack };
}
