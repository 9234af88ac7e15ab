import { describe, expect, it } from 'vitest';
import { findCommands, searchable, type Command, type CommandKind } from './find-commands.ts';

const command = (kind: CommandKind, label: string, hint = ''): Command => ({
  id: `${kind}:${label}:${hint}`,
  kind,
  label,
  hint,
  run: () => {},
});
const found = (commands: readonly Command[], search: string) =>
  findCommands(searchable(commands), search).map(({ kind, commands: own, more }) => [
    kind,
    own.map(({ label, hint }) => (hint === '' ? label : `${label} (${hint})`)),
    more,
  ]);

const commands = [
  command('page', 'Sites'),
  command('action', 'New site'),
  command('site', 'Riverside'),
  command('device', 'Reserve', 'Riverside'),
  command('device', 'Reserve', 'Café Süd'),
  command('device', 'Main', 'Riverside'),
];

describe('what the command palette finds', () => {
  it('lists pages and actions before anything is typed, and no device', () => {
    expect(found(commands, ' ')).toEqual([
      ['page', ['Sites'], 0],
      ['action', ['New site'], 0],
    ]);
  });

  it('finds what has each word in its name or hint, without case and accents', () => {
    expect(found(commands, 'SUD res')).toEqual([['device', ['Reserve (Café Süd)'], 0]]);
    expect(found(commands, 'sud main')).toEqual([]);
  });

  it('puts first what begins with the search, then whose words begin with it, and its kind with it', () => {
    expect(found(commands, 'river')).toEqual([
      ['site', ['Riverside'], 0],
      ['device', ['Reserve (Riverside)', 'Main (Riverside)'], 0],
    ]);
    expect(found(commands, 'site').map(([kind]) => kind)).toEqual(['page', 'action']);
  });

  it('shows twenty of a kind and says how many more there are', () => {
    const many = Array.from({ length: 2000 }, (_, index) => command('device', `Meter ${index}`));
    expect(findCommands(searchable(many), 'meter').map(({ commands: own, more }) => [own.length, more])).toEqual([
      [20, 1980],
    ]);
    expect(found(many, 'meter 1999')).toEqual([['device', ['Meter 1999'], 0]]);
  });
});
