import pg from 'pg';

// The driver has these but does not declare them.
declare module 'pg' {
  interface ClientBase {
    processID: number | null;
    secretKey: number | null;
    sslNegotiation: string;
  }
  interface Connection {
    connect(port: number | string, host?: string): void;
    requestSsl(): void;
    cancel(processID: number, secretKey: number): void;
  }
}

/**
 * Asks the server to cancel what runs on a connection; resolves when the server has accepted the request or the patience ends.
 * The cancel protocol uses a connection of its own, which takes no slot in the pool or on the server and needs no password. Its
 * secret key, unlike a process id, can never belong to somebody else.
 */
export function cancelStatement(client: pg.PoolClient, patienceMs: number): Promise<void> {
  const { processID, secretKey, host, port, ssl, sslNegotiation } = client;
  if (processID === null || secretKey === null) return Promise.resolve();
  const config = { ssl, sslNegotiation };
  return new Promise((resolve) => {
    const connection = new pg.Connection(config);
    const finish = () => {
      clearTimeout(timer);
      connection.stream.destroy();
      resolve();
    };
    const timer = setTimeout(finish, patienceMs);
    const send = () => connection.cancel(processID, secretKey);
    // The server answers only by closing the connection.
    connection.on('end', finish).on('error', finish).on('sslconnect', send);
    connection.on('connect', () => {
      if (!ssl) send();
      else if (sslNegotiation !== 'direct') connection.requestSsl();
    });
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
