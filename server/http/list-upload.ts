import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limiter } from '../domain/limiter.ts';
import { declaredBytes, readBody, takeWholeBody } from './body-encoding.ts';
import { clientGone } from './client-gone.ts';
import { type ListPart, parseWholeList, pieceBytes, readJsonList } from './json-list.ts';

/** Judges the entries of a body as they come in, and stores them once all are there. */
export interface ListUpload<Outcome> {
  judge: (entries: readonly unknown[]) => void | Promise<void>;
  store: () => Promise<Outcome>;
}

export interface ListUploadLimits {
  /** Holds the bytes of the bodies that are read, judged or stored. */
  bodies: Limiter;
  /** Whose body it is. */
  key: string;
  maxBytes: number;
  maxEntries: number;
  /** How long the body waits for memory. */
  patienceMs: number;
  /** Told the decoded bytes as they come in. */
  onBytes?: (bytes: number) => void;
}

/**
 * Reads the body of a request, a JSON list, and stores it. What fits a piece is stored with the weight of a piece; the rest of a
 * larger body is read when there is room for it.
 */
export async function takeList<Outcome>(
  { raw, headers }: FastifyRequest,
  reply: FastifyReply,
  { bodies, key, maxBytes, maxEntries, patienceMs, onBytes = () => undefined }: ListUploadLimits,
  upload: ListUpload<Outcome>,
): Promise<Outcome> {
  const bytes = Math.min(declaredBytes(headers) ?? maxBytes, maxBytes);
  const signal = clientGone(reply);
  const patience = () => AbortSignal.timeout(patienceMs);
  const place = (weight: number) => ({ key, weight, signal, patience });
  let parts: AsyncGenerator<ListPart> | undefined;
  try {
    const whole = await bodies.run(
      async () => {
        const body = takeWholeBody(raw, pieceBytes);
        const entries = body && parseWholeList(body, maxEntries);
        parts = readJsonList(counted(body ? only(body) : readBody(raw, maxBytes), onBytes), maxEntries);
        if (body !== undefined && entries !== undefined) onBytes(body.length);
        const part = entries === undefined ? (await parts.next()).value : { entries, isLast: true };
        await upload.judge(part?.entries ?? []);
        return part?.isLast === true ? { outcome: await upload.store() } : undefined;
      },
      place(Math.min(bytes, pieceBytes)),
    );
    if (whole !== undefined) return whole.outcome;
    return await bodies.run(async () => {
      for await (const { entries } of parts ?? []) await upload.judge(entries);
      return upload.store();
    }, place(bytes));
  } finally {
    await parts?.return(undefined);
  }
}

async function* only<T>(one: T): AsyncGenerator<T> {
  yield one;
}

async function* counted(chunks: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}
