/**
 * Randomness by place instead of by sequence: the same label and index always give the same value, so any instant can be
 * asked alone, in any order, in any process.
 */
export interface Noise {
  /** Uniform in [0, 1) for an integer index. */
  uniform(index: number): number;
  /** Between -1 and 1, continuous in `position`, with a new direction about once per unit. */
  smooth(position: number): number;
}

export function createNoise(seed: number, label: string): Noise {
  let key = mix(seed | 0);
  for (const character of label) key = mix(key ^ (character.codePointAt(0) ?? 0));
  const uniform = (index: number) => (mix(key ^ mix(index | 0)) >>> 0) / 2 ** 32;
  return {
    uniform,
    smooth(position) {
      const cell = Math.floor(position);
      const within = position - cell;
      const weight = within * within * (3 - 2 * within);
      return 2 * (uniform(cell) * (1 - weight) + uniform(cell + 1) * weight) - 1;
    },
  };
}

/** The finalizer of MurmurHash3 (public domain): every bit of the input reaches every bit of the output. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
