import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { constants, createGunzip, createZstdDecompress, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { DomainError, message, refuse } from '../base/errors.ts';

const chunkSize = 64 * 1024;
/** 2^23 bytes = 8 MiB, which a decoder holds in addition to its output. HTTP allows no more (RFC 9659). */
const zstdWindow = { [constants.ZSTD_d_windowLogMax]: 23 };
const gunzip = () => createGunzip({ chunkSize });
const decoders = {
  gzip: gunzip,
  'x-gzip': gunzip,
  zstd: () => createZstdDecompress({ chunkSize, params: zstdWindow }),
} as const;
const wholeDecoders = { gzip: gunzipSync, 'x-gzip': gunzipSync, zstd: zstdDecompressSync } as const;
const isKnown = (encoding: string): encoding is keyof typeof decoders => Object.hasOwn(decoders, encoding);

const encodingOf = (headers: IncomingHttpHeaders) => (headers['content-encoding'] || 'identity').trim().toLowerCase();

/** The size of the decoded body; undefined if its headers do not state it. */
export function declaredBytes(headers: IncomingHttpHeaders): number | undefined {
  const length = headers['content-length'];
  return encodingOf(headers) === 'identity' && length !== undefined ? Number(length) : undefined;
}

/**
 * Returns the body of a request if it has already arrived and has less than `maxBytes` when decoded. A small body comes in the
 * same packet as its headers, and is available in the next microtask. Returns undefined if {@link readBody} is needed.
 */
export function takeWholeBody(request: IncomingMessage, maxBytes: number): Buffer | undefined {
  const bytes = Number(request.headers['content-length']);
  const encoding = encodingOf(request.headers);
  if (!(bytes < maxBytes) || request.readableLength !== bytes) return undefined;
  if (encoding !== 'identity' && !isKnown(encoding)) return undefined;
  // Without a size this would return only the first packet (Node 26).
  const body: unknown = request.read(bytes);
  if (!Buffer.isBuffer(body) || encoding === 'identity') return Buffer.isBuffer(body) ? body : undefined;
  try {
    // Decoded in one go, because a stream costs more than so few bytes.
    return wholeDecoders[encoding](body, { maxOutputLength: maxBytes - 1 });
  } catch {
    request.unshift(body);
    return undefined;
  }
}

export interface BodyReading {
  maxBytes: number;
  /** Called with the number of bytes kept until the whole body has arrived, and with the negative number once they are released. */
  keep: (bytes: number) => Promise<void>;
  /**
   * Returns an error if the body arrives too slowly to wait any longer, judged by the time waited and the bytes received so
   * far.
   */
  refuseSlow: (waitedMs: number, bytes: number) => DomainError | undefined;
}

/**
 * The body of a request as it arrives, decoded by its `Content-Encoding` (gzip, zstd). An encoded one is decoded once it has
 * arrived completely, because over a slow line it would hold many times what it received. Throws `tooLarge` beyond `maxBytes`, on
 * the wire or decoded: a small body may unpack to gigabytes, and a large one to nothing.
 */
export async function* readBody(request: IncomingMessage, reading: BodyReading): AsyncGenerator<Buffer> {
  const { maxBytes, keep, refuseSlow } = reading;
  const encoding = encodingOf(request.headers);
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge('body', maxBytes);
  const sent = atMost(maxBytes, 'body', chunksOf(request, refuseSlow));
  if (encoding === 'identity') {
    yield* sent;
    return;
  }
  if (!isKnown(encoding)) {
    throw refuse(
      'encodingUnknown',
      { got: JSON.stringify(encoding), accepted: message('knownEncodings') },
      { field: 'Content-Encoding' },
    );
  }
  const kept: Buffer[] = [];
  for await (const chunk of sent) {
    kept.push(chunk);
    await keep(chunk.length);
  }
  const decoder = decoders[encoding]();
  try {
    yield* atMost(
      maxBytes,
      'decoded body',
      pipeline(letGo(kept, keep), decoder, () => undefined),
    );
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const accepted = encoding === 'zstd' ? 'zstd with a window of at most 8 MiB' : encoding;
    throw refuse('bodyNotDecoded', { encoding: accepted });
  } finally {
    decoder.destroy();
  }
}

async function* letGo(kept: Buffer[], keep: BodyReading['keep']): AsyncGenerator<Buffer> {
  for (let chunk = kept.shift(); chunk !== undefined; chunk = kept.shift()) {
    yield chunk;
    await keep(-chunk.length);
  }
}

/** If the body is not read to its end, the request is not destroyed: the answer must go out on the same connection. */
async function* chunksOf(request: IncomingMessage, refuseSlow: BodyReading['refuseSlow']): AsyncGenerator<Buffer> {
  let waitedMs = 0;
  let bytes = 0;
  for (;;) {
    const asked = performance.now();
    const waited = () => waitedMs + performance.now() - asked;
    const chunk = await nextChunk(request, () => refuseSlow(waited(), bytes));
    if (chunk === null) return;
    waitedMs = waited();
    bytes += chunk.length;
    yield chunk;
  }
}

/**
 * The next chunk of a body as soon as there is one; null at its end. Not the stream's own iterator, because that cannot be left while
 * it waits. Event handlers do not read the chunk themselves: another event may come before the promise of the first one resumes.
 */
async function nextChunk(request: IncomingMessage, refuse: () => DomainError | undefined): Promise<Buffer | null> {
  for (;;) {
    const chunk: unknown = request.read();
    if (Buffer.isBuffer(chunk)) return chunk;
    if (request.readableEnded) return null;
    if (request.destroyed) throw gone();
    await change(request, refuse);
  }
}

async function change(request: IncomingMessage, refuse: () => DomainError | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const told = () => resolve();
  const events = ['readable', 'end', 'close', 'error'];
  for (const event of events) request.on(event, told);
  const watch = setInterval(() => {
    const refusal = refuse();
    if (refusal !== undefined) reject(refusal);
  }, 500);
  try {
    await promise;
  } finally {
    clearInterval(watch);
    for (const event of events) request.off(event, told);
  }
}

const gone = () => refuse('senderGone');

async function* atMost(maxBytes: number, what: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(what, maxBytes);
    yield chunk;
  }
}

const tooLarge = (what: string, maxBytes: number) => refuse('rowsTooLarge', { what, max: maxBytes });
