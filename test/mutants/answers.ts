import { inFile, type Mutant } from './mutant.ts';

const errors = inFile('server/http/errors.ts', 'test/integration/platform.test.ts');
const startup = inFile('server/database/migrator.ts', 'test/integration/startup.test.ts');
const keys = inFile('server/accounts/session-keys.ts', 'server/accounts/session-keys.test.ts');
const formats = inFile('server/workbook/workbook-parts.ts', 'server/workbook/workbook-cells.test.ts');
const century = inFile('server/base/ranges.ts', 'server/base/ranges.test.ts');
const usual = inFile('server/reports/usual.rules.ts', 'server/reports/usual.test.ts');
const baseLoad = inFile('server/reports/base-load.rules.ts', 'server/reports/base-load.test.ts');
const power = inFile('server/energy/statistics.rules.ts', 'test/integration/measurements.test.ts');

/** decisions 1: statuses and errors; what several resources share; ranges and times at their edges. */
export const answerMutants: readonly Mutant[] = [
  inFile('server/http/errors.ts', 'test/integration/users.test.ts')(
    'unknown-id-is-400',
    'decisions, 1 an id that is no GUID: 404',
    "if (error.validationContext === 'params') return nothingAt(request);",
    '',
    'no GUID is 404',
  ),
  errors(
    'wrong-content-type-is-400',
    'decisions, 1 wrong content type: 415',
    'error.statusCode === 415 ? wrongContentType(request) : null',
    'null',
  ),
  errors(
    'error-without-its-field',
    'decisions, 1 an error is a sentence a person can act on',
    'return refuseField(field, { ...problem, params: { ...problem.params, got } });',
    "return refuse('badRequest', { reason: 'The request is not valid' });",
  ),
  inFile('server/http/errors.ts', 'test/integration/logs.test.ts')(
    'error-tells-what-went-wrong-inside',
    'decisions, 1 500',
    "refusal: message('portalFault', { request: request.id })",
    "refusal: message('badRequest', { reason: String(error) })",
  ),
  inFile('server/accounts/users.ts', 'test/integration/users.test.ts')(
    'email-taken-is-500',
    'decisions, 1 what must be unique and is taken: 409',
    'accounts_email_key: () =>',
    'accounts_other_key: () =>',
    'is 409',
  ),
  inFile('server/fleet/customers.ts', 'test/integration/customers.test.ts')(
    'customer-code-taken-is-500',
    'decisions, 1 what must be unique and is taken: 409',
    'customers_code_key: () =>',
    'customers_other_key: () =>',
    'a taken code is 409',
  ),
  inFile('server/sites/devices.ts', 'test/integration/devices.test.ts')(
    'external-id-taken-is-500',
    'decisions, 1 what must be unique and is taken: 409',
    'async devices_external_id_key() {',
    'async devices_other_key() {',
  ),
  inFile('server/rates/tariffs.ts', 'test/integration/municipalities.test.ts')(
    'municipality-taken-is-500',
    'decisions, 1 what must be unique and is taken: 409',
    'municipalities_name_key: () =>',
    'municipalities_other_key: () =>',
  ),
  inFile('server/accounts/api-keys.ts', 'test/integration/api-keys.test.ts')(
    'api-key-taken-is-500',
    'decisions, 1 what must be unique and is taken: 409',
    'api_keys_name_key: () =>',
    'api_keys_other_key: () =>',
  ),
  inFile('server/rates/tariffs.ts', 'test/integration/tariffs.test.ts')(
    'tariff-start-taken-is-500',
    'decisions, 6 two active tariffs with one effectiveFrom: 409',
    'tariffs_active_from_key: () =>',
    'tariffs_other_key: () =>',
    '409',
  ),
  inFile('server/rates/tariffs.ts', 'test/integration/municipalities.test.ts')(
    'municipality-with-sites-deleted',
    'decisions, 3 rates',
    "refuseWhileUsed('municipality', await countSitesOfMunicipality(tx, id));",
    '',
  ),
  startup(
    'migration-changed',
    'decisions, 8 migrations are checksummed',
    'if (migration.checksum !== row.checksum) {',
    'if (migration.checksum === null) {',
    'one that was changed',
  ),
  startup(
    'migration-of-a-newer-version',
    'decisions, 8 a newer database refuses to start',
    'if (migration === undefined) {',
    'if (migration === undefined) continue;\n    if (migration === null) {',
    'newer version',
  ),
  startup(
    'migration-half-done',
    'decisions, 8 each migration is atomic',
    "await execute(session, 'BEGIN');\n  let current",
    'let current',
    'a failed one',
  ),
  inFile('server/branding/branding.sql.ts', 'test/integration/branding.test.ts')(
    'branding-seeded-again',
    'specification, Startup rule 5',
    'ON CONFLICT DO NOTHING`',
    'ON CONFLICT (only_row) DO UPDATE SET application_name = excluded.application_name`',
  ),
  keys(
    'keys-readable-by-all',
    'decisions, 2 keys of mode 0600',
    "open(draft, 'wx', 0o600)",
    "open(draft, 'wx', 0o644)",
  ),
  keys(
    'keys-never-rotate',
    'decisions, 2 keys can rotate',
    'rotateAfterMs = 90 * dayMs',
    'rotateAfterMs = 9000 * dayMs',
  ),
  formats(
    'export-number-format',
    'specification, Measurements rule 8 number formats',
    '`#,##0${decimalsOf(format)}${format.unit',
    '`0${decimalsOf(format)}${format.unit',
  ),
  formats(
    'export-money-without-currency',
    'specification, Measurements rule 8 currency formats',
    ' [$${format.currency}]`',
    '`',
  ),
  formats(
    'export-date-format',
    'specification, Measurements rule 8 date formats',
    "return 'yyyy-mm-dd';",
    "return 'yyyy-mm';",
  ),
  century(
    'century-too-long',
    'docs/energy.md, Ranges: at most a century',
    'if (days <= maxDays) return range;',
    'if (days <= maxDays + 1) return range;',
  ),
  century(
    'century-refused',
    'docs/energy.md, Ranges: at most a century',
    'if (days <= maxDays) return range;',
    'if (days < maxDays) return range;',
  ),
  usual(
    'usual-borrowed-quarter',
    'docs/energy.md, Usual consumption: exactly a quarter may be borrowed',
    '<= maxBorrowedShare * asked,',
    '< maxBorrowedShare * asked,',
  ),
  usual(
    'usual-autumn-hour-twice',
    'docs/energy.md, Usual consumption: an hour that occurred twice counts as its first time',
    'slots[cell] !== -1 || isAsked',
    'isAsked',
  ),
  baseLoad(
    'base-load-autumn-hour-twice',
    'docs/energy.md, Base load: an hour that occurred twice counts as its first time',
    'if (slots[at] === -1) slots[at] = slot;',
    'slots[at] = slot;',
  ),
  inFile('server/fleet/customer-detail.sql.ts', 'test/integration/fleet-ingest.test.ts')(
    'detail-measurements-of-all-customers',
    'specification, Fleet copies are keyed by CustomerId',
    'WHERE m.customer_id = $1 AND m.device_number = d.number',
    'WHERE $1::uuid IS NOT NULL AND m.device_number = d.number',
  ),
  inFile('server/push/push.routes.ts', 'test/integration/roles.test.ts')(
    'push-reconcile-by-everybody',
    'specification, AdminOnly',
    "'/api/admin/push/reconcile',\n    guarded(guard.admin,",
    "'/api/admin/push/reconcile',\n    guarded(guard.signedIn,",
    'an unauthorized caller is rejected',
  ),
  power(
    'power-minimum-is-the-maximum',
    'decisions, 4 bucketed row: minimum and maximum',
    'activePowerKwMin: extreme(statistics.powerMin)',
    'activePowerKwMin: extreme(statistics.powerMax)',
    'averages, minimum',
  ),
  power(
    'power-maximum-of-the-first-part',
    'decisions, 4 bucketed row: minimum and maximum',
    'if (isFirst || high >',
    'if (isFirst && high >',
  ),
  inFile('server/fleet/fleet-activity.ts', 'test/integration/fleet-cost.test.ts')(
    'fleet-today-in-utc',
    'decisions, 4 today is the day of Application__TimeZone',
    'today: localDay(nowMs, timeZone),',
    "today: localDay(nowMs, 'UTC'),",
  ),
];
