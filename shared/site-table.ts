import { z } from 'zod';
import { messageShape } from './messages.ts';
import { externalIdCell, name } from './primitives.ts';
import { deviceWrite } from './sites.ts';

/** Rows of one table. */
export const maxTableRows = 1_000;
/** A row takes a few milliseconds. */
export const maxTableBytes = 1024 * 1024;

/** A row of a table: a device of a site, or a site alone. The fields of a device have the same rules as in its form. */
export const siteTableRow = z.object({
  site: name(200).meta({ description: 'By name. A new one is created.' }),
  municipality: name(200).nullable().default(null).meta({ description: 'By name. Required for a new site.' }),
  name: deviceWrite.shape.name
    .nullable()
    .default(null)
    .meta({ description: 'Name of the device; null for a site only.' }),
  externalId: externalIdCell.nullable().default(null),
  isActive: deviceWrite.shape.isActive,
  energySource: deviceWrite.shape.energySource,
  ratedPowerKw: deviceWrite.shape.ratedPowerKw,
  registerMaxKwh: deviceWrite.shape.registerMaxKwh,
  expectedIntervalSeconds: deviceWrite.shape.expectedIntervalSeconds,
  parentExternalId: externalIdCell.nullable().default(null).meta({
    description: 'External id of its main meter, stored or in the table, at the same site.',
  }),
  endUse: deviceWrite.shape.endUse,
});
export type SiteTableRow = z.infer<typeof siteTableRow>;

export const siteTable = z.object({
  rows: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .max(maxTableRows)
    .meta({ description: `1 to ${maxTableRows} rows with ${Object.keys(siteTableRow.shape).join(', ')}` }),
});

export const tableCounts = z.object({ sites: z.int(), devices: z.int() });
/** The result of creating a table, or its problems. */
export const tableCheck = tableCounts.extend({
  problems: z.array(z.object({ row: z.int(), field: z.string(), message: z.string(), refusal: messageShape })),
});
export type TableCheck = z.infer<typeof tableCheck>;
