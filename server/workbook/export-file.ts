import { Readable } from 'node:stream';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { ExportJob, FromThread, ToThread, FileProperties, Part } from './sheet.ts';

/** One part is being written while the next one waits. */
const maxUntakenParts = 2;
/** An idle thread holds megabytes, so it ends after a while. */
const idleMs = 30_000;
/** A client may pause for this long, or must read at this rate; faster reading does not allow a longer pause. */
const graceMs = 10_000;
const slowestBytesPerMs = 128;
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

export interface ExportFileOptions {
  format: ExportJob['format'];
  /** Whether the finished format is gzip-compressed as well. */
  isGzip?: boolean;
  properties: FileProperties;
}

/**
 * A file that a separate thread writes while the client reads it. `send` settles when the thread can take the next
 * part, so the database is read no faster than the client downloads. `send` throws once the client has disconnected.
 * `fail` breaks the stream, so that nobody mistakes the file for a complete one. The part `end` is the last.
 */
export class ExportFile {
  readonly output: Readable;
  readonly #port: MessagePort;
  #untakenParts = 0;
  #untakenBytes = 0;
  /** How long the client may still be waited for, counted from `#waitsSince` if that is set. */
  #graceMs = graceMs;
  #waitsSince: number | undefined;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #isOver = false;

  constructor({ format, isGzip = false, properties }: ExportFileOptions) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.output = new Readable({
      read: () => this.#onRead(),
      destroy: (error, done) => {
        this.#end(error ?? new Error('The client no longer reads the file.'));
        done(error);
      },
    });
    // The writer learns of the error from `send`; without this listener the stream would throw it.
    this.output.on('error', () => undefined);
    port1.on('message', (message: FromThread) => this.#onMessage(message));
    const job: ExportJob = { format, isGzip, properties, port: port2 };
    const worker = thread.start(job);
    port1.once('close', () => {
      // A dying thread closes its ports before its `exit` event; the next file must not wait for that event.
      if (!this.#isOver) thread.forget(worker);
      this.fail(new Error('The export thread has ended.'));
    });
  }

  async send(part: Part): Promise<void> {
    this.#throwIfFailed();
    this.#untakenParts += 1;
    const buffers = part.kind === 'columns' ? part.columns.map(({ buffer }) => buffer) : [];
    this.#post({ part }, [...new Set(buffers)]);
    while (this.#untakenParts >= maxUntakenParts && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#throwIfFailed();
    }
  }

  /** Whether the client reads the file so slowly that it should not hold up others. */
  get isTakenSlowly(): boolean {
    return this.#waitsSince !== undefined && performance.now() - this.#waitsSince > this.#graceMs;
  }

  /** Breaks the stream. */
  fail(error: Error): void {
    if (!this.#isOver) this.output.destroy(error);
  }

  #onMessage(message: FromThread): void {
    if (message === 'partTaken') {
      this.#untakenParts -= 1;
      this.#wake?.();
    } else if (message === 'finished') {
      this.output.push(null);
      this.#end(undefined);
    } else if ('failure' in message) {
      this.fail(new Error(`The file could not be written: ${message.failure}`));
    } else {
      this.#untakenBytes += message.bytes.length;
      if (this.output.push(message.bytes)) this.#onRead();
      else this.#waitsSince ??= performance.now();
    }
  }

  #onRead(): void {
    if (this.#untakenBytes === 0 || this.#isOver) return;
    const takenBytes = this.#untakenBytes;
    this.#untakenBytes = 0;
    const waitedMs = this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince;
    this.#waitsSince = undefined;
    this.#graceMs = Math.min(graceMs, this.#graceMs - waitedMs + takenBytes / slowestBytesPerMs);
    this.#post({ takenBytes });
  }

  #post(message: ToThread, transfer: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  #throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #end(failure: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#wake?.();
    this.#port.close();
    thread.end();
  }
}

/** One thread serves all exports: started by the first one, ended when idle. */
class ExportThread {
  #worker: Worker | undefined;
  #running = 0;
  #idle: NodeJS.Timeout | undefined;

  start(job: ExportJob): Worker {
    clearTimeout(this.#idle);
    this.#running += 1;
    this.#worker ??= this.#open();
    this.#worker.postMessage(job, [job.port]);
    return this.#worker;
  }

  end(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#idle = setTimeout(() => {
      void this.#worker?.terminate();
      this.#worker = undefined;
    }, idleMs).unref();
  }

  #open(): Worker {
    const worker = new Worker(new URL('export-thread.ts', import.meta.url), { resourceLimits });
    // The thread must not keep the process alive; while files are written, their responses do.
    worker.unref();
    // The exports of this thread notice that their ports have closed.
    worker.on('error', () => this.forget(worker));
    worker.on('exit', () => this.forget(worker));
    return worker;
  }

  /** The next file starts a new thread. */
  forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
  }
}

const thread = new ExportThread();
