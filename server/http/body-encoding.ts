import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { DomainError } from '../domain/errors.ts';

const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, zstd: createZstdDecompress } as const;
const wholeDecoders = { gzip: gunzipSync, 'x-gzip': gunzipSync, zstd: zstdDecompressSync } as const;
const isKnown = (encoding: string): encoding is keyof typeof decoders => Object.hasOwn(decoders, encoding);
const chunkSize = 64 * 1024;

const encodingOf = (headers: IncomingHttpHeaders) => (headers['content-encoding'] || 'identity').trim().toLowerCase();

/** How many bytes the body will have when it is decoded; undefined if its headers do not tell. */
export function declaredBytes(headers: IncomingHttpHeaders): number | undefined {
  const length = headers['content-length'];
  return encodingOf(headers) === 'identity' && length !== undefined ? Number(length) : undefined;
}

/**
 * The body of a request that has come in already, and has less than `maxBytes` when it is decoded. A small delivery comes in one
 * packet with its headers, and is here before its key has been looked up. Undefined if it takes {@link readBody}.
 */
export function takeWholeBody(request: IncomingMessage, maxBytes: number): Buffer | undefined {
  const bytes = Number(request.headers['content-length']);
  const encoding = encodingOf(request.headers);
  if (!request.complete || !(bytes < maxBytes) || request.readableLength !== bytes) return undefined;
  if (encoding !== 'identity' && !isKnown(encoding)) return undefined;
  const body: unknown = request.read();
  if (!Buffer.isBuffer(body) || encoding === 'identity') return Buffer.isBuffer(body) ? body : undefined;
  try {
    // A stream of its own costs more than so few bytes.
    return wholeDecoders[encoding](body, { maxOutputLength: maxBytes - 1 });
  } catch {
    request.unshift(body);
    return undefined;
  }
}

/**
 * The body of a request as it comes in, decoded by its `Content-Encoding` (gzip, zstd). Throws `tooLarge` beyond `maxBytes`, on the
 * wire or decoded: a small body may unpack to gigabytes, and a large one to nothing.
 */
export async function* readBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const encoding = encodingOf(request.headers);
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge('body', maxBytes);
  const sent = atMost(maxBytes, 'body', chunksOf(request));
  if (encoding === 'identity') {
    yield* sent;
    return;
  }
  if (!isKnown(encoding)) {
    throw new DomainError(
      'unsupportedMediaType',
      `Content-Encoding is ${JSON.stringify(encoding)}; it takes gzip, zstd or identity.`,
    );
  }
  const decoder = decoders[encoding]({ chunkSize });
  try {
    yield* atMost(
      maxBytes,
      'decoded body',
      pipeline(sent, decoder, () => undefined),
    );
  } catch (error) {
    throw error instanceof DomainError ? error : new DomainError('invalid', `The body is not valid ${encoding}.`);
  } finally {
    decoder.destroy();
  }
}

/** Leaves the request open where it is not read to its end: its answer is still to go out on the same connection. */
async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw new DomainError('abandoned', 'The client went away before sending its whole body.', undefined, {
      cause: error,
    });
  }
}

async function* atMost(maxBytes: number, what: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(what, maxBytes);
    yield chunk;
  }
}

const tooLarge = (what: string, maxBytes: number) =>
  new DomainError(
    'tooLarge',
    `The ${what} is larger than ${maxBytes} bytes; send fewer rows at a time, nothing was stored.`,
  );
