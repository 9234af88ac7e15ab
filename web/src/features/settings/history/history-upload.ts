import type { z } from 'zod';
import type { Message } from '../../../../../shared/messages.ts';
import { ingestResult } from '../../../../../shared/measurements.ts';
import {
  type Delimiter,
  type DelimitedRecord,
  DelimitedReader,
  findHeadings,
  guessDelimiter,
  readDelimited,
} from '../../../lib/delimited.ts';
import { ApiError, fetchJson } from '../../../lib/http.ts';
import { guessEncoding, type TextEncodingName } from '../../../lib/text-encoding.ts';
import { HistoryReader } from './history-reader.ts';
import { hasIntervals, type HistoryMapping, type JudgedHistoryRow, type ReadHistoryRow } from './history-rows.ts';
import { ingestPath, intervalsPath } from '../incoming/ingest-command.ts';

/** The maximum size. A year of a meter with a reading per minute has about 30 MB. */
export const maxHistoryBytes = 1024 * 1024 * 1024;
const headBytes = 256 * 1024;
const rowsOfRequest = 5_000;
/** The maximum number of rejected rows that can be saved. All rejected rows are counted. */
const maxListed = 50_000;
const maxPatience = 20;

/** The information in the beginning of a file. */
export interface HistoryHead {
  encoding: TextEncodingName;
  delimiter: Delimiter;
  headings: string[];
  /** The line of the headings; lines above it are titles. */
  headingsLine: number;
  /** Below the headings. */
  records: DelimitedRecord[];
}

/** Throws NoTableError. */
export async function readHistoryHead(file: File): Promise<HistoryHead> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const encoding = guessEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  // The last line may be incomplete.
  const whole = file.size > headBytes ? text.slice(0, text.lastIndexOf('\n')) : text;
  const delimiter = guessDelimiter(whole);
  const all = readDelimited(whole, delimiter);
  const [head, ...records] = all.slice(findHeadings(all));
  const headings = (head?.fields ?? []).map((heading) => heading.trim());
  return { encoding, delimiter, headings, headingsLine: head?.line ?? 1, records };
}

export interface RejectedHistoryRow {
  line: number;
  externalId: string;
  time: string;
  reason: string;
  /** Null if the page itself found the problem. */
  refusal: Message | null;
}

export interface HistoryProgress {
  readBytes: number;
  stored: number;
  known: number;
  rejected: number;
  /** The number of local times that occur twice and were resolved by their position. */
  repeated: number;
  /** The first rejected rows. */
  listed: readonly RejectedHistoryRow[];
}

interface UploadOptions {
  signal: AbortSignal;
  onProgress: (progress: HistoryProgress) => void;
  /** Explains in a sentence why a row was not sent. */
  explain: (judged: Extract<JudgedHistoryRow, { problem: unknown }>) => string;
}

/**
 * Uploads the readings of a file through the ingest, one request after the other. If the upload is repeated, rows that were
 * sent before are duplicates. Throws what a request throws, and the reason of the signal.
 */
export async function uploadHistory(
  file: File,
  { encoding, delimiter, headingsLine }: HistoryHead,
  mapping: HistoryMapping,
  { signal, onProgress, explain }: UploadOptions,
): Promise<void> {
  const records = new DelimitedReader(delimiter);
  const rows = new HistoryReader(mapping);
  const listed: RejectedHistoryRow[] = [];
  const counts = { readBytes: 0, stored: 0, known: 0, rejected: 0 };
  const reject = (row: RejectedHistoryRow) => {
    counts.rejected += 1;
    if (listed.length < maxListed) listed.push(row);
  };
  const path = hasIntervals(mapping) ? intervalsPath : ingestPath;
  const post = (sent: readonly ReadHistoryRow[]) =>
    postRows(
      path,
      sent.map(({ row }) => row),
      signal,
    );
  let batch: ReadHistoryRow[] = [];
  const send = async () => {
    const sent = batch;
    batch = [];
    if (sent.length > 0) {
      const first = await post(sent);
      counts.stored += first.accepted - first.duplicates;
      counts.known += first.duplicates;
      let [errors, from] = [first.errors, 0];
      let missing = first.rejected - errors.length;
      for (;;) {
        for (const { index, reason, refusal } of errors) {
          const told = sent[from + index];
          if (told === undefined) continue;
          reject({ line: told.line, externalId: told.externalId, time: told.time, reason, refusal });
        }
        if (missing <= 0) break;
        // The answer lists only the first rejected rows. The rows after the last one listed are sent again, which changes
        // nothing.
        from += (errors.at(-1)?.index ?? 0) + 1;
        const rest = await post(sent.slice(from));
        errors = rest.errors;
        missing = errors.length === 0 ? 0 : rest.rejected - errors.length;
      }
    }
    onProgress({ ...counts, repeated: rows.repeated, listed });
  };
  const take = async (found: readonly JudgedHistoryRow[]) => {
    for (const judged of found) {
      if ('row' in judged) batch.push(judged);
      else
        reject({
          line: judged.line,
          externalId: judged.externalId,
          time: judged.time,
          reason: explain(judged),
          refusal: null,
        });
      if (batch.length >= rowsOfRequest) await send();
    }
  };
  const takeRecords = async (found: Iterable<DelimitedRecord>) => {
    for (const record of found) if (record.line > headingsLine) await take(rows.read(record));
  };
  const decoder = new TextDecoder(encoding);
  const reader = file.stream().getReader();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { value } = await reader.read();
      if (value === undefined) break;
      counts.readBytes += value.length;
      await takeRecords(records.read(decoder.decode(value, { stream: true })));
    }
    await takeRecords(records.read(decoder.decode()));
    await takeRecords(records.end());
    await take(rows.end());
    await send();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Waits if the portal is busy. */
async function postRows(
  path: string,
  rows: readonly ReadHistoryRow['row'][],
  signal: AbortSignal,
): Promise<z.infer<typeof ingestResult>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchJson(path, ingestResult, { method: 'POST', json: rows, signal });
    } catch (error) {
      const isBusy = error instanceof ApiError && (error.status === 503 || error.status === 429);
      if (!isBusy || attempt === maxPatience) throw error;
      await pause((error.retryAfterSeconds ?? 5) * 1000, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    reject(signal.reason);
  });
  return promise;
}
