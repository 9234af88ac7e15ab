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
 * What LibreOffice makes of a file: values, the texts that it shows in American English, formulas computed again. Throws when it
 * cannot open the file.
 */
// Its flat format has every sheet in one file, with values beside the texts that are shown.
export const readWithLibreOffice = async (bytes: Uint8Array): Promise<LibreOfficeSheet[]> =>
  readFlatSheets(await convert(bytes, 'fods'));

/** A page that LibreOffice prints, in points. */
export interface PrintedPage {
  width: number;
  height: number;
}

/** The pages that it prints of all sheets of a file. */
export async function printWithLibreOffice(bytes: Uint8Array): Promise<PrintedPage[]> {
  const pdf = (await convert(bytes, 'pdf')).toString('latin1');
  const pages = pdf.matchAll(/\/Type\s*\/Page\b.*?\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/gs);
  return [...pages].map(([, width, height]) => ({ width: Number(width), height: Number(height) }));
}

/** Starts with a profile of its own, so that a LibreOffice that is open does not matter. */
async function convert(bytes: Uint8Array, format: 'fods' | 'pdf'): Promise<Buffer> {
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
    const said = await runProgram(program, [...options, '--convert-to', format, '--outdir', folder, path], timeoutMs);
    return await readFile(join(folder, `book.${format}`)).catch((error: unknown) => {
      throw new Error(`LibreOffice cannot open the file. ${said.trim()}`, { cause: error });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
