import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const vectors = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      what: z.string(),
      devices: z.array(
        z.object({ id: z.string(), partOf: z.string().nullable(), importedKwh: z.number(), exportedKwh: z.number() }),
      ),
      asked: z.array(z.string()),
      countedIn: z.record(z.string(), z.string().nullable()),
      importedKwh: z.number(),
      exportedKwh: z.number(),
      balances: z.record(z.string(), z.object({ notSubMeteredKwh: z.number(), isExceeded: z.boolean() })),
    }),
  ),
});

/** Trees of meters, and the energy that counts in them (docs/energy.md, "Main meters and sub-meters"). */
export const meterTrees = vectors.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/meter-trees.json'), 'utf8')),
).cases;
