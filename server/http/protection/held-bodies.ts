import type { FastifyBaseLogger } from 'fastify';
import { heldBytes } from '../../base/budgets.ts';
import { HeldBytes } from './held-bytes.ts';
import { seldom } from '../request-log.ts';
import { whenClosed } from '../client-gone.ts';
import type { App } from '../typed-app.ts';

/** What is smaller is not counted: so much on each connection is as much in all. */
const smallBody = 16 * 1024;
/** Larger ones are lists, which are read piece by piece and counted as they come (list-upload.ts). */
const largestWhole = 4 * 1024 * 1024;

/** Limits what bodies hold from before they come in until their requests are answered: a user needs no role to send many of a megabyte. */
export function limitHeldBodies(app: App, log: FastifyBaseLogger, maxBytes: number = heldBytes.bodies): void {
  const note = seldom((closed, source: string) =>
    log.warn({ source, closed }, 'closed connections: too much of bodies under way'),
  );
  const held = new HeldBytes(maxBytes, ({ ip }) => note(ip));
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw, headers, routeOptions } = request;
    const { bodyLimit } = routeOptions;
    const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : bodyLimit;
    const bytes = Math.min(declared, bodyLimit);
    if (bytes > smallBody && bodyLimit <= largestWhole && !raw.socket.destroyed)
      whenClosed(reply.raw, held.hold(request, bytes));
    done();
  });
}
