import { z } from 'zod';
import { storedFileName } from './stored-files.ts';
import { damaged } from './tar.ts';

/** Incremented when older versions can no longer read the format. */
export const backupFormat = 1;
export const manifestName = 'manifest.json';
export const manifestDigestName = 'manifest.json.sha256';
export const partName = /^tables\/([^/]+)\/\d{6}\.copy\.gz$/;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const manifestSchema = z.object({
  format: z.literal(backupFormat),
  /** Version of the portal that took the backup. */
  version: z.string(),
  runMode: z.enum(['Client', 'Admin']),
  /** When the snapshot was taken. */
  takenAt: z.string(),
  postgresql: z.string(),
  engine: z.string(),
  migrations: z.array(z.object({ stream: z.string(), name: z.string(), checksum: sha256 })),
  /** In the order in which they can be loaded; the digest covers the uncompressed COPY text of all parts. */
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()).min(1), rows: count, bytes: count, sha256: sha256 }),
  ),
  /** The UTC months that have measurements, such as `2026-03`. */
  months: z.array(z.string().regex(/^\d{4}-\d{2}$/)),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })),
  files: z.array(z.object({ name: z.string().regex(storedFileName), bytes: count, sha256: sha256 })),
});

/** The manifest of a backup, its last file but one. */
export type BackupManifest = z.infer<typeof manifestSchema>;
export type BackedUpTable = BackupManifest['tables'][number];

export function parseManifest(bytes: Buffer): BackupManifest {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw damaged('its manifest is no JSON');
  }
  const result = manifestSchema.safeParse(value);
  if (result.success) return result.data;
  const format = new Map(Object.entries(Object(value))).get('format');
  if (typeof format === 'number' && format > backupFormat) {
    throw damaged(`it was made by a newer version of the portal (format ${format}, known is ${backupFormat})`);
  }
  const [issue] = result.error.issues;
  throw damaged(`its manifest is wrong at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
