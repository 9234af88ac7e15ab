import { costMutants } from './cost.ts';
import { energyMutants } from './energy.ts';
import type { Mutant } from './mutant.ts';

/** All mistakes that a test has to notice; `npm run mutants` plants them. */
export const mutants: readonly Mutant[] = [...energyMutants, ...costMutants];
