import { whenClosed } from '../client-gone.ts';
import type { App } from '../typed-app.ts';

const graceMs = 15_000;
const slowestBytesPerMs = 32;

/**
 * Ends a request whose body does not arrive within 15 s, plus 1 s for each 32 kB that its route accepts, as Node does for those
 * that exceed `requestTimeout`.
 */
export function endSlowBodies(app: Pick<App, 'addHook' | 'server'>, graceMilliseconds = graceMs): void {
  // Only once the body is to be read; bodies of requests refused earlier are drained.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    done();
    const { raw, headers, routeOptions } = request;
    if (raw.complete || raw.readableEnded) return;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
    const allowedMs = graceMilliseconds + (routeOptions.bodyLimit ?? 0) / slowestBytesPerMs;
    const timer = setTimeout(() => {
      if (raw.complete || raw.readableEnded) return;
      const error = Object.assign(new Error('The body is too slow.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      app.server.emit('clientError', error, raw.socket);
    }, allowedMs);
    whenClosed(reply.raw, () => clearTimeout(timer));
  });
}
