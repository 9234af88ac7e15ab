import type { VariableStateMap } from '@perses-dev/plugin-system';
import type { QuerySpec } from '../../../../shared/dashboard-tool.ts';

/** The value of a variable if all are chosen. Then a query need not name them. */
export const allValue = '*';

const variableName = /^\$\{?(\w+)\}?$/;

/** The names of the variables in lists. */
export function variablesIn(lists: readonly (readonly string[] | string | undefined)[]): string[] {
  const names = lists.flatMap((list) => list ?? []).map((entry) => variableName.exec(entry)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The ids in a list. Variables are replaced by their choices. Empty means all. */
export function chosenValues(list: readonly string[] | undefined, variables: VariableStateMap): string[] {
  const values = (list ?? []).flatMap((entry) => {
    const name = variableName.exec(entry)?.[1];
    if (name === undefined) return [entry];
    const value = variables[name]?.value ?? allValue;
    return value.length === 0 ? [allValue] : value;
  });
  return values.includes(allValue) ? [] : [...new Set(values)];
}

/** The first query of a new panel of this kind. A single number covers everything. */
export function initialQuery(kind: string, isFleet: boolean): QuerySpec {
  const chosen = { ...(isFleet && { customers: ['$customer'] }), sites: ['$site'] };
  if (kind === 'StatChart') return { measure: 'energy', split: 'none', ...chosen };
  if (kind === 'GaugeChart') return { measure: 'powerFactor', split: 'none', ...chosen };
  const measure = kind === 'TimeSeriesChart' ? 'power' : 'energy';
  return { measure, split: isFleet ? 'customer' : 'site', ...chosen };
}

interface Chosen {
  sites: string[];
  devices: string[];
  customers: string[];
}

export const chosenThings = (spec: Partial<Chosen> | QuerySpec, variables: VariableStateMap): Chosen => ({
  sites: chosenValues(spec.sites, variables),
  devices: chosenValues(spec.devices, variables),
  customers: chosenValues(spec.customers, variables),
});
