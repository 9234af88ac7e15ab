import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A port of the loopback address on which nothing listens now. */
export const findFreePort = (): Promise<number> => listenOnce(0);

/** A port that stays free for a while without a listener: below the range that systems assign. */
export async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = await listenOnce(randomInt(20_000, 30_000)).catch(() => undefined);
    if (port !== undefined) return port;
  }
}

async function listenOnce(port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('The system gave no port.');
  return address.port;
}
