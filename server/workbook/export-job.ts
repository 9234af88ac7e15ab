import type { MessagePort } from 'node:worker_threads';
import type { FileProperties, Part } from './sheet.ts';

/** A file for the thread to write; all messages about it use its own port. */
export interface ExportJob {
  format: 'xlsx' | 'csv' | 'ndjson';
  isGzip: boolean;
  properties: FileProperties;
  port: MessagePort;
}

/** Messages to the thread: the next part, or how many of its bytes were consumed. */
export type ToThread = { part: Part } | { takenBytes: number };

/** Messages from the thread: bytes of the file, a part was taken, the file is finished, or why it failed. */
export type FromThread = { bytes: Uint8Array<ArrayBuffer> } | 'partTaken' | 'finished' | { failure: string };
