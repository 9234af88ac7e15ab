import type { ExportFormat } from '../../../../shared/reports.ts';

/** Bytes per row of each format, used before the first export. Measured with 250,000 rows of the demo data. */
const usualRowBytes: Record<ExportFormat, number> = { xlsx: 82, csv: 102, ndjson: 280 };

/** Files with fewer rows are mostly header and footer, so their size per row means nothing. */
const tellingRows = 1000;

/** From this share on, the progress only approaches 1, because a file may become larger than expected. */
const straightShare = 0.9;

/** Where the sizes of finished exports are stored: the session storage of the browser. */
export type SizeStore = Pick<Storage, 'getItem' | 'setItem'>;

const keyOf = (format: ExportFormat) => `export-row-bytes-${format}`;

/**
 * The expected size of a file with this many rows, from the last export of its format in this browser session; bytes.
 */
export function expectedBytes(format: ExportFormat, rowCount: number, store: SizeStore): number {
  const known = Number(store.getItem(keyOf(format)));
  return rowCount * (known > 0 && Number.isFinite(known) ? known : usualRowBytes[format]);
}

/** Remembers the row size of a finished export. */
export function rememberSize(format: ExportFormat, rowCount: number, bytes: number, store: SizeStore): void {
  if (rowCount >= tellingRows) store.setItem(keyOf(format), String(bytes / rowCount));
}

/** The downloaded share of a file, from 0 to below 1, for the received and the expected bytes. */
export function shareOf(receivedBytes: number, expected: number): number {
  const share = expected > 0 ? receivedBytes / expected : 0;
  if (share <= straightShare) return share;
  const rest = 1 - straightShare;
  return Math.min(0.99, 1 - rest * Math.exp((straightShare - share) / rest));
}

/** The last completed quarter, in percent. Screen readers announce only these, so that they do not speak all the time. */
export const milestoneOf = (share: number): number => Math.floor(share * 4) * 25;
