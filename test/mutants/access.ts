import { inFile, type Mutant } from './mutant.ts';

const isolation = 'test/integration/isolation.test.ts';
const detail = inFile('server/fleet/customer-detail.sql.ts', isolation);
const fleetCustomers = inFile('server/fleet/fleet-customers.sql.ts', isolation);
const fleetSearch = inFile('server/fleet/fleet-search.ts', isolation);
const readings = inFile('server/energy/measurements.sql.ts', isolation);

const scope = 'specification, AdminCustomerAccess';

/** What a RestrictedAdmin sees. */
export const accessMutants: readonly Mutant[] = [
  detail(
    'last-readings-of-all',
    scope,
    'm.customer_id = $1 AND m.device_number = d.number',
    '$1::uuid IS NOT NULL AND m.device_number = d.number',
  ),
  detail(
    'events-of-all',
    scope,
    'FROM fleet.ingest_events WHERE customer_id = $1',
    'FROM fleet.ingest_events WHERE $1::uuid IS NOT NULL',
  ),
  detail(
    'sites-of-all',
    scope,
    'FROM fleet.sites WHERE customer_id = $1',
    'FROM fleet.sites WHERE $1::uuid IS NOT NULL',
  ),
  detail(
    'devices-of-all',
    scope,
    'FROM fleet.devices d WHERE d.customer_id = $1',
    'FROM fleet.devices d WHERE $1::uuid IS NOT NULL',
  ),
  fleetSearch(
    'site-list-without-scope',
    scope,
    '({ customerId }) => isInScope(customerId)',
    '({ customerId }) => isInScope(customerId) || true',
  ),
  fleetSearch(
    'customer-list-without-scope',
    scope,
    '({ id }) => isInScope(id) && isChosen(id)',
    '({ id }) => isChosen(id)',
  ),
  fleetCustomers(
    'dashboard-without-scope',
    scope,
    'copyLines(within === null ? chosen :',
    'copyLines(within === null ? null :',
  ),
  fleetCustomers(
    'customers-without-scope',
    scope,
    'listWithin<SeenCustomer>(db, selectSeen, scope, reach)',
    `listWithin<SeenCustomer>(db, selectSeen, { customers: 'all' }, reach)`,
  ),
  fleetCustomers(
    'customer-without-scope',
    scope,
    'findRow<SeenCustomer>(db, FIND_SEEN, chosenCustomers(scope), id)',
    'findRow<SeenCustomer>(db, FIND_SEEN, chosenCustomers(scope) && null, id)',
  ),
  fleetCustomers(
    'tool-without-scope',
    scope,
    'listWithin<NamedCustomer>(db, selectNamed, scope, reach)',
    `listWithin<NamedCustomer>(db, selectNamed, { customers: 'all' }, reach)`,
  ),
  fleetCustomers(
    'states-of-the-tool-without-scope',
    scope,
    'listWithin<WatchedCustomer>(db, selectWatched, scope, reach)',
    `listWithin<WatchedCustomer>(db, selectWatched, { customers: 'all' }, reach)`,
  ),
  inFile('server/fleet/customer-access.ts', isolation)(
    'restricted-sees-all',
    scope,
    '{ customers: await listCustomersOfUser(database, accountId) }',
    'allCustomers',
  ),
  readings(
    'raw-readings-of-all',
    scope,
    "WHERE ${t.own('m')}m.device_number = ANY ($1::integer[]) AND m.time >= $2",
    'WHERE m.device_number = ANY ($1::integer[]) AND m.time >= $2',
  ),
];
