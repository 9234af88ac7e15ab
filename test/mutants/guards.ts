import { inFile, type Mutant } from './mutant.ts';

const everyGet = 'test/integration/every-get.test.ts';

/** A group of mutants of one source file that admit someone. */
const lettingIn = (file: string) => (id: string, rule: string, from: string, to: string) =>
  inFile(file, 'test/integration/roles.test.ts')(id, rule, from, to, 'an unauthorized caller is rejected');
const users = lettingIn('server/accounts/users.routes.ts');
const resources = lettingIn('server/http/resources.ts');
const guard = lettingIn('server/http/create-guard.ts');

const role = 'decisions, 3 who may';

/** Guards of routes, and answers that differ from their document. */
export const guardMutants: readonly Mutant[] = [
  lettingIn('server/push/push.routes.ts')(
    'push-run-for-all',
    role,
    `'/api/admin/push/run',\n    guarded(guard.admin`,
    `'/api/admin/push/run',\n    guarded(guard.signedIn`,
  ),
  users(
    'user-unlock-for-all',
    role,
    `'/api/users/:id/unlock',\n    guarded(guard.admin`,
    `'/api/users/:id/unlock',\n    guarded(guard.signedIn`,
  ),
  users(
    'password-reset-for-all',
    role,
    `'/api/users/:id/reset-password',\n    guarded(guard.admin`,
    `'/api/users/:id/reset-password',\n    guarded(guard.signedIn`,
  ),
  lettingIn('server/fleet/customers.routes.ts')(
    'access-list-for-readers',
    role,
    `'/api/users/:id/customers',\n    guarded(guard.admin, {\n      tags,\n      operationId: 'getCustomersOfUser'`,
    `'/api/users/:id/customers',\n    guarded(guard.fleetReader, {\n      tags,\n      operationId: 'getCustomersOfUser'`,
  ),
  resources(
    'write-for-all',
    role,
    '{ onRequest: guard.admin, ...(bodyLimit',
    '{ onRequest: guard.signedIn, ...(bodyLimit',
  ),
  resources('delete-for-all', role, 'guarded(guard.admin, {', 'guarded(guard.signedIn, {'),
  lettingIn('server/http/app-info.routes.ts')(
    'config-for-all',
    role,
    'guarded(guard.admin, {',
    'guarded(guard.signedIn, {',
  ),
  lettingIn('server/sites/report-remarks.routes.ts')(
    'remark-for-all',
    role,
    'guarded(guard.admin, {',
    'guarded(guard.signedIn, {',
  ),
  lettingIn('server/sites/site-table.routes.ts')(
    'table-for-all',
    role,
    '{ onRequest: guard.admin, bodyLimit: maxTableBytes }',
    '{ onRequest: guard.signedIn, bodyLimit: maxTableBytes }',
  ),
  guard(
    'restricted-is-admin',
    'decisions, 2 AdminOnly is Admin',
    `!sessions.get(request).roles.includes('Admin')`,
    `!sessions.get(request).roles.some((role) => role.endsWith('Admin'))`,
  ),
  guard(
    'ingest-for-all',
    'specification, AdminOnly ingest',
    'await admin.call(this, request, reply);\n      return;',
    'await signedIn.call(this, request, reply);\n      return;',
  ),
  guard('any-api-key', 'decisions, 2 API keys', 'if (apiKey === null) throw', 'if (key === undefined) throw'),
  guard('recalled-key-unasked', 'decisions, 2 API keys', 'confirm: () => findKey(key)', 'confirm: async () => null'),
  lettingIn('server/http/api-docs.ts')(
    'document-for-all-in-production',
    'decisions, 1 signed-in users only in Production',
    'const onRequest = isOpen ? [] : [guard.signedIn];',
    'const onRequest = isOpen ? [guard.signedIn] : [];',
  ),
  lettingIn('server/http/metrics.routes.ts')(
    'any-metrics-token',
    'decisions, 7 Metrics__Token',
    'if (given === undefined || !isSame(given, token)) {',
    'if (given === undefined) {',
  ),
  lettingIn('server/dashboards/dashboard-proxy.ts')(
    'tool-without-session',
    'specification, Authentication 4',
    `scope.addHook('onRequest', gate.guard.signedIn);`,
    '',
  ),
  inFile('server/energy/energy-days.sql.ts', everyGet)(
    'count-of-no-day',
    'decisions, 4 a bucket with neither sample nor energy is left out',
    'if (deviceNumbers.length === 0 || fromDay >= toDay) return [];',
    'if (deviceNumbers.length === 0) return [];',
    'a portal with devices without readings',
  ),
  inFile('server/energy/read-buckets.ts', everyGet)(
    'first-of-no-device',
    'decisions, 4 a bucket with neither sample nor energy is left out',
    `asked.edgesOf(devices[0]?.timeZone ?? 'UTC')`,
    'asked.edgesOf(devices[0].timeZone)',
    'an empty portal',
  ),
  inFile('server/reports/data-quality.routes.ts', everyGet)(
    'field-beside-the-document',
    'decisions, 1 the API is described by its document',
    '    timeZone,\n    devices: devices.flatMap',
    '    timeZone,\n    zone: timeZone,\n    devices: devices.flatMap',
    'an empty portal',
  ),
  inFile('shared/dashboard.ts', everyGet)(
    'type-beside-the-document',
    'decisions, 1 the API is described by its document',
    'nightCount: z.int().meta',
    'nightCount: z.string().meta',
    'an empty portal',
  ),
];
