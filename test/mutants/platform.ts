import { inFile, type Mutant } from './mutant.ts';

const guards = inFile('server/settings/read-config.ts', 'server/settings/read-config.test.ts');
const settings = inFile('server/settings/definitions.ts', 'server/settings/read-config.test.ts');
const reader = inFile('server/settings/reader.ts', 'server/settings/read-config.test.ts');
const otherMode = inFile('server/database/migrator.ts', 'test/integration/startup.test.ts');
const emails = inFile('server/accounts/accounts.sql.ts', 'test/integration/accounts.test.ts');
const branding = inFile('server/branding/branding.ts', 'server/branding/branding.test.ts');
const storedBranding = inFile('server/branding/branding.ts', 'test/integration/branding.test.ts');
const logo = inFile('server/branding/branding.routes.ts', 'test/integration/uploads.test.ts');
const logoLimits = inFile('shared/app.ts', 'test/integration/uploads.test.ts');
const fileNames = inFile('server/branding/uploads.ts', 'test/integration/uploads.test.ts');
const paths = inFile('server/dashboards/dashboard-paths.rules.ts', 'server/dashboards/dashboard-paths.test.ts');
const info = inFile('server/http/app-info.routes.ts', 'test/integration/platform.test.ts');
const metrics = inFile('server/http/metrics.routes.ts', 'test/integration/metrics.test.ts');
const sites = inFile('server/sites/sites.ts', 'test/integration/sites.test.ts');
const devices = inFile('server/sites/devices.ts', 'test/integration/devices.test.ts');
const deviceShapes = inFile('shared/sites.ts', 'test/integration/devices.test.ts');
const tariffs = inFile('server/rates/tariffs.sql.ts', 'test/integration/tariffs.test.ts');
const tariffShapes = inFile('shared/rates.ts', 'test/integration/tariffs.test.ts');
const workbook = inFile('server/workbook/workbook-writer.ts', 'server/workbook/workbook-writer.test.ts');
const points = inFile('shared/dashboard-tool.ts', 'server/reports/series-steps.test.ts');
const proof = inFile('server/dashboards/gate-proof.ts', 'server/dashboards/gate-proof.test.ts');
const arms = inFile('server/http/create-guard.ts', 'test/integration/ingest.test.ts');

