import { z } from 'zod';

/** Rows of a raw export: used when between 1 and the maximum, otherwise the default (measurement rule 5). */
export const rowCap = { default: 100_000, max: 250_000 } as const;

/** Rows of a load profile; a workbook cannot hold many more. */
export const maxProfileRows = 1_000_000;

/** Whose quarter-hours a load profile has: each device's, or the sum of each site, in which sub-meters count once. */
export const profileGroup = z.enum(['device', 'site']);
export type ProfileGroup = z.infer<typeof profileGroup>;

export const exportFormat = z.enum(['xlsx', 'csv', 'ndjson']);
export type ExportFormat = z.infer<typeof exportFormat>;

/** Headers of a raw export that say, before the first row, how many the file will have, and how many match. */
export const exportHeaders = { rowCount: 'x-export-row-count', totalCount: 'x-export-total-count' } as const;
