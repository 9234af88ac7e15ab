import { exportHeaders } from '../../../shared/reports.ts';
import { ContractError, fetchStream, type RequestOptions } from './http.ts';

/** The received part of a file, and its expected size. */
export interface Arrival {
  /** The rows that the file will have. */
  receivedBytes: number;
  /** The number of rows in the whole file, and of matching rows. Null if the portal does not state them. */
  rowCount: number | null;
  totalCount: number | null;
}

export interface DownloadedFile extends Arrival {
  fileName: string;
}

interface DownloadOptions extends Pick<RequestOptions, 'query' | 'signal'> {
  /** Called when the answer begins, and with each part of it. */
  onArrival?: (arrival: Arrival) => void;
}

/** The size of the pieces (bytes) in which received data is given to the browser, which may keep them on disk. */
const pieceBytes = 1 << 20;
/** The time that the browser has to read the file that it saves; ms. */
const saveWithinMs = 60_000;

/**
 * Downloads a file and saves it under the name that the portal gives it, once it is complete.
 * @throws ApiError, OfflineError, BrokenOffError, ContractError, or the signal's AbortError; then nothing was saved
 */
export async function downloadFile(path: string, { onArrival, ...request }: DownloadOptions): Promise<DownloadedFile> {
  const pieces: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let partBytes = 0;
  let fileName = '';
  let type = '';
  let arrival: Arrival = { receivedBytes: 0, rowCount: null, totalCount: null };
  const closePiece = () => {
    pieces.push(new Blob(parts));
    parts = [];
    partBytes = 0;
  };
  await fetchStream(path, {
    ...request,
    onBegin: (headers) => {
      const name = fileNameOf(headers.get('content-disposition'));
      if (name === null) throw new ContractError(`${path}: the answer is not a file`);
      fileName = name;
      type = headers.get('content-type') ?? '';
      arrival = {
        receivedBytes: 0,
        rowCount: countOf(headers.get(exportHeaders.rowCount)),
        totalCount: countOf(headers.get(exportHeaders.totalCount)),
      };
      onArrival?.(arrival);
    },
    onPart: (part) => {
      parts.push(part);
      partBytes += part.byteLength;
      if (partBytes >= pieceBytes) closePiece();
      arrival = { ...arrival, receivedBytes: arrival.receivedBytes + part.byteLength };
      onArrival?.(arrival);
    },
  });
  request.signal?.throwIfAborted();
  closePiece();
  saveFile(new Blob(pieces, { type }), fileName);
  return { ...arrival, fileName };
}

/** The file name of a `Content-Disposition` that asks to save (RFC 6266); null for any other. */
export function fileNameOf(disposition: string | null): string | null {
  if (disposition === null || !/^\s*attachment\s*(?:;|$)/i.test(disposition)) return null;
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const decoded = encoded === undefined ? null : decode(encoded);
  if (decoded !== null) return decoded;
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const name = quoted ?? /;\s*filename\s*=\s*([^;"\s]+)/i.exec(disposition)?.[1] ?? '';
  return name === '' ? null : name;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const countOf = (header: string | null): number | null =>
  header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null;

/** Lets the browser save a file. */
export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = fileName;
  // Some browsers follow a link only if it is in the page.
  anchor.hidden = true;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), saveWithinMs);
}
