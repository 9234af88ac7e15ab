/**
 * Integration tests that run once, on native partitions: what they prove does not depend on how measurements are stored. All
 * others run on every engine; a new file does so until it is listed here with its reason.
 */
export const runOnceBecause: Readonly<Record<string, string>> = {
  'accounts.test.ts': 'accounts are ordinary tables',
  'api-keys.test.ts': 'API keys are an ordinary table',
  'audit.test.ts': 'the audit trail is an ordinary table',
  'branding.test.ts': 'branding is a row of an ordinary table',
  'cancelling.test.ts': 'cancelling is a matter of connections and locks, and the pool is the same',
  'chaos.test.ts': 'it starts clusters of its own, one of each engine',
  'compression.test.ts': 'answers are compressed by the HTTP server',
  'connection-limits.test.ts': 'connections belong to the HTTP server',
  'demo-fleet.test.ts': 'it starts a cluster of its own, the best of the machine',
  'energy-failures.test.ts': 'what could not be computed is an ordinary table',
  'energy-sums.test.ts': 'sums are an ordinary table, and so are the slots that they are made of',
  'fleet-sets.test.ts': 'the sets of a customer are ordinary tables',
  'local-database.test.ts': 'it starts clusters of its own and does not use the one of the run',
  'lockout.test.ts': 'failed sign-ins are an ordinary table',
  'logs.test.ts': 'log lines come from the HTTP server',
  'lost-connections.test.ts': 'a connection is lost in the same way on every engine',
  'municipalities.test.ts': 'municipalities are an ordinary table',
  'outage.test.ts': 'a database that is out of reach has no engine',
  'packed-days.test.ts': 'packed days are an ordinary table',
  'platform.test.ts': 'headers, bodies and documentation come from the HTTP server',
  'push-api.test.ts': 'how pushing goes stands in ordinary tables',
  'push-failures.test.ts': 'what a push does after an answer does not depend on how measurements are stored',
  'sessions.test.ts': 'sessions are an ordinary table',
  'several-portals.test.ts': 'what several portals share are locks and ordinary tables',
  'shutdown.test.ts': 'signals reach the process, not the database',
  'simulation.test.ts': 'what devices measured is read from the slots, an ordinary table',
  'startup.test.ts':
    'settings, guards and migrations come before the engine; backup.test.ts starts the program on each engine',
  'summary-export.test.ts': 'the workbook shows what the dashboard reads, which is proven on each engine',
  'tariffs.test.ts': 'tariffs are ordinary tables',
  'uploads.test.ts': 'uploads are files',
  'users.test.ts': 'users are ordinary tables',
  'versions.test.ts': 'versions belong to ordinary tables',
};
