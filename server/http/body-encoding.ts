import { Transform, type TransformCallback } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { preParsingHookHandler } from 'fastify';
import { DomainError } from '../domain/errors.ts';

const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, zstd: createZstdDecompress } as const;

const isKnown = (encoding: string): encoding is keyof typeof decoders => Object.hasOwn(decoders, encoding);

/**
 * Decodes `Content-Encoding: gzip` and `zstd` while the body is read, and stops at `maxBytes` decoded ones: a small body
 * may unpack to gigabytes.
 */
export function decodeBody(maxBytes: number): preParsingHookHandler {
  return (request, reply, payload, done) => {
    const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    if (encoding === 'identity' || encoding === '') {
      done(null, payload);
      return;
    }
    if (!isKnown(encoding)) {
      done(
        new DomainError(
          'unsupportedMediaType',
          `Content-Encoding is ${JSON.stringify(encoding)}; it takes gzip, zstd or identity.`,
        ),
      );
      return;
    }
    // The length on the wire says nothing of the decoded body, which Fastify would compare with it.
    delete request.headers['content-length'];
    const decoder = decoders[encoding]();
    const limit = new ByteLimit(maxBytes);
    payload.on('error', (error) => decoder.destroy(error));
    decoder.on('error', () => {
      limit.destroy(new DomainError('invalid', `The body is not valid ${encoding}.`));
    });
    limit.on('error', () => {
      payload.unpipe(decoder);
      payload.resume();
    });
    done(null, payload.pipe(decoder).pipe(limit));
  };
}

class ByteLimit extends Transform {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback) {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      callback(
        new DomainError(
          'tooLarge',
          `The decoded body is larger than ${this.#maxBytes} bytes; send fewer rows at a time.`,
        ),
      );
      return;
    }
    callback(null, chunk);
  }
}