/** specification, Startup rules, Branding, rates, exports; decisions 1, 3, 6 and 7. */
export const platformMutants: readonly Mutant[] = [
  guards(
    'startup-shipped-password',
    'specification, Startup rule 6',
    'isProduction && password === shippedAdmin.password',
    'isProduction && password === undefined',
  ),
  guards(
    'startup-own-database-in-production',
    'specification, Startup rule 7',
    'isProduction &&\n        autoProvision &&',
    'isProduction &&\n        isAdmin &&\n        autoProvision &&',
  ),
  guards(
    'startup-admin-without-database',
    'specification, Startup rule 8',
    'isAdmin && connectionString === undefined &&',
    'isAdmin && isProduction && connectionString === undefined &&',
  ),
  guards(
    'startup-push-without-url',
    'specification, Startup rule 9',
    'isPushing && fleetIngest.url === undefined',
    'isProduction && isPushing && fleetIngest.url === undefined',
  ),
  guards(
    'startup-push-without-token',
    'specification, Startup rule 9',
    'isPushing && fleetIngest.token === undefined',
    'isProduction && isPushing && fleetIngest.token === undefined',
  ),
  guards(
    'startup-demo-in-production',
    'decisions, 7 Demo__Enabled',
    'isProduction && demo.enabled &&',
    'isAdmin && isProduction && demo.enabled &&',
  ),
  guards(
    'startup-weak-admin-password',
    'specification, Authentication 5',
    '!isShipped && broken.length > 0',
    '!isShipped && broken.length > 4',
  ),
  otherMode(
    'startup-client-on-a-fleet',
    'specification, Startup rule 10',
    "runMode === 'Client' && found?.hasFleet === true",
    "runMode === 'Client' && found === null",
    'Startup rule 10',
  ),
  otherMode(
    'startup-fleet-on-a-client',
    'specification, Startup rule 10',
    "runMode === 'Admin' && found?.hasMonitoring === true",
    "runMode === 'Admin' && found === null",
    'Startup rule 10',
  ),
  settings(
    'default-run-mode',
    'decisions, 7 RunMode Client',
    "oneOf(['Client', 'Admin']), 'Client'",
    "oneOf(['Client', 'Admin']), 'Admin'",
  ),
  settings(
    'default-interval',
    'decisions, 7 IntervalSeconds 30',
    'numberFrom(1, 24 * hour), 30,',
    'numberFrom(1, 24 * hour), 60,',
  ),
  settings(
    'default-batch-size',
    'decisions, 7 BatchSize 5000',
    'numberFrom(1, 200_000), 5000',
    'numberFrom(1, 200_000), 1000',
  ),
  settings(
    'default-backoff',
    'decisions, 7 BackoffMinSeconds 60',
    "60,\n      'wait after the first failed push'",
    "30,\n      'wait after the first failed push'",
  ),
  settings(
    'default-backoff-cap',
    'decisions, 7 BackoffMaxSeconds 1800',
    "1800,\n      'longest wait",
    "3600,\n      'longest wait",
  ),
  settings(
    'default-grace',
    'specification, Limits: grace window 24 hours',
    "24,\n      'how long a rotated token",
    "48,\n      'how long a rotated token",
  ),
  settings('default-prefix', 'decisions, 7 EmbedPathPrefix /dash', "pathPrefix, '/dash'", "pathPrefix, '/grafana'"),
  settings(
    'default-listen-address',
    'decisions, 7 ListenAddress',
    "{ host: '127.0.0.1', port: 8080 }",
    "{ host: '0.0.0.0', port: 8080 }",
  ),
  reader(
    'settings-case',
    'decisions, 7 names are case-insensitive',
    'const key = (setting ?? name).toLowerCase();',
    'const key = setting ?? name;',
  ),
  reader(
    'settings-unknown',
    'decisions, 7 an unknown name stops the start',
    'sections.has(sectionOf(key)) && !known.has(key)',
    'sections.has(key) && !known.has(key)',
  ),
  reader(
    'settings-empty',
    'decisions, 7 an empty value counts as not set',
    "value === undefined || value.trim() === '' ||",
    'value === undefined ||',
  ),
  reader(
    'settings-file-wins',
    'decisions, 7 the environment wins',
    "collect(settings, given, violations, file, 'file');\n  collect(settings, given, violations, environment, 'environment');",
    "collect(settings, given, violations, environment, 'environment');\n  collect(settings, given, violations, file, 'file');",
  ),
  reader(
    'settings-secret-shown',
    'decisions, 3 the overview never has secrets',
    'value === undefined || setting.isSecret ? null',
    'value === undefined ? null',
  ),

  branding(
    'branding-without-fallback',
    'specification, Branding falls back',
    'stored?.[field] ?? whiteLabel[field]',
    "stored?.[field] ?? ''",
  ),
  storedBranding(
    'branding-blank-is-stored',
    'specification, Branding: a blanked field falls back',
    "given[field]?.trim() === ''",
    "given[field] === '-'",
  ),
  logo(
    'logo-of-any-size',
    'decisions, 3 at most 1 MiB',
    'if (isTooLarge) throw',
    'if (isTooLarge && bytes === null) throw',
    '1 MiB',
  ),
  logoLimits(
    'logo-larger',
    'decisions, 3 at most 1 MiB',
    'maxLogoBytes = 1024 * 1024',
    'maxLogoBytes = 1025 * 1024',
    '1 MiB',
  ),
  fileNames(
    'logo-path-traversal',
    'decisions, 3 served under /uploads/',
    'if (!uploadName.test(name)) return null;',
    '',
    'GET /uploads/',
  ),
  paths(
    'dashboard-outside-the-prefix',
    'decisions, 3 the path lies under the prefix',
    'path.startsWith(prefix) && /^(?:[/?]|$)/.test(rest)',
    "path.startsWith('/')",
  ),
  paths(
    'dashboard-with-a-way-up',
    'decisions, 3 the path lies under the prefix',
    "segment === '.' || segment === '..'",
    "segment === '.'",
  ),
  info('health-text', 'specification, GET /health', ".send('Healthy'),", ".send('OK'),"),
  inFile('server/http/app-info.routes.ts', 'test/integration/outage.test.ts')(
    'health-of-no-database',
    'specification, GET /health/ready',
    'isReady ? 200 : 503',
    'isReady ? 200 : 200',
  ),
  metrics(
    'metrics-for-everybody',
    'decisions, 7 without a token loopback only',
    'isLoopback(remoteAddress) &&',
    'remoteAddress.length > 0 &&',
  ),
  metrics(
    'metrics-through-a-proxy',
    'decisions, 7 not through a proxy',
    '!Object.keys(raw.headers).some((name) => proxyHeader.test(name))',
    'proxyHeader.flags.length === 0',
  ),
  metrics(
    'metrics-with-any-token',
    'decisions, 7 bearer for /metrics',
    'given === undefined || !isSame(given, token)',
    'given === undefined',
  ),
  arms(
    'forbidden-is-401',
    'decisions, 1 signed in without the role: 403',
    "throw refuse('onlyAdministrator')",
    "throw refuse('signInFirst')",
    'nobody else',
  ),
  arms(
    'admin-routes-for-everybody',
    'specification, AdminOnly, also POST /api/ingest/measurements',
    "!sessions.get(request).roles.includes('Admin')",
    '!sessions.get(request).roles',
    'nobody else',
  ),

  sites(
    'site-with-devices-deleted',
    'decisions, 3 deleting a site that has devices: 409',
    "refuseWhileUsed('site', await countDevicesOfSite(tx, id));",
    '',
  ),
  devices(
    'device-with-measurements-deleted',
    'decisions, 3 deleting a device that has measurements: 409',
    'if (!withMeasurements) await refuseIfMeasured(db, device.number);',
    '',
  ),
  deviceShapes('device-interval-bound', 'decisions, 4 devices', '.min(1).max(86_400)', '.min(0).max(86_400)'),
  tariffs(
    'rates-in-any-order',
    'decisions, 6 tariffs by their start',
    "ORDER BY t.effective_from DESC, t.is_active DESC, lower(t.name), t.id`,\n  'tariffs_list'",
    "ORDER BY t.effective_from, t.is_active DESC, lower(t.name), t.id`,\n  'tariffs_list'",
  ),
  tariffs(
    'rates-keep-old-periods',
    'decisions, 3 a tariff is written whole',
    'await execute(tx, DELETE_PERIODS, tariff.id);',
    '',
  ),
  tariffShapes(
    'days-of-week-zero',
    'decisions, 6 daysOfWeek 1 to 127',
    ".min(1, 'mustBeDaysOfWeek')",
    ".min(0, 'mustBeDaysOfWeek')",
  ),
  tariffShapes('days-of-week-128', 'decisions, 6 daysOfWeek 1 to 127', 'allDaysOfWeek = 127', 'allDaysOfWeek = 128'),
  tariffShapes('period-until-midnight', 'decisions, 6 endTime may be 24:00', '|24:00)$/', ')$/'),
  tariffShapes(
    'period-from-midnight',
    'decisions, 6 startTime',
    'const timeOfDay = z.string().regex(/^(?:[01]\\d|2[0-3]):[0-5]\\d$/',
    'const timeOfDay = z.string().regex(/^(?:[01]\\d|2[0-4]):[0-5]\\d$/',
  ),
  tariffShapes(
    'currency-of-any-letters',
    'decisions, 6 currency is ISO 4217',
    ".refine(isCurrency, 'mustBeCurrency')",
    '',
  ),

  workbook(
    'export-header-not-frozen',
    'specification, Measurements rule 8',
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    '',
  ),
  workbook(
    'export-columns-not-fitted',
    'specification, Measurements rule 8',
    'Math.max(displayWidth(header) + headerRoom, (widths[at] ?? 0) + cellRoom, narrowest)',
    'Math.max(narrowest, 0 * (widths[at] ?? 0) * cellRoom * headerRoom)',
  ),
  points(
    'tool-points',
    'specification, the embedded dashboard tool: bounded answers',
    'points: 5_000',
    'points: 50_000',
  ),
  proof(
    'gate-proof-for-ever',
    'specification, Authentication 4',
    '!isOurs || nowMs >= Number(expiresAt) * 1000',
    '!isOurs',
  ),
  proof('gate-proof-of-anybody', 'specification, Authentication 4', '!isOurs || nowMs', 'nowMs'),
  proof('gate-proof-for-an-hour', 'specification, Authentication 4', 'proofSeconds = 60', 'proofSeconds = 3600'),
  emails(
    'email-by-case',
    'decisions, 3 an email is unique',
    'WHERE lower(a.email) = lower($1)',
    'WHERE a.email = $1',
    'regardless of case',
  ),
];
