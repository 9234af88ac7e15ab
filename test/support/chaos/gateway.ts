import { expect } from 'vitest';
import { createNoise } from '../../../server/demo/place.ts';
import type { Random } from './random.ts';

interface Row {
  externalId: string;
  time: string;
  activePowerKw: number;
  powerFactor: number | null;
  energyImportedKwh: number | null;
}

/** Delivers to a Client, and records what the Client has accepted. */
export interface Gateway {
  /** Sends one body: new rows, late rows of any age, or rows sent before. */
  deliver: () => Promise<void>;
  /** Repeats what was not accepted, until it is. */
  settle: () => Promise<void>;
  /** The accepted instants (epoch milliseconds) for each external id. */
  accepted: () => ReadonlyMap<string, ReadonlySet<number>>;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Months far apart, in partitions and chunks of their own. */
const longAgo = ['2004-02-28T22:00:00Z', '2019-12-31T20:00:00Z', '2024-03-30T23:00:00Z'].map((text) =>
  Date.parse(text),
);
const longestBody = 400;
const keptBodies = 30;
const maxUnanswered = 10;

export function createGateway(parts: {
  /** The status of the answer; null without an answer. */
  post: (rows: readonly object[]) => Promise<{ status: number; body: unknown } | null>;
  /** External ids of existing devices, and whether one is or was deleted. */
  listDevices: () => readonly string[];
  isGone: (externalId: string) => boolean;
  seed: number;
  random: Random;
}): Gateway {
  const { post, listDevices, isGone, seed, random } = parts;
  const accepted = new Map<string, Set<number>>();
  const unanswered: Row[][] = [];
  const answered: Row[][] = [];

  /** The value depends only on device and instant, so whichever arrives first is right. */
  const rowOf = (externalId: string, timeMs: number): Row => {
    const noise = createNoise(seed, `${externalId} ${timeMs}`);
    return {
      externalId,
      time: new Date(timeMs).toISOString(),
      activePowerKw: Math.round(noise.uniform(0) * 5e7) / 1e6,
      powerFactor: noise.uniform(1) < 0.3 ? null : Math.round(noise.uniform(2) * 1e6) / 1e6,
      energyImportedKwh: noise.uniform(3) < 0.3 ? null : Math.round(noise.uniform(4) * 1e9) / 1e6,
    };
  };
  const draw = (): Row[] => {
    const devices = listDevices();
    const count = random.chance(0.5) ? random.whole(1, 10) : random.whole(10, longestBody);
    const base = random.chance(0.5)
      ? Date.now() - random.whole(0, 10) * minuteMs
      : random.chance(0.8)
        ? Date.now() - random.whole(1, 60 * 24) * 60 * minuteMs
        : random.one(longAgo) + random.whole(0, dayMs);
    return Array.from({ length: count }, () => rowOf(random.one(devices), base + random.whole(0, 2 * 3600) * 1000 + 1));
  };

  const send = async (rows: Row[]): Promise<boolean> => {
    const answer = await post(rows);
    if (answer?.status !== 200) return false;
    expect(answer.body).toMatchObject({ accepted: expect.any(Number) });
    const present = rows.filter(({ externalId }) => !isGone(externalId));
    const { rejected, errors } = Object.assign({ rejected: 0, errors: [] }, answer.body);
    if (present.length === rows.length) expect(rejected, JSON.stringify(errors)).toBe(0);
    for (const { externalId, time } of present) {
      accepted.getOrInsertComputed(externalId, () => new Set()).add(Date.parse(time));
    }
    answered.push(rows);
    if (answered.length > keptBodies) answered.shift();
    return true;
  };

  return {
    async deliver() {
      const isAgain = unanswered.length > random.whole(0, maxUnanswered);
      const rows = isAgain
        ? (unanswered.shift() ?? [])
        : answered.length > 0 && random.chance(0.1)
          ? random.one(answered)
          : draw();
      if (!(await send(rows))) unanswered.push(rows);
    },
    async settle() {
      for (let rows = unanswered.shift(); rows !== undefined; rows = unanswered.shift()) {
        if (!(await send(rows))) unanswered.push(rows);
      }
    },
    accepted: () => accepted,
  };
}
