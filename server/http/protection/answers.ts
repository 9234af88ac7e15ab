import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { connectionLimits, heldBytes, limiterOf } from '../../base/budgets.ts';
import { refuse } from '../../base/errors.ts';
import { closeFloods } from './connections.ts';
import { HeldBytes } from './bodies.ts';
import { headSizeOf } from './held-headers.ts';
import { seldom } from '../request-log.ts';
import { whenClosed, clientGone, turnOf } from '../client-gone.ts';
import type { App } from '../guard.ts';
import { yieldToOthers } from '../../database/turns.ts';

/** Smaller answers do not count. */
const smallAnswer = 16 * 1024;
/** The memory of a stream: the part that waits for the socket, and the next part, which is read ahead. */
const partsOfStream = 128 * 1024;

/**
 * Limits the memory held for clients that do not read their answers: the requests of one connection, and all answers
 * with their open files and streams. Above the limit, the client that holds most loses its connections, the
 * longest-waiting answer first. Registered before all hooks that change an answer.
 */
export function limitUnread(app: App, log: FastifyBaseLogger, maxBytes: number = heldBytes.answers): void {
  const { requestsOfOne, openRequestsOfOne } = connectionLimits;
  const note = seldom((_count, source: string, reason: string) =>
    log.warn({ source }, `closed a connection: ${reason}`),
  );
  const noteFlood = (source: string) => note(source, 'it sent request after request without waiting for an answer');
  const unread = new HeldBytes(maxBytes, ({ ip }) => note(ip, 'too much of what it asked for was not read'));
  const waitingOn = closeFloods(app.server, openRequestsOfOne, noteFlood);

  app.addHook('onRequest', (request, reply, done) => {
    const count = waitingOn(request.raw.socket);
    if (count <= requestsOfOne) return done();
    // The connection ends with this answer, so later requests on it get no answer.
    if (count > requestsOfOne + 1) return;
    void reply.header('connection', 'close');
    noteFlood(request.ip);
    done(refuse('manyUnanswered', { max: requestsOfOne }));
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const answer = heldBy(payload, Number(reply.getHeader('content-length') ?? Infinity));
    const length = answer + headSizeOf(request.raw);
    if (length >= smallAnswer && !request.raw.socket.destroyed) whenClosed(reply.raw, unread.hold(request, length));
    done();
  });
}

function heldBy(payload: unknown, contentLength: number): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  if (payload instanceof LargeAnswer) return payload.heldBytes;
  return payload instanceof Readable ? Math.min(partsOfStream, contentLength) : 0;
}

/** Answers with more values are written piece by piece. Written as one text, 600,000 values would block everyone for 100 ms. */
const largeFrom = 20_000;
/** The number of values that are written at once: some 100 KiB, which take two milliseconds. */
const valuesPerPiece = 5_000;
/** The memory of a value until it is sent, including its share of the object around it. */
const bytesPerValue = 24;

const underWay = limiterOf('largeAnswers');
/** A client that reads its answer slowly loses its place after this time. The rest of the answer then counts as unread. */
const longestPlaceMs = 10_000;

/** Waits until an answer with this many values may be read. Throws `unavailable`. */
export async function waitForPlace(reply: FastifyReply, accountId: string, values: number): Promise<void> {
  if (values < largeFrom) return;
  const over = new AbortController();
  whenClosed(reply.raw, () => over.abort());
  const untilSent = () => sleep(longestPlaceMs, undefined, { signal: over.signal, ref: false });
  await underWay.hold(untilSent, turnOf(accountId, clientGone(reply)));
}

/** A large JSON answer that is written while it is sent: a new piece whenever the client has read the last one. */
export class LargeAnswer extends Readable {
  /** The memory that the answer holds until it has been sent. */
  readonly heldBytes: number;
  readonly #pieces: Iterator<string>;

  constructor(value: unknown, values = countValues(value)) {
    super({ highWaterMark: 64 * 1024 });
    this.heldBytes = values * bytesPerValue;
    this.#pieces = piecesOf(value);
  }

  override _read(): void {
    this.#writeNext().catch((error: unknown) => this.destroy(error instanceof Error ? error : undefined));
  }

  async #writeNext(): Promise<void> {
    await yieldToOthers('answers');
    if (this.destroyed) return;
    let text = '';
    let next = this.#pieces.next();
    // Names and brackets count with the values after them.
    for (; next.done !== true; next = this.#pieces.next()) {
      text += next.value;
      if (text.length > 1024) break;
    }
    if (text !== '') this.push(text);
    if (next.done === true) this.push(null);
  }
}

/** Answers large JSON piece by piece. Call it first, because other hooks inspect the payload. */
export function writeLargeAnswers(app: App): void {
  const answers = new WeakMap<FastifyRequest, LargeAnswer>();
  app.addHook('preSerialization', (request, _reply, payload: unknown, done) => {
    const values = countValues(payload);
    if (values < largeFrom) return done(null, payload);
    answers.set(request, new LargeAnswer(payload, values));
    // Serializers return text, which the next hook replaces.
    done(null, null);
  });
  app.addHook('onSend', (request, _reply, payload, done) => done(null, answers.get(request) ?? payload));
}

/** The approximate number of numbers and texts in a JSON value. Of a long list only some entries are counted. */
function countValues(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  if (!Array.isArray(value)) return countAll(Object.values(value));
  return value.length > valuesPerPiece ? value.length * countInEntry(value) : countAll(value);
}

/** The size of the largest of the first, the middle and the last entry. */
const countInEntry = (list: readonly unknown[]) =>
  Math.max(...[0, Math.floor(list.length / 2), list.length - 1].map((at) => countValues(list[at])));

function countAll(values: readonly unknown[]): number {
  let count = 0;
  for (const one of values) count += countValues(one);
  return count;
}

/** Pieces of the text that `JSON.stringify` makes of plain data. */
function* piecesOf(value: unknown): Generator<string, undefined> {
  if (countValues(value) <= valuesPerPiece) {
    yield JSON.stringify(value);
  } else if (Array.isArray(value)) {
    yield* piecesOfList(value);
  } else {
    let before = '{';
    for (const [name, own] of Object.entries(Object(value))) {
      if (own === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* piecesOf(own);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

function* piecesOfList(list: readonly unknown[]): Generator<string, undefined> {
  const atOnce = Math.max(1, Math.floor(valuesPerPiece / countInEntry(list)));
  for (let at = 0; at < list.length; at += atOnce) {
    yield at === 0 ? '[' : ',';
    const some = list.slice(at, at + atOnce);
    if (atOnce > 1 || countAll(some) <= valuesPerPiece) yield JSON.stringify(some).slice(1, -1);
    else yield* piecesOf(list[at]);
  }
  yield ']';
}
