import { Readable } from 'node:stream';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { ExportJob, FromThread, ToThread } from './export-job.ts';
import type { FileProperties, Part } from './sheet.ts';

/** A part that is being written, and one that waits for it. */
const maxUntakenParts = 2;
/** The thread takes megabytes, which nobody needs between exports. */
const idleMs = 30_000;
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

export interface ExportFileOptions {
  format: ExportJob['format'];
  /** Whether the bytes are gzip-compressed on top of their format. */
  isGzip?: boolean;
  properties: FileProperties;
}

/**
 * A file that is written in a thread of its own while it is read. `send` settles when the next part can be taken, so nothing is
 * read from the database faster than the file goes out. A reader that goes away makes it throw; `fail` breaks the stream, so
 * that nobody takes the file for a whole one. The part `end` is the last.
 */
export class ExportFile {
  readonly output: Readable;
  readonly #port: MessagePort;
  #untakenParts = 0;
  #untakenBytes = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #isOver = false;

  constructor({ format, isGzip = false, properties }: ExportFileOptions) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.output = new Readable({
      read: () => this.#onRead(),
      destroy: (error, done) => {
        this.#end(error ?? new Error('Nobody reads the file any more.'));
        done(error);
      },
    });
    // Whoever writes is told by `send`; without a reader nobody else is.
    this.output.on('error', () => undefined);
    port1.on('message', (message: FromThread) => this.#onMessage(message));
    const job: ExportJob = { format, isGzip, properties, port: port2 };
    const worker = thread.start(job);
    port1.once('close', () => {
      // A thread that dies closes its ports before it says so; the next file is not to wait for that.
      if (!this.#isOver) thread.forget(worker);
      this.fail(new Error('The thread that writes exports has ended.'));
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

  /** Breaks the stream, wherever it is. */
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
    }
  }

  #onRead(): void {
    if (this.#untakenBytes === 0 || this.#isOver) return;
    const takenBytes = this.#untakenBytes;
    this.#untakenBytes = 0;
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

/** The one thread for all exports: begun with the first, ended some time after the last. */
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
    // The process may end without it; while files are written, their answers keep it.
    worker.unref();
    // Its exports learn of it by their ports.
    worker.on('error', () => this.forget(worker));
    worker.on('exit', () => this.forget(worker));
    return worker;
  }

  /** The next file gets another thread. */
  forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
  }
}

const thread = new ExportThread();
