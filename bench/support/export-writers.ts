import { measureWay, type Measured, packageOf, type Way } from './export-ways.ts';
import { latencyOf } from './measuring.ts';
import { installPackages } from './packages.ts';
import { count, head, judged, line, times } from './report.ts';

const maxOfFloor = 1.5;

/** In turns, so that other work of the machine affects all alike; slow variants run only once. */
const turns: readonly (readonly Way[])[] = [
  ['rowsOnly', 'floorInBlocks', 'floorInStream', 'own', 'floorInOwnZip', 'floorInYazl'],
  ['floorInBlocks', 'floorInStream', 'own', 'floorInOwnZip', 'floorInYazl'],
  ['floorInBlocks', 'floorInStream', 'own', 'exceljs', 'exceljsWithoutFormats'],
];

const names: Record<Way, string> = {
  rowsOnly: 'rows to the plainest XML',
  floorInBlocks: 'the same, deflate of level 1 block by block',
  floorInStream: 'the same, deflate of level 1 as one stream',
  own: 'the writer of the portal, a whole workbook',
  floorInOwnZip: 'the plainest XML in the zip of the portal',
  floorInYazl: 'the plainest XML in the zip of yazl 3.3.1',
  exceljs: 'exceljs 4.4.0, streaming, with number formats',
  exceljsWithoutFormats: 'exceljs 4.4.0, streaming, without them',
};

/** Writes the rows of a file in all variants and prints their times. Returns the CPU seconds of the floor. */
export async function compareWriters(rowsFile: string, folder: string): Promise<number> {
  const packages = [...new Set(Object.values(packageOf))];
  const areInstalled = await installPackages(folder, packages);
  const runs = new Map<Way, Measured[]>();
  for (const way of turns.flat()) {
    if (packageOf[way] !== undefined && !areInstalled) continue;
    runs.set(way, [...(runs.get(way) ?? []), await measureWay(way, rowsFile, folder)]);
  }
  const secondsOf = (way: Way) => latencyOf((runs.get(way) ?? []).map((run) => run.cpuSeconds)).median;
  const floor = secondsOf('floorInStream') < secondsOf('floorInBlocks') ? 'floorInStream' : 'floorInBlocks';
  const floorSeconds = secondsOf(floor);

  head('writing, in a process of its own | CPU s: | x the floor: | file MB: | more memory MiB: | mark | holds');
  for (const [way, own] of runs) {
    const seconds = secondsOf(way);
    const megabytes = Math.max(...own.map((run) => run.bytes)) / 1e6;
    const moreMiB = Math.max(...own.map((run) => run.moreMiB));
    line(
      way === floor ? `${names[way]}: the floor` : names[way],
      seconds.toFixed(2),
      times(seconds / floorSeconds),
      megabytes.toFixed(1),
      count(moreMiB),
      ...(way === 'own' ? judged(`<= ${maxOfFloor} x`, seconds <= maxOfFloor * floorSeconds) : ['', '']),
    );
  }
  if (!areInstalled) console.log(`NOT MEASURED, because npm could not install them: ${packages.join(' and ')}.`);
  return floorSeconds;
}
