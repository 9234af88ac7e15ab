import type { Branding } from '../../shared/app.ts';
import type { Queryable, Statement, Transaction } from '../database/pool.ts';
import { execute, findRow, valuesOf } from '../database/rows.ts';

/** The stored branding; null means the WhiteLabel setting. */
export type StoredBranding = { [Field in keyof Branding]: Branding[Field] | null };

export const brandingFields = [
  'applicationName',
  'logoUrl',
  'primaryColor',
  'secondaryColor',
  'accentColor',
  'footerText',
] as const satisfies readonly (keyof Branding)[];

const columns = `application_name AS "applicationName", logo_url AS "logoUrl", primary_color AS "primaryColor",
                 secondary_color AS "secondaryColor", accent_color AS "accentColor", footer_text AS "footerText"`;

const FIND: Statement = { name: 'branding.find', text: `SELECT ${columns} FROM portal.branding` };
// The lock is held while a logo is uploaded or removed. So no file is deleted that a concurrent change is about to use.
const LOCK = `SELECT ${columns} FROM portal.branding FOR UPDATE`;
const SEED = `INSERT INTO portal.branding
    (application_name, logo_url, primary_color, secondary_color, accent_color, footer_text)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`;
const UPDATE = `UPDATE portal.branding SET application_name = $1, logo_url = $2, primary_color = $3, secondary_color = $4,
  accent_color = $5, footer_text = $6`;

export const findBranding = (database: Queryable) => findRow<StoredBranding>(database, FIND);

/** The branding, locked until the transaction ends. Throws if it has not been seeded. */
export async function lockBranding(transaction: Transaction): Promise<StoredBranding> {
  const found = await findRow<StoredBranding>(transaction, LOCK);
  if (found === null) throw new Error('portal.branding has no row; the portal seeds it at start.');
  return found;
}

export const insertBrandingUnlessThere = (database: Queryable, branding: StoredBranding) =>
  execute(database, SEED, ...valuesOf(branding, brandingFields));

export const updateBranding = (transaction: Transaction, branding: StoredBranding) =>
  execute(transaction, UPDATE, ...valuesOf(branding, brandingFields));
