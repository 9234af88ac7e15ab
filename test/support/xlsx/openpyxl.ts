import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { firstThatRuns, runProgram } from './run-program.ts';
import { toMillisecond } from './serial-time.ts';
import { onlyIf } from '../only-if.ts';

const cell = z
  .strictObject({
    /** Text, number or boolean; a time as `2024-03-31T02:30:00`; of a formula the formula itself with its `=`. */
    value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
    /** `s` text, `n` number or nothing, `b` boolean, `d` time, `f` formula. */
    dataType: z.string(),
    numberFormat: z.string(),
    isBold: z.boolean(),
  })
  // A duration or a time of day has no date to be rounded with.
  .transform((dumped) =>
    typeof dumped.value === 'string' && dumped.dataType === 'd' && dumped.value.includes('T')
      ? { ...dumped, value: toMillisecond(dumped.value) }
      : dumped,
  );
const sheets = z.array(
  z.strictObject({
    name: z.string(),
    /** The first cell that scrolls, null when none is frozen. */
    freezePanes: z.string().nullable(),
    autoFilter: z.string().nullable(),
    /** The range of its cells. */
    dimensions: z.string(),
    /** The rows on each printed page, such as `$1:$1`. */
    printTitles: z.string().nullable(),
    orientation: z.string().nullable(),
    /** Whether it is fitted to pages, and their number in width and height; 0 is any number. */
    fit: z.tuple([z.boolean(), z.number().nullable(), z.number().nullable()]),
    columnWidths: z.record(z.string(), z.number()),
    rows: z.array(z.array(cell)),
  }),
);
export type OpenpyxlSheet = z.infer<typeof sheets>[number];

const script = join(import.meta.dirname, 'openpyxl-dump.py');
const timeoutMs = 300_000;

/** A Python that has openpyxl. When there is none, that is said on the standard error, once. */
export const python = await findPython();
/** Options of a test that needs it. */
export const withOpenpyxl = onlyIf(python !== undefined, 'there is no Python with openpyxl on this machine');

async function findPython(): Promise<string | undefined> {
  // Packages of the system belong to the system's Python, which need not be the one on the path.
  const candidates = ['python3', '/usr/bin/python3'];
  const found = await firstThatRuns(candidates, ['-c', 'import openpyxl']);
  if (found === undefined)
    process.stderr.write(
      `SKIPPED: reading exports with openpyxl, because neither of ${candidates.join(', ')} has it.\n`,
    );
  return found?.file;
}

/** What openpyxl makes of a file. Throws with its complaint; a warning counts as one. */
export async function readWithOpenpyxl(bytes: Uint8Array): Promise<OpenpyxlSheet[]> {
  if (python === undefined) throw new Error('There is no openpyxl on this machine.');
  const folder = await mkdtemp(join(tmpdir(), 'portal-openpyxl-'));
  try {
    const path = join(folder, 'book.xlsx');
    await writeFile(path, bytes);
    return sheets.parse(JSON.parse(await runProgram(python, [script, path], timeoutMs)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
