import { once } from 'node:events';
import type pg from 'pg';
import { yieldToOthers } from './turns.ts';

/** A statement of an exchange. */
export interface Step {
  /** The statement is prepared under this name, once per connection. Leave the name out if the plan depends on the values. */
  readonly name?: string;
  readonly text: string;
  /** The values in PostgreSQL's text format. */
  readonly values?: readonly string[];
  /** The input of a `COPY … FROM STDIN`. */
  readonly bytes?: Iterable<Buffer>;
}

/** An array as PostgreSQL reads it. */
export const arrayText = (items: readonly (string | number | null)[]): string => `{${items.map(itemText).join(',')}}`;

const itemText = (item: string | number | null) =>
  typeof item !== 'string' || plain.test(item) ? (item ?? 'NULL') : `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
/** Matches ids and instants; never the word NULL. */
const plain = /^[0-9][0-9a-zA-Z:.-]*$/;

/** The fields of a row as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[];

/** The names that are prepared on each connection. */
const prepared = new WeakMap<pg.Connection, Set<string>>();
/** Without yielding, everything that waits in the socket would be read at once, up to 2 MiB. */
const rowsBetweenYields = 2_000;
const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);

/**
 * Several statements for the driver to run as one: all are sent without waiting for an answer, including the bytes of a COPY
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING). After the first that fails, the server
 * runs none of the others.
 */
export class Exchange implements pg.Submittable {
  /** The rows of each statement. */
  readonly answers: Promise<TextRow[][]>;
  isSending = true;
  isAnswered = false;
  readonly #steps: readonly Step[];
  readonly #settled = Promise.withResolvers<TextRow[][]>();
  readonly #over = new AbortController();
  readonly #rows: TextRow[][] = [];
  #pause: () => void = () => undefined;
  #current: TextRow[] = [];
  /** Names that the server has not confirmed yet. */
  readonly #parsing: (string | undefined)[] = [];
  #settle: () => void = () => undefined;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.answers = this.#settled.promise;
  }

  submit(connection: pg.Connection): void {
    const onParsed = () => {
      const name = this.#parsing.shift();
      if (name !== undefined) namesOf(connection).add(name);
    };
    connection.on('parseComplete', onParsed);
    this.#pause = () => {
      connection.stream.pause();
      void yieldToOthers().finally(() => connection.stream.resume());
    };
    this.#settle = () => connection.off('parseComplete', onParsed);
    this.#send(connection).catch((error: unknown) => connection.stream.destroy(asError(error)));
  }

  async #send(connection: pg.Connection): Promise<void> {
    const { stream } = connection;
    const names = namesOf(connection);
    stream.cork();
    try {
      for (const { name: ownName, text, values = [], bytes } of this.#steps) {
        // The driver keeps names of its own.
        const name = ownName && `exchange_${ownName}`;
        if (name === undefined || !names.has(name)) {
          connection.parse({ name: name ?? '', text, types: [] }, true);
          this.#parsing.push(name);
        }
        connection.bind({ statement: name ?? '', values: [...values] }, true);
        connection.execute({}, true);
        // The server sends its answer to the BEGIN early. So a connection that waits for a lock can be told from one that died
        // while idle.
        if (text.startsWith('BEGIN')) connection.flush();
        if (bytes !== undefined) await this.#sendBytes(stream, bytes);
        if (this.#over.signal.aborted) break;
      }
      connection.sync();
    } finally {
      stream.uncork();
      this.isSending = false;
    }
  }

  async #sendBytes(stream: pg.Connection['stream'], bytes: Iterable<Buffer>): Promise<void> {
    let mustWait = false;
    for (const piece of bytes) {
      if (mustWait) {
        stream.uncork();
        if (stream.writableNeedDrain) await once(stream, 'drain', { signal: this.#over.signal }).catch(() => undefined);
        // If the system accepts the bytes immediately, 'drain' comes without waiting, so yield explicitly.
        await yieldToOthers();
        stream.cork();
        if (this.#over.signal.aborted) return;
      }
      const head = Buffer.allocUnsafe(5);
      head.writeUInt8(0x64, 0);
      head.writeUInt32BE(piece.length + 4, 1);
      stream.write(head);
      stream.write(piece);
      mustWait = true;
    }
    stream.write(copyDone);
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.#current.push(fields);
    if (this.#current.length % rowsBetweenYields === 0) this.#pause();
  }

  handleCommandComplete(): void {
    this.isAnswered = true;
    this.#rows.push(this.#current);
    this.#current = [];
  }

  handleCopyInResponse(): void {
    // The bytes are on their way already.
  }

  handleError(error: Error): void {
    this.#over.abort();
    this.#settle();
    this.#settled.reject(error);
  }

  handleReadyForQuery(): void {
    this.#settle();
    this.#settled.resolve(this.#rows);
  }
}

const namesOf = (connection: pg.Connection) => prepared.getOrInsertComputed(connection, () => new Set());

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
