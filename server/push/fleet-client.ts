import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import type { PushError, PushErrorKind, PushResource } from '../db/push-state.ts';

export interface FleetBatch {
  type: PushResource;
  /** At most 200 characters; the fleet keeps it and never reads it. */
  cursor: string;
  /** `2/3` of a set that is larger than a body. */
  part: string | null;
  /** A JSON list. */
  body: string;
}

/** What became of a batch. */
export type FleetAnswer =
  /** `reason` is that of the first row that was rejected. */
  | { kind: 'accepted'; rejected: number; reason: string | null }
  | { kind: 'tooLarge'; text: string }
  /** `isLasting`: the same again would fail again. */
  | { kind: 'failed'; error: PushError; retryAfterSeconds: number | null; isLasting: boolean };

export interface FleetClient {
  /** Sends one batch. Never throws but for the reason of the signal. */
  send: (batch: FleetBatch, signal: AbortSignal) => Promise<FleetAnswer>;
}

export interface FleetClientParts {
  url: string;
  token: string;
  fetch: typeof globalThis.fetch;
  /** Epoch milliseconds. */
  now: () => number;
  timeoutMs?: number;
}

const compress = promisify(gzip);
const defaultTimeoutMs = 120_000;
const maxAnswerBytes = 1024 * 1024;
const maxTextCharacters = 300;
/** A fleet that asks for a longer wait is asked again all the same. */
export const maxRetryAfterSeconds = 24 * 3600;

const result = z.object({
  accepted: z.int().min(0),
  rejected: z.int().min(0),
  errors: z.array(z.object({ reason: z.string() })).default([]),
});
const refusal = z.object({ error: z.string() });

/** The fleet's `POST /api/fleet/ingest`. Redirects are refused: the token is for this address only. */
export function createFleetClient(parts: FleetClientParts): FleetClient {
  const { url, token, now, timeoutMs = defaultTimeoutMs } = parts;
  return {
    async send({ type, cursor, part, body }, signal) {
      signal.throwIfAborted();
      try {
        const answer = await parts.fetch(url, {
          method: 'POST',
          redirect: 'manual',
          headers: {
            'content-type': 'application/json',
            'content-encoding': 'gzip',
            'x-customer-token': token,
            'x-batch-type': type,
            'x-push-cursor': cursor,
            ...(part === null ? {} : { 'x-batch-part': part }),
          },
          body: new Uint8Array(await compress(body)),
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        });
        return judge(answer, await textOf(answer), now());
      } catch (error) {
        signal.throwIfAborted();
        return failed('unreachable', `No answer from the fleet: ${reasonOf(error)}.`);
      }
    },
  };
}

function judge({ status, headers }: Response, text: string, nowMs: number): FleetAnswer {
  const parsed = parseJson(text);
  if (status >= 200 && status < 300) {
    const { success, data } = result.safeParse(parsed);
    if (!success) return failed('broken', `The answer ${status} is not one of a fleet; is FleetIngest__Url right?`);
    return { kind: 'accepted', rejected: data.rejected, reason: data.errors[0]?.reason ?? null };
  }
  const said = refusal.safeParse(parsed).data?.error.slice(0, maxTextCharacters);
  const sentence = said === undefined ? `The fleet answered ${status}.` : `The fleet answered ${status}: ${said}`;
  if (status === 413) return { kind: 'tooLarge', text: sentence };
  if (status === 429 || status === 503) {
    return { ...failed('busy', sentence), retryAfterSeconds: parseRetryAfter(headers.get('retry-after'), nowMs) };
  }
  if (status >= 500) return failed('broken', sentence);
  return { ...failed(status === 401 ? 'unauthorized' : 'refused', sentence), isLasting: true };
}

const failed = (kind: PushErrorKind, text: string) =>
  ({ kind: 'failed', error: { kind, text }, retryAfterSeconds: null, isLasting: false }) as const;

/** Seconds from now, of a header that has them or a date; null if it has neither. */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(maxRetryAfterSeconds, Math.max(0, seconds));
}

/** The body; throws if it is cut off, or larger than any answer of a fleet. */
async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > maxAnswerBytes) throw new Error(`the answer has more than ${maxAnswerBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return (cause.message === '' ? code : cause.message) || error.message;
}
