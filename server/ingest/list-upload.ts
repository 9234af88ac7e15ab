import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../base/errors.ts';
import type { Limiter } from '../base/limiter.ts';
import { declaredBytes, readBody, takeWholeBody } from './body-encoding.ts';
import { clientGone } from '../http/client-gone.ts';
import { parseWholeList, pieceBytes, readJsonList } from './json-list.ts';
import type { App } from '../http/guard.ts';

/** Judges the entries of a body as they arrive, and stores them when all have arrived. */
export interface ListUpload<Outcome> {
  judge: (entries: readonly unknown[]) => void | Promise<void>;
  store: () => Promise<Outcome>;
}

export interface ListUploadLimits {
  /** The budget of memory for bodies while they are read, judged or stored. */
  bodies: Limiter;
  /** Identifies the sender of the body. */
  key: string;
  maxBytes: number;
  maxEntries: number;
  /** How long the body waits for memory. */
  patienceMs?: number | undefined;
  /** Called with the number of decoded bytes as they arrive. */
  onBytes?: (bytes: number) => void;
  /** Called with the number of bytes of an encoded body as they arrive. */
  onEncodedBytes?: (bytes: number) => void;
}

/** Leaves bodies unread, for routes whose handlers read the body themselves, piece by piece. */
export function leaveBodiesUnread(app: App): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', (_request, _body, done) => done(null));
}

/**
 * The memory of a body that is larger than a piece: the smallest of these steps that holds the bytes so far, or `maxBytes`
 * above the last step.
 */
const memorySteps = [1024 * 1024, 4 * 1024 * 1024];
/** While others wait for memory, a body may take this time plus the time that its bytes take at `slowestBytesPerMs`. */
const patienceWithSlowMs = 2_000;
const slowestBytesPerMs = 1024;

const tooSlow = () => refuse('bodyTooSlow');

/**
 * Reads the body of a request, a JSON list, and stores it. It starts with the memory of a piece and takes more as the body
 * arrives. While others wait for memory, a body that arrives slowly is rejected.
 */
export async function takeList<Outcome>(
  { raw, headers }: FastifyRequest,
  reply: FastifyReply,
  {
    bodies,
    key,
    maxBytes,
    maxEntries,
    patienceMs = 30_000,
    onBytes = () => undefined,
    onEncodedBytes = () => undefined,
  }: ListUploadLimits,
  upload: ListUpload<Outcome>,
): Promise<Outcome> {
  const declared = Math.min(declaredBytes(headers) ?? maxBytes, maxBytes);
  // Created only if a body must wait, because most bodies do not.
  let gone: AbortSignal | undefined;
  const signal = () => (gone ??= clientGone(reply));
  const patience = () => AbortSignal.timeout(patienceMs);
  return bodies.run(
    async (grow) => {
      const body = takeWholeBody(raw, pieceBytes);
      const entries = body && (await parseWholeList(body, maxEntries));
      if (body !== undefined && entries !== undefined) {
        onBytes(body.length);
        await upload.judge(entries);
        return upload.store();
      }
      let held = 0;
      const keep = async (bytes: number) => {
        held += bytes;
        if (held > pieceBytes)
          await grow(Math.min(memorySteps.find((bytes) => bytes >= held) ?? maxBytes, Math.max(held, declared)));
      };
      const refuseSlow = (ms: number, bytes: number) =>
        ms > patienceWithSlowMs + bytes / slowestBytesPerMs && bodies.isAwaited(key) ? tooSlow() : undefined;
      const keepEncoded = async (bytes: number) => {
        if (bytes > 0) onEncodedBytes(bytes);
        await keep(bytes);
      };
      const chunks = body ? only(body) : readBody(raw, { maxBytes, keep: keepEncoded, refuseSlow });
      const decoded = counted(chunks, async (bytes) => {
        onBytes(bytes);
        await keep(bytes);
      });
      for await (const { entries } of readJsonList(decoded, maxEntries)) await upload.judge(entries);
      return upload.store();
    },
    { key, weight: Math.min(declared, pieceBytes), signal, patience },
  );
}

async function* only<T>(one: T): AsyncGenerator<T> {
  yield one;
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => Promise<void>,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    await onBytes(chunk.length);
    yield chunk;
  }
}
