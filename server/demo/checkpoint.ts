import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Energy } from './meter.ts';
import type { Checkpoint, DemoWorld } from './world.ts';

/** Adds up the energy of every meter to the start of `day`, one day of one meter a turn of the event loop. */
export async function addUp(world: DemoWorld, day: number, signal: AbortSignal): Promise<Checkpoint> {
  // Day by day, because the meters of a site share its minutes.
  for (let at = world.knownDay; at < day; at += 1) {
    for (const meter of world.meters) {
      meter.energyAt(at);
      await nextTurn(undefined, { signal });
    }
  }
  return { day, energies: new Map(world.meters.map((meter) => [meter.externalId, meter.energyAt(day)])) };
}

export const writeCheckpoint = ({ day, energies }: Checkpoint): object => ({
  day,
  energies: Object.fromEntries([...energies].map(([key, { imported, exported }]) => [key, [imported, exported]])),
});

/** Undefined where `stored` is not what `writeCheckpoint` wrote; then the energy is added up again from the first day. */
export function readCheckpoint(stored: unknown): Checkpoint | undefined {
  if (!isRecord(stored) || typeof stored['day'] !== 'number' || !isRecord(stored['energies'])) return undefined;
  const energies = new Map<string, Energy>();
  for (const [key, pair] of Object.entries(stored['energies'])) {
    if (!Array.isArray(pair)) return undefined;
    const [imported, exported]: unknown[] = pair;
    if (typeof imported !== 'number' || typeof exported !== 'number') return undefined;
    energies.set(key, { imported, exported });
  }
  return { day: stored['day'], energies };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
