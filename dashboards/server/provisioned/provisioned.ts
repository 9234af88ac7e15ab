import type { RunMode } from '../../../shared/app.ts';
import type { WrittenSpec } from '../../../shared/dashboard-tool.ts';
import { deviceComparison } from './device-comparison.ts';
import { energyAndCost } from './energy-and-cost.ts';
import { overview } from './overview.ts';
import { powerQuality } from './power-quality.ts';

/** The dashboards that ship with the tool, by name; those of an Admin also have a choice of customers. */
export const provisionedFor = (runMode: RunMode): Readonly<Record<string, WrittenSpec>> => ({
  overview: overview(runMode),
  'energy-and-cost': energyAndCost(runMode),
  'power-quality': powerQuality(runMode),
  'device-comparison': deviceComparison(runMode),
});
