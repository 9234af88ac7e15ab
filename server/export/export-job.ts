import type { MessagePort } from 'node:worker_threads';
import type { FileProperties, Part } from './sheet.ts';

/** A file to be written by the thread; everything about it goes through its own port. */
export interface ExportJob {
  format: 'xlsx' | 'csv' | 'ndjson';
  isGzip: boolean;
  properties: FileProperties;
  port: MessagePort;
}

/** What the thread is sent: the next part, or how many of its bytes were taken. */
export type ToThread = { part: Part } | { takenBytes: number };

/** What the thread sends: bytes of the file, that a part was taken, that all is written, or why it cannot be. */
export type FromThread = { bytes: Uint8Array<ArrayBuffer> } | 'partTaken' | 'finished' | { failure: string };
