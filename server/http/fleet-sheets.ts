import type { FleetCustomer, FleetDashboard } from '../../shared/fleet.ts';
import type { Cell, Part } from '../export/sheet.ts';
import { count, instantCell, kwh, table, text } from './export-formats.ts';

const stateNames = {
  silent: 'silent',
  unmeasured: 'no readings',
  failing: 'failing',
  waiting: 'no batch yet',
  off: 'switched off',
  live: 'live',
} as const;

/** The sheets of the fleet's dashboard, without "About". */
export function fleetSheets(dashboard: FleetDashboard, timeZone: string): Part[] {
  const totals: Cell[][] = [
    ['Customers', { value: dashboard.customerCount, format: count }],
    ['Active customers', { value: dashboard.activeCustomerCount, format: count }],
    ['Measurements', { value: dashboard.totalMeasurements, format: count }],
    ['Measurements today', { value: dashboard.todayMeasurements, format: count }],
    ['Energy today', { value: dashboard.todayEnergyKwh, format: kwh }],
  ];
  const at = (title: string, of: (customer: FleetCustomer) => string | null) =>
    [`${title} (${timeZone})`, text, (customer: FleetCustomer) => instantCell(of(customer), timeZone)] as const;
  return [
    ...table<readonly Cell[]>(
      'Totals',
      [
        ['Figure', text, ([figure = null]) => figure],
        ['Value', kwh, ([, value = null]) => value],
      ],
      totals,
    ),
    ...table<FleetCustomer>(
      'Customers',
      [
        ['Customer', text, ({ name }) => name],
        ['Code', text, ({ code }) => code],
        ['Active', text, ({ isActive }) => (isActive ? 'yes' : 'no')],
        ['State', text, ({ state }) => stateNames[state]],
        at('In trouble since', ({ troubleSince }) => troubleSince),
        ['Refused', text, ({ failure }) => failure?.reason ?? null],
        ['Batches refused, all or in part (24 h)', count, ({ failedBatches }) => failedBatches],
        ['Records rejected (24 h)', count, ({ rejectedRecords }) => rejectedRecords],
        at('First seen', ({ firstSeenAt }) => firstSeenAt),
        at('Last seen', ({ lastSeenAt }) => lastSeenAt),
        ['Lag (s)', count, ({ lagSeconds }) => lagSeconds],
        at('Last batch', ({ lastBatchAt }) => lastBatchAt),
        ['Last error', text, ({ lastError }) => lastError],
        ['Sites', count, ({ siteCount }) => siteCount],
        ['Devices', count, ({ deviceCount }) => deviceCount],
        at('Newest measurement', ({ newestMeasurementAt }) => newestMeasurementAt),
        ['Measurements today', count, ({ measurementsToday }) => measurementsToday],
        ['Energy today (kWh)', kwh, ({ energyTodayKwh }) => energyTodayKwh],
        ['Still being processed', text, ({ isEnergyPending }) => (isEnergyPending ? 'yes' : 'no')],
      ],
      dashboard.customers,
    ),
  ];
}
