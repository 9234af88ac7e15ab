import type { ExportFormat } from '../../../../shared/reports.ts';

/** Bytes that a row takes in a file of each format, before any export has told: measured on 250,000 rows of the demo data. */
const usualRowBytes: Record<ExportFormat, number> = { xlsx: 82, csv: 102, ndjson: 280 };

/** Smaller files are mostly head and foot, and tell nothing of a row. */
const tellingRows = 1000;

/** From here on the share only approaches 1, because a file may turn out larger than was expected. */
const straightShare = 0.9;

/** Where the sizes of finished exports are kept: the storage of the browser's session. */
export type SizeStore = Pick<Storage, 'getItem' | 'setItem'>;

const keyOf = (format: ExportFormat) => `export-row-bytes-${format}`;

/** How large a file of so many rows will be, by the last one of its format in this session of the browser; bytes. */
export function expectedBytes(format: ExportFormat, rowCount: number, store: SizeStore): number {
  const known = Number(store.getItem(keyOf(format)));
  return rowCount * (known > 0 && Number.isFinite(known) ? known : usualRowBytes[format]);
}

/** Remembers what a finished export says about the size of its rows. */
export function rememberSize(format: ExportFormat, rowCount: number, bytes: number, store: SizeStore): void {
  if (rowCount >= tellingRows) store.setItem(keyOf(format), String(bytes / rowCount));
}

/** About which share of a file is there, from 0 to below 1, when so many bytes have come of so many expected ones. */
export function shareOf(receivedBytes: number, expected: number): number {
  const share = expected > 0 ? receivedBytes / expected : 0;
  if (share <= straightShare) return share;
  const rest = 1 - straightShare;
  return Math.min(0.99, 1 - rest * Math.exp((straightShare - share) / rest));
}

/** The last quarter that is reached, in percent: what is read out, so that it is not read out all the time. */
export const milestoneOf = (share: number): number => Math.floor(share * 4) * 25;
