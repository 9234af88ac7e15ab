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
  it('lists pages and actions before anything is typed, but no device', () => {
    expect(found(commands, ' ')).toEqual([
      ['page', ['Sites'], 0],
      ['action', ['New site'], 0],
    ]);
  });

  it('finds commands with each word in their name or hint, ignoring case and accents', () => {
    expect(found(commands, 'SUD res')).toEqual([['device', ['Reserve (Café Süd)'], 0]]);
    expect(found(commands, 'sud main')).toEqual([]);
  });

  it('sorts commands that begin with the search first, then those with a word that does, and their kind with them', () => {
    expect(found(commands, 'river')).toEqual([
      ['site', ['Riverside'], 0],
      ['device', ['Reserve (Riverside)', 'Main (Riverside)'], 0],
    ]);
    expect(found(commands, 'site').map(([kind]) => kind)).toEqual(['page', 'action']);
  });

  it('shows twenty of a kind and the number of further ones', () => {
    const many = Array.from({ length: 2000 }, (_, index) => command('device', `Meter ${index}`));
    expect(findCommands(searchable(many), 'meter').map(({ commands: own, more }) => [own.length, more])).toEqual([
      [20, 1980],
    ]);
    expect(found(many, 'meter 1999')).toEqual([['device', ['Meter 1999'], 0]]);
  });

  it('trusts the portal, which also compares groups, and counts what it has not sent', () => {
    const sent = searchable([command('customer', 'Acme', 'acme')], true);
    expect(findCommands(sent, 'north', { customer: 79 })).toMatchObject([{ commands: [{ label: 'Acme' }], more: 79 }]);
    expect(findCommands(sent, '')).toEqual([]);
  });
});
