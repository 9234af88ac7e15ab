import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LibreOfficeSheet, readFlatSheets } from './open-document.ts';
import { firstThatRuns, runProgram } from './run-program.ts';
import { onlyIf } from '../only-if.ts';

const timeoutMs = 300_000;
/** Dates and numbers as text depend on the language; formulas are to be computed here, not taken from the file. */
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>en-US</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
`;

/** The program of LibreOffice. When there is none, that is said on the standard error, once. */
const program = await findProgram();
/** Options of a test that needs it. */
export const withLibreOffice = onlyIf(program !== undefined, 'there is no LibreOffice on this machine');

async function findProgram(): Promise<string | undefined> {
  const candidates = ['soffice', 'libreoffice', '/Applications/LibreOffice.app/Contents/MacOS/soffice'];
  const found = await firstThatRuns(candidates, ['--version']);
  if (found === undefined)
    process.stderr.write(`SKIPPED: opening exports with LibreOffice, because none of ${candidates.join(', ')} runs.\n`);
  return found?.file;
}

/**
 * What LibreOffice makes of a file: values, the texts that it shows in American English, formulas computed again. It starts
 * with a profile of its own, so that a LibreOffice that is open does not matter. Throws when it cannot open the file.
 */
export async function readWithLibreOffice(bytes: Uint8Array): Promise<LibreOfficeSheet[]> {
  if (program === undefined) throw new Error('There is no LibreOffice on this machine.');
  const folder = await mkdtemp(join(tmpdir(), 'portal-libreoffice-'));
  try {
    const profile = join(folder, 'profile');
    await mkdir(join(profile, 'user'), { recursive: true });
    await writeFile(join(profile, 'user', 'registrymodifications.xcu'), settings);
    const path = join(folder, 'book.xlsx');
    await writeFile(path, bytes);
    const options = [
      `-env:UserInstallation=${pathToFileURL(profile).href}`,
      '--headless',
      '--norestore',
      // Otherwise it guesses, and takes a damaged file for a text.
      '--infilter=Calc MS Excel 2007 XML',
    ];
    // Its flat format has every sheet in one file, with values beside the texts that are shown.
    const said = await runProgram(program, [...options, '--convert-to', 'fods', '--outdir', folder, path], timeoutMs);
    const converted = await readFile(join(folder, 'book.fods')).catch((error: unknown) => {
      throw new Error(`LibreOffice cannot open the file. ${said.trim()}`, { cause: error });
    });
    return readFlatSheets(converted);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
