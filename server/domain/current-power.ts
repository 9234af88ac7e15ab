import type { EnergyRules } from './energy.ts';
import { microsPerSecond } from './instants.ts';

const leastSeconds = 15 * 60;

/**
 * A device's latest reading counts as its current power while it is younger than this, microseconds (decisions.md 4); one from
 * the future never does.
 */
export const currentForMicros = ({ expectedIntervalSeconds }: Pick<EnergyRules, 'expectedIntervalSeconds'>): number =>
  Math.max(leastSeconds, 2 * (expectedIntervalSeconds ?? 0)) * microsPerSecond;
