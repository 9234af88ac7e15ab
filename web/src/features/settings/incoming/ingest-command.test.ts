import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlCommand, shellQuoted } from './ingest-command.ts';

const row = { externalId: 'meter-1', time: '2026-07-01T12:00:00Z', activePowerKw: 12.5 };

/** The arguments that a shell passes to a program called like this. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', command.replace(/^curl/, `printf '%s\\0'`)], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('the command for a gateway', () => {
  it('posts one row with the key to this portal', () => {
    expect(argumentsOf(curlCommand('https://portal.example.com', 'pmk_abc-_1', row))).toEqual([
      '-X',
      'POST',
      'https://portal.example.com/api/ingest/measurements',
      '-H',
      'Authorization: Bearer pmk_abc-_1',
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify([row]),
    ]);
  });

  it.each(["it's", '$(touch x) `id` "quoted" \\ back', '; rm -rf .', 'Zähler ☀'])(
    'passes an external ID like %s to the portal unchanged, and runs nothing in it',
    (externalId) => {
      const sent = argumentsOf(curlCommand('https://portal.example.com', 'pmk_a', { ...row, externalId })).at(-1);
      expect(JSON.parse(sent ?? '')).toEqual([{ ...row, externalId }]);
    },
  );

  it('loses no quote', () => {
    expect(shellQuoted("'")).toBe(`''\\'''`);
  });
});
