import type { Branding } from '../../shared/app.ts';
import type { AuditAction } from '../../shared/audit.ts';
import type { Database, Queryable } from '../database/pool.ts';
import { type Precondition, refuse } from '../base/errors.ts';
import { makeChange } from '../accounts/audit.ts';
import type { Author } from '../base/scopes.ts';
import {
  brandingFields,
  findBranding,
  insertBrandingUnlessThere,
  lockBranding,
  type StoredBranding,
  updateBranding,
} from './branding.sql.ts';
import { rewriteLogo, type Uploads } from './uploads.ts';

export interface BrandingParts {
  database: Database;
  uploads: Uploads;
  /** The WhiteLabel settings. They are the initial branding, and replace fields that are blank. */
  whiteLabel: Branding;
}

const uploadsPath = '/uploads/';

/** Startup rule 5: stores the WhiteLabel settings once; later edits stay. Several portals may do this at once. */
export async function seedBranding({ database, whiteLabel }: Omit<BrandingParts, 'uploads'>): Promise<void> {
  await insertBrandingUnlessThere(database, withBlanksAsNull(whiteLabel));
}

/** The effective branding. */
export async function getBranding({
  database,
  whiteLabel,
}: {
  database: Queryable;
  whiteLabel: Branding;
}): Promise<Branding> {
  return effectiveBranding(await findBranding(database), whiteLabel);
}

/** The effective branding: missing fields fall back to the WhiteLabel settings. */
export function effectiveBranding(stored: StoredBranding | null, whiteLabel: Branding): Branding {
  const effective = { ...whiteLabel };
  for (const field of brandingFields) effective[field] = stored?.[field] ?? whiteLabel[field];
  return effective;
}

type Changes = { [Field in keyof StoredBranding]?: StoredBranding[Field] | undefined };

/**
 * Writes the given fields; null falls back to the WhiteLabel setting. Throws `invalid` on a new logo path that is not under
 * /uploads/, and what `checkVersion` throws.
 */
export async function changeBranding(
  parts: BrandingParts,
  by: Author,
  given: Changes,
  checkVersion: Precondition<Branding>,
): Promise<Branding> {
  return change(parts, by, 'branding.change', async (before) => {
    checkVersion(effectiveBranding(before, parts.whiteLabel));
    const values = { ...before };
    for (const field of brandingFields) if (given[field] !== undefined) values[field] = given[field];
    const { logoUrl } = values;
    const isKnown = logoUrl === parts.whiteLabel.logoUrl || logoUrl === before.logoUrl;
    if (logoUrl?.startsWith('/') && !logoUrl.startsWith(uploadsPath) && !isKnown) {
      throw refuse('logoPathElsewhere', { path: uploadsPath, got: logoUrl }, { field: 'logoUrl' });
    }
    return values;
  });
}

/** Takes the image of the file as the logo. Throws what `rewriteLogo` throws. */
export async function replaceLogo(parts: BrandingParts, by: Author, bytes: Uint8Array): Promise<Branding> {
  const logo = await rewriteLogo(bytes);
  return change(parts, by, 'branding.replace-logo', async (before) => {
    const name = await parts.uploads.keep(logo);
    return { ...before, logoUrl: `${uploadsPath}${name}` };
  });
}

export async function removeLogo(parts: BrandingParts, by: Author): Promise<void> {
  await change(parts, by, 'branding.remove-logo', async (before) => ({ ...before, logoUrl: null }));
}

/**
 * Replaces the branding, then deletes uploaded files that it no longer uses. Both happen under the row lock, so that no change
 * deletes a file that another change is about to use. `next` may run twice and may store a file.
 */
async function change(
  { database, uploads, whiteLabel }: BrandingParts,
  by: Author,
  action: AuditAction,
  next: (before: StoredBranding) => Promise<StoredBranding>,
): Promise<Branding> {
  const stored = await makeChange({ database, by }, async (tx, recordChange) => {
    const before = await lockBranding(tx);
    const after = withBlanksAsNull(await next(before));
    await updateBranding(tx, after);
    await recordChange(action, { id: null, before, after });
    return after;
  });
  await database.transaction(async (tx) => {
    const { logoUrl } = await lockBranding(tx);
    const inUse = [logoUrl, whiteLabel.logoUrl].filter((url) => url !== null);
    await uploads.deleteAllBut(inUse.map((url) => url.slice(uploadsPath.length)));
  });
  return effectiveBranding(stored, whiteLabel);
}

function withBlanksAsNull(values: StoredBranding): StoredBranding {
  const given = { ...values };
  for (const field of brandingFields) if (given[field]?.trim() === '') given[field] = null;
  return given;
}
