import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { onSendHookHandler } from 'fastify';

const maxDrainBytes = 64 * 1024 * 1024;
const maxDrainMs = 10_000;

/**
 * Gets an early response (413, 401) to a client that is still sending: the response is sent at once, the rest of the body is read
 * and discarded, and only then does the response end. Closing a connection with unread bytes resets it, and the client would lose
 * the response. Bodies longer than 64 MiB or 10 s are cut off.
 */
export const drainUnreadBody: onSendHookHandler = (request, reply, payload, done) => {
  if (reply.statusCode < 400 || isRead(request.raw) || typeof payload !== 'string') {
    done(null, payload);
    return;
  }
  void reply.header('content-length', Buffer.byteLength(payload));
  // Fastify would close the connection; after a complete body it can serve the next request.
  void reply.removeHeader('connection');
  async function* answerThenDrain() {
    yield payload;
    const isDrained = await drain(request.raw);
    if (!isDrained) reply.raw.once('finish', () => request.raw.socket.destroySoon());
  }
  done(null, Readable.from(answerThenDrain(), { objectMode: false }));
};

/** Whether the body ended within the limits. */
function drain(body: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    const finish = () => {
      clearTimeout(timer);
      body.off('data', onData).off('end', finish).off('close', finish);
      resolve(isRead(body));
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxDrainBytes) finish();
    };
    const timer = setTimeout(finish, maxDrainMs);
    if (isRead(body) || body.destroyed) {
      finish();
      return;
    }
    body.unpipe();
    body.on('data', onData).on('end', finish).on('close', finish).resume();
  });
}

const isRead = (body: IncomingMessage) => body.complete || body.readableEnded;
