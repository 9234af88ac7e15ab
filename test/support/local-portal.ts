import { findBinaries } from '../../server/database/local/binaries.ts';
import { startLocalDatabase } from '../../server/database/local/local-database.ts';

// The smallest portal with a local database. A test forks it, so that it can be killed or run under another account.
const [dataPath = ''] = process.argv.slice(2);
const log = { info: () => undefined, warn: () => undefined };
const { signal } = new AbortController();

try {
  const found = await findBinaries(signal);
  const binaries = found.filter(({ source }) => source === 'package');
  const database = await startLocalDatabase({ dataPath, log, signal, binaries });
  process.on('message', () => void database.stop().then(() => process.exit(0)));
  process.send?.({ connectionString: database.connectionString });
} catch (error) {
  process.send?.({ error: error instanceof Error ? error.message : String(error) });
  process.disconnect?.();
}
