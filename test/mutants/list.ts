import { accessMutants } from './access.ts';
import { accountMutants } from './accounts.ts';
import { alarmMutants } from './alarms.ts';
import { analysisMutants } from './analysis.ts';
import { answerMutants } from './answers.ts';
import { costMutants } from './cost.ts';
import { energyMutants } from './energy.ts';
import { fleetDashboardMutants } from './fleet-dashboard.ts';
import { fleetMutants } from './fleet.ts';
import { guardMutants } from './guards.ts';
import { measurementMutants } from './measurements.ts';
import { moneyMutants } from './money.ts';
import { exactMutants } from './exact-meters.ts';
import { documentMutants } from './documents.ts';
import { firstMinutesMutants } from './first-minutes.ts';
import type { Mutant } from './mutant.ts';
import { platformMutants } from './platform.ts';
import { pushMutants } from './push.ts';

/** All mistakes that a test must detect; `npm run mutants` plants them. */
export const mutants: readonly Mutant[] = [
  ...energyMutants,
  ...costMutants,
  ...analysisMutants,
  ...measurementMutants,
  ...accountMutants,
  ...accessMutants,
  ...guardMutants,
  ...moneyMutants,
  ...exactMutants,
  ...documentMutants,
  ...firstMinutesMutants,
  ...platformMutants,
  ...pushMutants,
  ...fleetMutants,
  ...answerMutants,
  ...fleetDashboardMutants,
  ...alarmMutants,
];
