import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { z } from 'zod';
import { guid } from '../../shared/primitives.ts';
import { type ClientReport, type ReconcileReport, type ReconcileRequest, reconcileResult } from '../../shared/push.ts';
import { failed, failureOf, type FleetAnswer, type FleetFailure, tooLarge } from './fleet-answer.ts';
import type { PushResource } from './push-state.sql.ts';
import { untilNameIsKnown } from '../database/errors.ts';
import { parseJson } from '../base/json.ts';
import type { CountedDay } from '../energy/day-checksums.rules.ts';

export interface FleetBatch {
  type: PushResource;
  /** See `PushState.cursor`. */
  cursor: string;
  /** `2/3` for a part of a set that is larger than a body. */
  part: string | null;
  /** A JSON list. */
  body: string | Buffer;
  /** Whether the fleet overwrites stored measurements that have other values. */
  isCorrection?: boolean;
}

/** No method throws, except the reason of the signal. */
export interface FleetClient {
  /** The customer to whom the token belongs, once the fleet has told the Client. */
  customerId: () => string | null;
  /** Sends one batch. */
  send: (batch: FleetBatch, signal: AbortSignal) => Promise<FleetAnswer>;
  /** The rows that the fleet has of some devices on some days. */
  listDays: (
    asked: ReconcileRequest,
    signal: AbortSignal,
  ) => Promise<FleetFailure | { kind: 'days'; days: CountedDay[] }>;
  /** Reports the result of a comparison to the fleet. */
  report: (found: ReconcileReport, signal: AbortSignal) => Promise<FleetFailure | { kind: 'told' }>;
}

export interface FleetClientParts {
  url: string;
  token: string;
  fetch: typeof globalThis.fetch;
  /** Epoch milliseconds. */
  now: () => number;
  timeoutMs?: number;
  /** The Client's report about itself, sent with each batch. */
  report?: () => Promise<ClientReport | null>;
}

const compress = promisify(gzip);
const defaultTimeoutMs = 120_000;
/** The lowest level of compression: ingest needs the CPU more than the network needs small bodies. */
const gzipLevel = constants.Z_BEST_SPEED;
const maxAnswerBytes = 1024 * 1024;
const maxTextCharacters = 300;
/** A body above this size is not sent. It is half of the fleet's limit. */
export const maxBodyBytes = 16 * 1024 * 1024;

const result = z.object({
  accepted: z.int().min(0),
  rejected: z.int().min(0),
  errors: z.array(z.object({ reason: z.string() })).default([]),
});
const refusal = z.object({ error: z.string() });

/**
 * Sends the requests of a Client to its fleet. A redirect is an error, because the token must go to the configured address
 * only.
 */
export function createFleetClient(parts: FleetClientParts): FleetClient {
  const { url, token, now, timeoutMs = defaultTimeoutMs } = parts;
  let customerId: string | null = null;

  const post = async <Answer>(
    asked: { path: string; headers?: Record<string, string>; body: string | Uint8Array<ArrayBuffer> },
    signal: AbortSignal,
    take: (parsed: unknown, status: number) => Answer | null,
  ): Promise<Answer | FleetFailure> => {
    signal.throwIfAborted();
    try {
      const ask = async () =>
        parts.fetch(new URL(asked.path, url), {
          method: 'POST',
          redirect: 'manual',
          headers: {
            'content-type': 'application/json',
            'x-customer-token': token,
            ...asked.headers,
          },
          body: asked.body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        });
      const response = await untilNameIsKnown(ask, signal);
      const parsed = parseJson(await textOf(response));
      if (!response.ok) return judge(response, parsed);
      customerId = guid.safeParse(response.headers.get('x-customer-id')).data ?? customerId;
      const { status } = response;
      return (
        take(parsed, status) ??
        failed('broken', `The answer ${status} is not one of a fleet; is FleetIngest__Url right?`)
      );
    } catch (error) {
      signal.throwIfAborted();
      return failed('unreachable', `No answer from the fleet: ${reasonOf(error)}.`);
    }
  };

  const judge = ({ status, headers }: Response, parsed: unknown): FleetFailure => {
    const said = refusal.safeParse(parsed).data?.error.slice(0, maxTextCharacters);
    const sentence = said === undefined ? `The fleet answered ${status}.` : `The fleet answered ${status}: ${said}`;
    return failureOf({ status, retryAfter: headers.get('retry-after') }, sentence, now());
  };

  return {
    customerId: () => customerId,
    async send({ type, cursor, part, body, isCorrection = false }, signal) {
      if (body.length > maxBodyBytes) return tooLarge('It has more than 16 MiB.');
      const report = (await parts.report?.()) ?? null;
      return post(
        {
          path: '',
          headers: {
            'content-encoding': 'gzip',
            'x-batch-type': type,
            'x-push-cursor': cursor,
            ...(part === null ? {} : { 'x-batch-part': part }),
            ...(report === null ? {} : { 'x-client-report': asciiJson(report) }),
            ...(isCorrection ? { 'x-batch-mode': 'correct' } : {}),
          },
          body: new Uint8Array(await compress(body, { level: gzipLevel })),
        },
        signal,
        (parsed) => {
          const { data } = result.safeParse(parsed);
          if (data === undefined) return null;
          const reason = data.errors[0]?.reason ?? 'The fleet gives no reason.';
          return { kind: 'accepted', rejected: data.rejected, reason } as const;
        },
      );
    },
    async listDays(asked, signal) {
      return post({ path: 'reconcile', body: JSON.stringify(asked) }, signal, (parsed) => {
        const { data } = reconcileResult.safeParse(parsed);
        return data === undefined ? null : ({ kind: 'days', days: data.days } as const);
      });
    },
    async report(found, signal) {
      const body = JSON.stringify(found);
      return post({ path: 'reconcile/result', body }, signal, (_, status) =>
        status === 204 ? ({ kind: 'told' } as const) : null,
      );
    },
  };
}

/** Headers take ASCII only. */
const asciiJson = (value: object) =>
  JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Reads the body. Throws if it is cut off, or longer than any answer of a fleet. */
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

/** The message `fetch failed` explains nothing, but its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return (cause.message === '' ? code : cause.message) || error.message;
}
