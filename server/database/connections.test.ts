import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Database } from './pool.ts';

/** A message from PostgreSQL: its letter, its length, its content. */
function message(letter: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const farewell = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
);

/** A database that is killed just after it accepted a connection: the end arrives together with the greeting. */
async function dyingDatabase(resources: AsyncDisposableStack): Promise<string> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([welcome, farewell])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  resources.defer(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  return `postgres://u@127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/db`;
}

test('a database that dies while it accepts a connection counts as unreachable, and crashes nothing', async () => {
  await using resources = new AsyncDisposableStack();
  const uncaught: unknown[] = [];
  const listeners = process.listeners('uncaughtException');
  const onUncaught = (error: unknown) => void uncaught.push(error);
  process.removeAllListeners('uncaughtException').on('uncaughtException', onUncaught);
  resources.defer(() => {
    process.off('uncaughtException', onUncaught);
    for (const listener of listeners) process.on('uncaughtException', listener);
  });
  const database = new Database(await dyingDatabase(resources));
  resources.defer(() => database.close());
  const answer = database.query({ text: 'SELECT 1' }).catch((error: unknown) => error);
  expect(await answer).toMatchObject({ kind: 'unavailable' });
  await expect(database.transaction(async () => 1)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(database.statistics()).toEqual({ total: 0, idle: 0, waiting: 0 });
  expect(uncaught).toEqual([]);
});
