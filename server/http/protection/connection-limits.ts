import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { noteConnection } from '../../database/turns.ts';
import { connectionLimits } from '../../base/budgets.ts';
import { sourceOf } from '../../base/source-address.ts';
import { seldom } from '../request-log.ts';

/**
 * Limits all connections and those of each source, so that nobody fills the process with half-sent requests. For a trusted proxy,
 * which carries the connections of many, only the total counts. Refused connections are closed and counted in the log.
 */
export function limitConnections(
  server: Server,
  { log, isProxy, answer }: { log: FastifyBaseLogger; isProxy: (address: string) => boolean; answer: string },
): void {
  const countOf = new Map<string, number>();
  const note = seldom((refused, source: string, limit: string) =>
    log.warn({ source, refused }, `refused connections: ${limit}`),
  );

  server.maxConnections = connectionLimits.all;
  server.on('drop', (dropped) =>
    note(sourceOf(dropped?.remoteAddress ?? ''), `no more than ${connectionLimits.all} are open at once`),
  );
  server.on('connection', (socket: Socket) => {
    noteConnection();
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress)) return;
    const source = sourceOf(remoteAddress);
    const count = (countOf.get(source) ?? 0) + 1;
    countOf.set(source, count);
    socket.once('close', () => {
      const left = (countOf.get(source) ?? 1) - 1;
      if (left === 0) countOf.delete(source);
      else countOf.set(source, left);
    });
    if (count <= connectionLimits.ofSource) return;
    note(source, `no more than ${connectionLimits.ofSource} are open from one source`);
    socket.end(answer, () => socket.destroy());
  });
}
