import { describe, expect, it } from 'vitest';
import { findUnmerged } from './migrator.ts';

const migration = (stream: string, name: string) => ({ stream, name, checksum: '', statements: [] });
const ours = [migration('common', '0001_create_portal'), migration('client', '0001_create_monitoring')];

describe('a database from before the migrations were merged', () => {
  it.each([
    ['has a stream without its first migration', [migration('common', '0001_create_accounts')], '0001_create_accounts'],
    ['is told by any of its streams', [ours[0], migration('client', '0004_create_tariffs')], '0004_create_tariffs'],
  ])('%s', (_, applied, name) => {
    expect(
      findUnmerged(
        ours,
        applied.filter((one) => one !== undefined),
      )?.name,
    ).toBe(name);
  });

  it.each([
    ['an empty one', []],
    ['one in the middle of its first start', [ours[0]]],
    ['one of a newer version', [...ours, migration('client', '0002_add_alarms')]],
    ['one with a stream of the other run mode', [ours[0], migration('admin', '0001_create_fleet')]],
  ])('is not %s', (_, applied) => {
    expect(
      findUnmerged(
        ours,
        applied.filter((one) => one !== undefined),
      ),
    ).toBeUndefined();
  });

  it('is not one that only lacks later migrations', () => {
    expect(findUnmerged([...ours, migration('client', '0002_add_alarms')], ours)).toBeUndefined();
  });
});
