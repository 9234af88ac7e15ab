import { vi } from 'vitest';
import { Lease } from '../../server/database/connections.ts';

/** The statements that are sent to the database from now on, in order, until `vi.restoreAllMocks`. */
export function watchStatements(): string[] {
  const texts: string[] = [];
  const original = Lease.prototype.send;
  vi.spyOn(Lease.prototype, 'send').mockImplementation(function (this: Lease, steps, options) {
    texts.push(...steps.map(({ text }) => text));
    return original.call(this, steps, options);
  });
  return texts;
}
