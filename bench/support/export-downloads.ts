import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type ExportFormat, exportHeaders } from '../../shared/reports.ts';
import { type Download, download } from './downloads.ts';
import { latencyOf } from './measuring.ts';
import type { BenchPortal } from './portal.ts';
import { cpuSeconds, cpuSecondsOfStrangers, forgetPeak, peakMiB } from './processes.ts';
import { count, head, judged, line, milliseconds, times } from './report.ts';
import { startSteadyLoad } from './steady-load.ts';

const marks = { firstByteMs: 300, moreMiB: 60, othersP99Ms: 50 };
const atOnce = 4;
const rounds = 3;
const warmUpSeconds = 3;
const quietSeconds = 15;
const othersPerSecond = 20;
const bitsPerByte = 8;
const slowMegabits = 16;

/** The content of the file, and the concurrent queries of the same range. */
export interface Asked {
  from: string;
  to: string;
  rowCap: number;
}

interface Taken {
  downloads: Download[];
  cpu: number;
  moreMiB: number;
}

export const exportPath = ({ from, to, rowCap }: Asked, format: ExportFormat) =>
  `/api/measurements/raw/export.${format}?from=${from}&to=${to}&rowCap=${rowCap}`;

/**
 * Downloads exports alone and four at once, and prints the memory and CPU of the portal and the duration of other
 * requests.
 */
export async function measureDownloads(
  portal: BenchPortal,
  { floorSeconds, ...asked }: Asked & { floorSeconds: number },
): Promise<void> {
  // Filling has left the portal with more memory than one that is only read.
  await portal.restart();
  const others = othersBeside(portal, asked);
  await others.during('', () => sleep(warmUpSeconds * 1000));
  others.forget();
  await others.during('nothing else', () => sleep(quietSeconds * 1000));
  const idleMiB = portal.residentMemory();

  const measure = async (work: () => Promise<Download[]>): Promise<Taken> => {
    forgetPeak(portal.pid());
    const before = cpuSeconds(portal.pid());
    const downloads = await work();
    const cpu = cpuSeconds(portal.pid()) - before;
    return { downloads, cpu, moreMiB: peakMiB(portal.pid()) - idleMiB };
  };
  const one = (format: ExportFormat) => measure(async () => [await take(portal, asked, format)]);
  const several = (bytesPerSecond?: number) =>
    measure(() => Promise.all(Array.from({ length: atOnce }, () => take(portal, asked, 'xlsx', bytesPerSecond))));

  head('downloads | CPU s of the portal: | x the floor: | s: | first byte ms: | MB: | more memory MiB: | mark | holds');
  const report = (what: string, { downloads, cpu, moreMiB }: Taken, isMarked: boolean) => {
    const seconds = Math.max(...downloads.map((taken) => taken.seconds));
    const firstByteMs = Math.max(...downloads.map((taken) => taken.firstByteMs));
    const megabytes = (downloads[0]?.file.length ?? 0) / 1e6;
    const mark = `first byte < ${marks.firstByteMs} ms, < ${marks.moreMiB} MiB`;
    line(
      what,
      cpu.toFixed(2),
      times(cpu / downloads.length / floorSeconds),
      seconds.toFixed(1),
      count(firstByteMs),
      megabytes.toFixed(1),
      count(moreMiB),
      ...(isMarked ? judged(mark, firstByteMs < marks.firstByteMs && moreMiB < marks.moreMiB) : ['', '']),
    );
  };
  report('workbook, the first since the start', await one('xlsx'), true);
  report('workbook', await one('xlsx'), true);
  report('CSV, gzip', await one('csv'), false);
  report('NDJSON, gzip', await one('ndjson'), false);
  for (let round = 1; round <= rounds; round += 1) {
    const what = `${atOnce} workbooks at once`;
    report(`${what} beside other requests, round ${round}`, await others.during(what, several), true);
  }
  const what = `${atOnce} workbooks over lines of ${slowMegabits} Mbit/s`;
  const slow = await others.during(what, () => several((slowMegabits * 1e6) / bitsPerByte));
  report(`${what} beside other requests`, slow, true);
  console.log('');
  console.log(
    `"x the floor" is for each of several, with what the portal took for the other requests; the time and the first byte are those of the slowest. Before them the portal had ${count(idleMiB)} MiB.`,
  );
  console.log('');
  others.report();
}

/** Other requests at a steady rate while something else runs. */
function othersBeside(portal: BenchPortal, { from, to }: Asked) {
  const requests = new Map([
    ['page of 200 readings', `/api/measurements/raw?from=${from}&to=${to}&limit=200&offset=100000`],
    ['dashboard summary', `/api/dashboard/summary?from=${from}&to=${to}`],
  ]);
  const work = new Map([...requests].map(([name, path]) => [name, () => portal.sendSignedIn('GET', path)]));
  const all = new Map<string, { taken: number[]; seconds: number; strangers: number }>();
  return {
    async during<T>(what: string, meanwhile: () => Promise<T>): Promise<T> {
      const [started, before] = [performance.now(), cpuSecondsOfStrangers()];
      const load = startSteadyLoad(work, othersPerSecond);
      const result = await meanwhile();
      const answered = await load.stop();
      const [seconds, strangers] = [(performance.now() - started) / 1000, cpuSecondsOfStrangers() - before];
      for (const [name, taken] of answered) {
        const key = `${name}, ${what}`;
        const known = all.get(key) ?? { taken: [], seconds: 0, strangers: 0 };
        all.set(key, {
          taken: [...known.taken, ...taken],
          seconds: known.seconds + seconds,
          strangers: known.strangers + strangers,
        });
      }
      return result;
    },
    forget: () => all.clear(),
    report() {
      head(
        `other requests, ${othersPerSecond} a second, beside | requests: | p50 ms: | p99 ms: | worst ms: | processors taken by strangers: | mark | holds`,
      );
      for (const [what, { taken, seconds, strangers }] of all) {
        const { median, p99, worst } = latencyOf(taken);
        const verdict = judged(`p99 < ${marks.othersP99Ms} ms`, p99 < marks.othersP99Ms);
        const shown = [median, p99, worst].map(milliseconds);
        line(what, taken.length, ...shown, (strangers / seconds).toFixed(1), ...verdict);
      }
    },
  };
}

/** Downloads one export and checks that it is complete. */
async function take(
  portal: BenchPortal,
  asked: Asked,
  format: ExportFormat,
  bytesPerSecond = Infinity,
): Promise<Download> {
  const headers = format === 'xlsx' ? undefined : { 'accept-encoding': 'gzip' };
  const taken = await download(portal, exportPath(asked, format), { bytesPerSecond, ...(headers && { headers }) });
  const rows = Number(taken.headers[exportHeaders.rowCount]);
  if (rows !== asked.rowCap || !isWhole(taken.file, format, rows)) {
    throw new Error(`The ${format} export of ${rows} rows is not the whole file of ${asked.rowCap} rows.`);
  }
  return taken;
}

const endOfZip = 0x06_05_4b_50;
const endOfZipBytes = 22;
const lineFeed = 10;

function isWhole(file: Buffer, format: ExportFormat, rows: number): boolean {
  if (format === 'xlsx') return file.readUInt32LE(file.length - endOfZipBytes) === endOfZip;
  let lines = 0;
  for (const byte of gunzipSync(file)) if (byte === lineFeed) lines += 1;
  return lines === (format === 'csv' ? rows + 1 : rows);
}
