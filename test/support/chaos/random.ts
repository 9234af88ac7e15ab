import { createNoise } from '../../../server/demo/place.ts';

/** Random values that are the same for the same seed and label. */
export interface Random {
  /** From `low` up to, but not including, `high`. */
  whole: (low: number, high: number) => number;
  chance: (share: number) => boolean;
  /** Throws if there is none. */
  one: <T>(of: readonly T[]) => T;
  shuffled: <T>(list: readonly T[]) => T[];
}

export function createRandom(seed: number, label: string): Random {
  const noise = createNoise(seed, label);
  let drawn = 0;
  const next = () => noise.uniform((drawn += 1));
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low));
  return {
    whole,
    chance: (share) => next() < share,
    one(of) {
      const chosen = of[whole(0, of.length)];
      if (chosen === undefined) throw new Error('There is nothing to choose from.');
      return chosen;
    },
    shuffled: (list) =>
      list
        .map((item) => ({ item, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ item }) => item),
  };
}
