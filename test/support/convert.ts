// Prepares the database at argv[2] as a starting portal does, and sends each line of its log over the channel.
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import { Database } from '../../server/database/pool.ts';

const database = new Database(process.argv[2] ?? '');
const say = (fields: object, message: string) => void process.send?.({ message, ...fields });
const engine = await chooseEngine(database, { compressAfterDays: 7, now: Date.now, log: { info: say, warn: say } });
await engine.prepare(database);
await database.close();
process.disconnect?.();
