// Writes export files in a thread of their own, so that requests never wait for them.
import { on, once } from 'node:events';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { createGzip, type Gzip } from 'node:zlib';
import type { ExportJob, FromThread, ToThread, FileWriter, Part, WriteBytes } from './sheet.ts';
import { csvWriter, ndjsonWriter } from './plain-writers.ts';
import { WorkbookWriter } from './workbook-writer.ts';

/** The writer pauses while this many bytes have not been consumed. */
const maxUntakenBytes = 256 * 1024;
/** Smaller pieces are collected up to this size, except the first one, so that the response starts at once. */
const pieceBytes = 32 * 1024;
const gzipLevel = 1;

parentPort?.on('message', (job: ExportJob) => void run(job));

async function run({ port, format, isGzip, properties }: ExportJob): Promise<void> {
  const send = (message: FromThread) => port.postMessage(message);
  const outlet = new Outlet(port);
  const packer = isGzip ? new Packer((bytes) => outlet.write(bytes)) : undefined;
  const writer = createWriter(format, packer ?? outlet, properties);
  // Listen now: the outlet has opened the port, and a message without a listener is lost.
  const messages = on(port, 'message', { close: ['close'] });
  try {
    await writer.open();
    await outlet.flush();
    for await (const [message] of messages) {
      const { part }: { part?: Part } = message;
      if (part === undefined) continue;
      await writer.write(part);
      if (part.kind !== 'end') {
        send('partTaken');
        continue;
      }
      await packer?.finish();
      await outlet.flush();
      send('finished');
      return;
    }
  } catch (error) {
    send({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function createWriter(
  format: ExportJob['format'],
  to: { write: WriteBytes },
  properties: ExportJob['properties'],
): FileWriter {
  const write: WriteBytes = (bytes) => to.write(bytes);
  if (format === 'xlsx') return new WorkbookWriter(write, properties);
  return format === 'csv' ? csvWriter(write) : ndjsonWriter(write);
}

/** Sends bytes out of the thread in larger pieces, no faster than they are consumed. */
class Outlet {
  readonly #port: MessagePort;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #untaken = 0;
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: ToThread) => {
      if ('takenBytes' in message) this.#onTaken(message.takenBytes);
    });
    port.once('close', () => {
      this.#isClosed = true;
      this.#wake?.();
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#gathered.push(bytes);
    this.#gatheredBytes += bytes.length;
    if (this.#gatheredBytes >= pieceBytes) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#gatheredBytes === 0) return;
    // A copy, because transferring a buffer empties the original.
    const piece = new Uint8Array(Buffer.concat(this.#gathered));
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#untaken += piece.length;
    this.#port.postMessage({ bytes: piece } satisfies FromThread, [piece.buffer]);
    // Yield to the other files that this thread writes.
    await yieldToOthers();
    while (this.#untaken > maxUntakenBytes) {
      if (this.#isClosed) throw new Error('The file is no longer read.');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #onTaken(bytes: number): void {
    this.#untaken -= bytes;
    this.#wake?.();
  }
}

/** Compresses plain text on its way out. */
class Packer {
  readonly #gzip: Gzip = createGzip({ level: gzipLevel });
  readonly #leaving: Promise<void>;

  constructor(write: WriteBytes) {
    this.#leaving = (async () => {
      for await (const bytes of this.#gzip) await write(bytes);
    })();
    // Awaited at the end, and before that by writers that wait until more may be sent.
    this.#leaving.catch(() => undefined);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#gzip.write(bytes)) await Promise.race([once(this.#gzip, 'drain'), this.#leaving]);
  }

  async finish(): Promise<void> {
    this.#gzip.end();
    await this.#leaving;
  }
}
