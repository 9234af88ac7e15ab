import pg from 'pg';

// The driver has these and does not declare them.
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
 * Asks the server to cancel what runs on a connection, and resolves when the server has taken note or could not be asked
 * within the patience. It speaks the cancel protocol on a connection of its own, which needs no place in the pool, none
 * among the connections that the server allows, and no password; and the key of the connection, unlike the number of its
 * process, is never somebody else's.
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
    // The server closes the connection once the cancel is on its way; there is no other answer.
    connection.on('end', finish).on('error', finish).on('sslconnect', send);
    connection.on('connect', () => {
      if (!ssl) send();
      else if (sslNegotiation !== 'direct') connection.requestSsl();
    });
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
