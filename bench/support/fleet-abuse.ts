import { type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const connections = 24;
const large = 32 * 1024 * 1024;

/** A malicious customer that sends as much as a portal accepts, on many connections, until it is stopped. */
export interface Abuse {
  /** Stops it, and returns the number of answers by status. */
  stop: () => Promise<Map<string, number>>;
}

export function startAbuse(url: string, token: string): Abuse {
  const stopping = new AbortController();
  const statuses = new Map<string, number>();
  const badRows = Buffer.from(`[${'{"deviceId":1},'.repeat(large / 16 - 2)}{}]`);
  const bodies = [
    { body: gzipSync(Buffer.alloc(large + 1, ' ')), encoding: 'gzip' },
    { body: gzipSync(badRows, { level: 1 }), encoding: 'gzip' },
    { body: badRows, encoding: 'identity' },
    { body: Buffer.from('[{"deviceId"'), encoding: 'identity' },
    { body: Buffer.from('no gzip'), encoding: 'gzip' },
  ];
  const attack = async (connection: number) => {
    for (let turn = connection; !stopping.signal.aborted; turn += 1) {
      const { body, encoding } = bodies[turn % bodies.length] ?? { body: Buffer.alloc(0), encoding: 'identity' };
      const status = await attempt({
        token: turn % 7 === 6 ? 'wrong' : token,
        body,
        encoding,
        isSlow: turn % 11 === 10,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // After a rejection it sends again at once, but lets the machine answer first.
      await sleep(5);
    }
  };
  const running = Array.from({ length: connections }, (_, connection) => attack(connection));

  function attempt(one: { token: string; body: Buffer; encoding: string; isSlow: boolean }): Promise<string> {
    return new Promise((resolve) => {
      const headers = {
        'content-type': 'application/json',
        'x-customer-token': one.token,
        'x-batch-type': 'measurements',
        'content-encoding': one.encoding,
        'content-length': String(one.body.length),
      };
      const { signal } = stopping;
      const outgoing: ClientRequest = request(
        `${url}/api/fleet/ingest`,
        { method: 'POST', headers, signal },
        (answer) => {
          answer.resume();
          answer.once('close', () => resolve(String(answer.statusCode)));
        },
      );
      outgoing.on('error', () => resolve(signal.aborted ? 'stopped' : 'connection closed'));
      if (one.isSlow) outgoing.write(one.body.subarray(0, 1));
      else outgoing.end(one.body);
    });
  }

  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
      return statuses;
    },
  };
}
