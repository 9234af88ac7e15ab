import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { deviceComparison } from './device-comparison.ts';
import { energyAndCost } from './energy-and-cost.ts';
import { overview } from './overview.ts';
import { powerQuality } from './power-quality.ts';

/** The four dashboards that a stack with Grafana has. */
export const grafanaDashboards = (): Dashboard[] => [overview(), energyAndCost(), powerQuality(), deviceComparison()];

/** As `deploy/grafana/generated` has them. */
export const fileOf = (dashboard: Dashboard): { name: string; text: string } => ({
  name: `${dashboard.uid}.json`,
  text: `${JSON.stringify(dashboard, null, 2)}\n`,
});
