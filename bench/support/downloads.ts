import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchPortal } from './portal.ts';

/** A complete file. */
export interface Download {
  headers: IncomingMessage['headers'];
  file: Buffer;
  /** From the request to the first byte. */
  firstByteMs: number;
  seconds: number;
}

/** Downloads a file at full speed, or at a limited number of bytes per second. Throws if the connection breaks before the end. */
export async function download(
  portal: BenchPortal,
  path: string,
  { bytesPerSecond = Infinity, headers = {} }: { bytesPerSecond?: number; headers?: Record<string, string> } = {},
): Promise<Download> {
  const started = performance.now();
  const answer = await portal.openSignedIn(path, headers);
  const chunks: Buffer[] = [];
  let firstByteMs = Number.NaN;
  let bytes = 0;
  for await (const chunk of answer) {
    if (chunks.length === 0) firstByteMs = performance.now() - started;
    chunks.push(chunk);
    bytes += chunk.length;
    const earlyMs = (bytes / bytesPerSecond) * 1000 - (performance.now() - started);
    if (earlyMs > 0) await sleep(earlyMs);
  }
  const seconds = (performance.now() - started) / 1000;
  return { headers: answer.headers, file: Buffer.concat(chunks), firstByteMs, seconds };
}

/** Reads the first bytes of a file, runs `inTheMiddle` and cuts the connection; returns the time of the cut. */
export async function abortDownload(
  portal: BenchPortal,
  path: string,
  { afterBytes, inTheMiddle }: { afterBytes: number; inTheMiddle: () => Promise<void> },
): Promise<number> {
  const answer = await portal.openSignedIn(path);
  let bytes = 0;
  for await (const chunk of answer.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes >= afterBytes) break;
  }
  await inTheMiddle();
  answer.destroy();
  return performance.now();
}
