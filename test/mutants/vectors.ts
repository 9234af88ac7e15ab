import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Mutant } from './mutant.ts';

const unit = (name: string) => `server/${name}.test.ts`;
const integration = (name: string) => `test/integration/${name}.test.ts`;

/** The test vectors by file, and the test files that run them. */
const lists: readonly (readonly [file: string, list: string, tests: readonly string[]])[] = [
  ['energy-and-cost', 'energy', [unit('energy/measure-energy'), integration('energy-vectors')]],
  ['energy-and-cost', 'demand', [unit('energy/measure-energy')]],
  ['energy-and-cost', 'ranges', [unit('energy/measure-energy'), integration('ranges')]],
  ['energy-and-cost', 'cost', [unit('rates/costs')]],
  ['bills', 'bills', [unit('rates/bills')]],
  ['usual', 'cases', [unit('reports/usual')]],
  ['base-load', 'cases', [unit('reports/base-load')]],
  ['cost-comparison', 'cases', [unit('rates/cost-comparison')]],
  ['meter-trees', 'cases', [unit('energy/device-tree')]],
];

const vector = z.object({ id: z.string(), rule: z.string(), kills: z.string() });
/** A test vector: the rule that it proves, and the id of a mutant that it kills. */
export type Vector = z.infer<typeof vector> & { tests: readonly string[] };

export const listVectors = (): Vector[] =>
  lists.flatMap(([file, list, tests]) => {
    const text = readFileSync(join(import.meta.dirname, '../vectors', `${file}.json`), 'utf8');
    const { [list]: vectors } = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    return z
      .array(vector)
      .parse(vectors)
      .map((one) => ({ ...one, tests }));
  });

/** The same mutants again, each to be detected by the vector that names it. */
export function killedByVectors(mutants: readonly Mutant[]): Mutant[] {
  const known = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  return listVectors().flatMap(({ id, kills, tests }) => {
    const mutant = known.get(kills);
    if (mutant === undefined) return [];
    const test = tests.find((one) => one === mutant.test) ?? tests[0] ?? '';
    return [{ ...mutant, id: `${id} kills ${mutant.id}`, test, name: `${id} ` }];
  });
}
