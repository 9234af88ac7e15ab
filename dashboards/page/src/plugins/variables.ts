import type { VariablePlugin } from '@perses-dev/plugin-system';
import { wireOf } from '../presets.ts';
import { askTotals, listCustomers, listDevices, listSites } from '../api.ts';
import type { CustomerState, DeviceState } from '../../../../shared/states.rules.ts';
import { fill, texts } from '../texts.ts';
import { chosenValues, variablesIn } from './choose.ts';

/** A variable whose list depends on another: `{"site": "$site"}`. */
interface Filter {
  site?: string;
  customer?: string;
}

const listOf = (value: string | undefined): string[] => (value === undefined ? [] : [value]);

const shared = {
  createInitialOptions: (): Filter => ({}),
  dependsOn: (spec: Filter) => ({ variables: variablesIn([spec.site, spec.customer]) }),
};

/** The name, followed by the state if something is wrong. */
const optionsOf = <State extends DeviceState | CustomerState>(
  things: readonly { id: string; name: string; state: State }[],
  states: Readonly<Record<State, string>>,
) => ({
  data: things.map(({ id, name, state }) => ({
    value: id,
    label: state === 'live' || state === 'sending' ? name : fill(texts.withState, { name, state: states[state] }),
  })),
});

export const PortalCustomers: VariablePlugin<Filter> = {
  ...shared,
  getVariableOptions: async () => optionsOf(await listCustomers(), texts.customerStates),
};

export const PortalSites: VariablePlugin<Filter> = {
  ...shared,
  getVariableOptions: async (spec, { variables }) =>
    optionsOf(await listSites({ customer: chosenValues(listOf(spec.customer), variables) }), texts.states),
};

export const PortalDevices: VariablePlugin<Filter> = {
  ...shared,
  getVariableOptions: async (spec, { variables }) =>
    optionsOf(
      await listDevices({
        site: chosenValues(listOf(spec.site), variables),
        customer: chosenValues(listOf(spec.customer), variables),
      }),
      texts.states,
    ),
};

/** The currencies with cost in the time range. Amounts in two currencies cannot be added and cannot share a chart. */
export const PortalCurrencies: VariablePlugin<Filter> = {
  ...shared,
  getVariableOptions: async (spec, { timeRange, variables }) => {
    const { totals } = await askTotals({
      measure: 'cost',
      split: 'none',
      ...wireOf(timeRange),
      sites: chosenValues(listOf(spec.site), variables),
      devices: [],
      customers: chosenValues(listOf(spec.customer), variables),
    });
    const codes = [...new Set(totals.map(({ unit }) => unit))].toSorted();
    return { data: codes.map((code) => ({ value: code, label: code })) };
  },
};
