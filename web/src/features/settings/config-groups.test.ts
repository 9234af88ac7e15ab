import { describe, expect, it } from 'vitest';
import type { ConfigEntry } from '../../../../shared/app.ts';
import { groupConfig, shortName } from './config-groups.ts';

const entry = (name: string, value: string | null = null): ConfigEntry => ({
  name,
  value,
  source: 'default',
  isSet: value !== null,
  isSecret: false,
});
const entries = [
  entry('Application__RunMode', 'Client'),
  entry('Database__ConnectionString', 'postgres://localhost/portal'),
  entry('Application__TimeZone', 'UTC'),
  entry('Metrics__Token'),
];
const names = (search: string) =>
  groupConfig(entries, search).flatMap(({ entries: found }) => found.map(({ name }) => name));

describe('the configuration overview', () => {
  it('groups the settings by section and keeps their order', () => {
    expect(groupConfig(entries, '').map(({ section, entries: found }) => [section, found.length])).toEqual([
      ['Application', 2],
      ['Database', 1],
      ['Metrics', 1],
    ]);
    expect(names('')).toEqual([
      'Application__RunMode',
      'Application__TimeZone',
      'Database__ConnectionString',
      'Metrics__Token',
    ]);
  });

  it.each([
    ['timezone', ['Application__TimeZone']],
    ['POSTGRES', ['Database__ConnectionString']],
    ['application utc', ['Application__TimeZone']],
    ['  ', entries.map(({ name }) => name).toSorted()],
    ['nothing like it', []],
  ])('a search for %j matches names and values', (search, expected) => {
    expect(names(search).toSorted()).toEqual(expected);
  });

  it('shows a setting without its section', () => {
    expect(shortName('Database__ConnectionString')).toBe('ConnectionString');
  });
});
