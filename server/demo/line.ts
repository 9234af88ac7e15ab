import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A connection between two portals of the demo that can be cut. */
export interface Line extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, which leads to the far end. */
  address: string;
  cut: () => Promise<void>;
}

export async function layLine(farAddress: string): Promise<Line> {
  const { hostname, port } = new URL(farAddress);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname.replaceAll(/[[\]]/g, ''));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const cut = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    address: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    cut,
    [Symbol.asyncDispose]: cut,
  };
}
