import { createServer, connect, type Socket } from 'node:net';

/** A TCP connection between the portal and its database that a test can cut and mend. */
export interface Cable extends AsyncDisposable {
  /** The connection string of the far end, through this cable. */
  connectionString: string;
  /** Breaks every connection and accepts no new ones. */
  cut: () => Promise<void>;
  mend: () => Promise<void>;
  /** Data on existing connections is lost silently; new connections work. */
  freeze: () => void;
  thaw: () => void;
  /** Cuts the connection at the next COMMIT, before the far end has received it or after it has committed. */
  cutAtCommit: (when: 'before' | 'after') => void;
  /** Whether that COMMIT is still ahead. */
  isArmed: () => boolean;
}

export async function layCable(connectionString: string, isMended = true): Promise<Cable> {
  const far = new URL(connectionString);
  const sockets = new Set<Socket>();
  const frozen = new Set<Socket>();
  let cutting: 'before' | 'after' | undefined;
  const server = createServer((near) => {
    const upstream = connect(Number(far.port), far.hostname);
    for (const socket of [near, upstream]) {
      sockets.add(socket);
      // A cut is an error on both ends; the client sees it as a broken connection.
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    let isLost = false;
    near.on('data', (bytes: Buffer) => {
      if (frozen.has(near)) return;
      if (cutting !== undefined && bytes.includes('COMMIT\0')) {
        isLost = true;
        if (cutting === 'before') near.destroy();
        else upstream.write(bytes);
        cutting = undefined;
      } else upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (isLost) near.destroy();
      else if (!frozen.has(near)) near.write(bytes);
    });
    near.on('end', () => upstream.end());
    upstream.on('end', () => near.end());
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
    freeze: () => {
      for (const socket of sockets) frozen.add(socket);
    },
    thaw: () => frozen.clear(),
    cutAtCommit: (when) => {
      cutting = when;
    },
    isArmed: () => cutting !== undefined,
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await cut();
    },
  };
}
