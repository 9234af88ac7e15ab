import { createServer, connect, type Socket } from 'node:net';

/** A TCP connection between the portal and its database that a test can cut and mend. */
export interface Cable extends AsyncDisposable {
  /** The connection string of the far end, through this cable. */
  connectionString: string;
  /** Breaks every connection and takes no new ones. */
  cut: () => Promise<void>;
  mend: () => Promise<void>;
}

export async function layCable(connectionString: string, isMended = true): Promise<Cable> {
  const far = new URL(connectionString);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const upstream = connect(Number(far.port), far.hostname);
    for (const socket of [near, upstream]) {
      sockets.add(socket);
      // A cut shows as an error on both ends; the one who asked is told by the broken connection itself.
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    near.pipe(upstream).pipe(near);
    near.on('close', () => upstream.destroy());
    upstream.on('close', () => near.destroy());
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };

  await listen(0);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The system gave no port.');
  const { port } = address;
  const near = new URL(connectionString);
  near.port = String(port);
  if (!isMended) await cut();
  return {
    connectionString: near.href,
    cut,
    mend: () => listen(port),
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await cut();
    },
  };
}
