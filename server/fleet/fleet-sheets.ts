import type { FleetCustomer, FleetDashboard } from '../../shared/fleet.ts';
import { customerStateNames } from '../../messages/en/page/states.ts';
import type { ExportText } from '../../messages/en/exports.ts';
import type { Say } from '../reports/say.ts';
import type { Cell, Part } from '../workbook/sheet.ts';
import { count, figuresTable, instantCell, kwh, table, text } from '../reports/export-formats.ts';

/** The sheets of the fleet's dashboard, without "About". */
export function fleetSheets(say: Say, dashboard: FleetDashboard, timeZone: string): Iterable<Part> {
  const totals: Cell[][] = [
    [say('Customers'), { value: dashboard.customerCount, format: count }],
    [say('Active customers'), { value: dashboard.activeCustomerCount, format: count }],
    [say('Measurements'), { value: dashboard.totalMeasurements, format: count }],
    [say('Measurements today'), { value: dashboard.todayMeasurements, format: count }],
    [say('Energy today'), { value: dashboard.todayEnergyKwh, format: kwh }],
  ];
  const yesNo = (is: boolean) => say(is ? 'yes' : 'no');
  const at = (title: ExportText, of: (customer: FleetCustomer) => string | null) =>
    [say(title, timeZone), text, (customer: FleetCustomer) => instantCell(of(customer), timeZone)] as const;
  return [
    ...figuresTable(say, totals),
    ...table<FleetCustomer>(
      say('Customers'),
      [
        [say('Customer'), text, ({ name }) => name],
        [say('Code'), text, ({ code }) => code],
        [say('Active'), text, ({ isActive }) => yesNo(isActive)],
        [say('Status'), text, ({ state }) => say(customerStateNames[state])],
        at('Problem since', ({ troubleSince }) => troubleSince),
        [say('Rejected'), text, ({ failure }) => say.message(failure?.reason ?? null, failure?.refusal ?? null)],
        [say('Batches rejected or partly rejected', '24 h'), count, ({ failedBatches }) => failedBatches],
        [say('Rejected records', '24 h'), count, ({ rejectedRecords }) => rejectedRecords],
        at('First batch', ({ firstSeenAt }) => firstSeenAt),
        at('Last stored batch', ({ lastSeenAt }) => lastSeenAt),
        [say('Delay', 's'), count, ({ lagSeconds }) => lagSeconds],
        at('Last batch', ({ lastBatchAt }) => lastBatchAt),
        [say('Last error'), text, ({ lastError, lastRefusal }) => say.message(lastError, lastRefusal)],
        [say('Sites'), count, ({ siteCount }) => siteCount],
        [say('Devices'), count, ({ deviceCount }) => deviceCount],
        at('Newest measurement', ({ newestMeasurementAt }) => newestMeasurementAt),
        [say('Measurements today'), count, ({ measurementsToday }) => measurementsToday],
        [say('Energy today', 'kWh'), kwh, ({ energyTodayKwh }) => energyTodayKwh],
        [say('Still being processed'), text, ({ isEnergyPending }) => yesNo(isEnergyPending)],
      ],
      dashboard.customers,
    ),
  ];
}
