import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConfigInput, readConfig, parseEnvFile } from './read-config.ts';
import type { Config } from './config.ts';
import { defineSettings } from './definitions.ts';

const database = { Database__ConnectionString: 'postgres://portal:s3cret@db:5432/portal' };
const production = {
  ...database,
  Application__Environment: 'Production',
  Authentication__DefaultAdminPassword: 'Str0ngEnough',
};

function read(environment: ConfigInput['environment'], envFile?: string) {
  return readConfig({
    environment,
    envFile,
    workingFolder: '/srv/portal',
    defaultDataPath: '/srv/portal/data',
    version: '1.2.3',
  });
}

function accepted(environment: ConfigInput['environment'], envFile?: string): Config {
  const result = read(environment, envFile);
  if ('violations' in result) throw new Error(result.violations.join('\n'));
  return result.config;
}

function refused(environment: ConfigInput['environment'], envFile?: string): string[] {
  const result = read(environment, envFile);
  return 'violations' in result ? result.violations : [];
}

describe('defaults', () => {
  test('nothing set: a Client in Development with its own database and demo data (decisions.md 7)', () => {
    const { overview, ...config } = accepted({});
    expect(overview.length).toBeGreaterThan(30);
    expect(config).toEqual({
      environment: 'Development',
      runMode: 'Client',
      version: '1.2.3',
      publicUrl: 'http://127.0.0.1:8080',
      timeZone: 'UTC',
      listen: { host: '127.0.0.1', port: 8080 },
      trustedProxies: [],
      database: { connectionString: undefined, autoProvision: true, compressAfterDays: 7, retentionMonths: 0 },
      authentication: {
        defaultAdminEmail: 'admin@example.com',
        defaultAdminPassword: 'ChangeMe123!',
        refuseCommonPasswords: false,
      },
      whiteLabel: {
        applicationName: 'Power Monitoring',
        logoUrl: '',
        primaryColor: '#0b7285',
        secondaryColor: '#343a40',
        accentColor: '#e8590c',
        footerText: '',
      },
      storage: {
        dataPath: '/srv/portal/data',
        keysPath: '/srv/portal/data/keys',
        uploadsPath: '/srv/portal/data/uploads',
      },
      dashboard: {
        embedPathPrefix: '/dash',
        upstream: undefined,
        start: true,
        gateSecret: expect.stringMatching(/^[\w-]{43}$/),
      },
      fleetIngest: {
        enabled: false,
        url: undefined,
        token: undefined,
        intervalSeconds: 30,
        batchSize: 5000,
        backoffMinSeconds: 60,
        backoffMaxSeconds: 1800,
        tokenGraceHours: 24,
        maxBatchesPerMinute: 600,
      },
      notifications: { allowPrivateTargets: false, language: 'en' },
      mail: {
        host: undefined,
        port: 587,
        security: 'starttls',
        username: undefined,
        password: undefined,
        from: undefined,
      },
      metrics: { token: undefined },
      demo: { enabled: true, world: 'OneCountry' },
    });
  });

  test.each([
    ['a connection string: no local database', database, { autoProvision: false, demo: false }],
    ['Production', production, { autoProvision: false, demo: false }],
    ['Admin', { ...database, Application__RunMode: 'Admin' }, { autoProvision: false, demo: false }],
    [
      'no auto-provisioning: no demo',
      { ...database, Database__AutoProvisionLocalTimescaleDb: 'false' },
      { autoProvision: false, demo: false },
    ],
    [
      'demo on a given database when asked for',
      { ...database, Demo__Enabled: 'true' },
      { autoProvision: false, demo: true },
    ],
    ['no demo when asked for', { Demo__Enabled: 'false' }, { autoProvision: true, demo: false }],
  ])('local database and demo with %s', (_, environment, expected) => {
    const config = accepted(environment);
    expect({ autoProvision: config.database.autoProvision, demo: config.demo.enabled }).toEqual(expected);
  });

  test.each([
    [{}, 'Development'],
    [{ NODE_ENV: 'production', ...production, Application__Environment: '' }, 'Production'],
    [{ NODE_ENV: 'development' }, 'Development'],
    [{ NODE_ENV: 'production', Application__Environment: 'Development' }, 'Development'],
  ])(
    'NODE_ENV=production means Production, unless Application__Environment says otherwise: %o',
    (environment, expected) => {
      expect(accepted(environment).environment).toBe(expected);
    },
  );

  test('PublicUrl follows the listen address', () => {
    expect(accepted({ Application__ListenAddress: '[::1]:9000' }).publicUrl).toBe('http://[::1]:9000');
  });

  test('keys and uploads follow the data path, which starts in the working folder', () => {
    expect(accepted({ Storage__DataPath: 'var' }).storage).toEqual({
      dataPath: '/srv/portal/var',
      keysPath: '/srv/portal/var/keys',
      uploadsPath: '/srv/portal/var/uploads',
    });
    expect(accepted({ Storage__KeysPath: '/keys', Storage__UploadsPath: 'up' }).storage).toEqual({
      dataPath: '/srv/portal/data',
      keysPath: '/keys',
      uploadsPath: '/srv/portal/up',
    });
  });
});

describe('values', () => {
  test('names are case-insensitive, and so are choices and booleans', () => {
    const config = accepted({
      APPLICATION__RUNMODE: 'admin',
      database__connectionstring: 'postgres://h/db',
      demo__ENABLED: 'FALSE',
    });
    expect([config.runMode, config.database.connectionString, config.demo.enabled]).toEqual([
      'Admin',
      'postgres://h/db',
      false,
    ]);
  });

  test('an empty value counts as not set', () => {
    expect(
      accepted({ Application__TimeZone: '', Application__PublicUrl: '  ', FleetIngest__BatchSize: '' }),
    ).toMatchObject({
      timeZone: 'UTC',
      publicUrl: 'http://127.0.0.1:8080',
      fleetIngest: { batchSize: 5000 },
    });
  });

  test('the environment wins over .env, but not with an empty value', () => {
    const file =
      'Application__TimeZone=Europe/Berlin\nWhiteLabel__PrimaryColor=#123456\nWhiteLabel__FooterText="Acme # 1"';
    const config = accepted({ application__timezone: 'Asia/Tokyo', WhiteLabel__PrimaryColor: '' }, file);
    expect(config.timeZone).toBe('Asia/Tokyo');
    expect(config.whiteLabel).toMatchObject({ primaryColor: '#123456', footerText: 'Acme # 1' });
  });

  test('settings of other programs are ignored', () => {
    expect(refused({ PATH: '/bin', OTHER__Name: 'x', __proto: 'y', npm_config__foo: '1' }, 'TZ=Europe/Berlin')).toEqual(
      [],
    );
  });

  test.each([
    ['Application__ListenAddress', '0.0.0.0:80', { listen: { host: '0.0.0.0', port: 80 } }],
    ['Application__ListenAddress', '[::]:0', { listen: { host: '::', port: 0 } }],
    ['Application__ListenAddress', 'localhost:8081', { listen: { host: 'localhost', port: 8081 } }],
    [
      'Application__TrustedProxies',
      '10.0.0.5, 172.16.0.0/12,fd00::/8,loopback,',
      { trustedProxies: ['10.0.0.5', '172.16.0.0/12', 'fd00::/8', 'loopback'] },
    ],
    ['Application__PublicUrl', 'https://portal.example.com/', { publicUrl: 'https://portal.example.com' }],
    ['Dashboard__EmbedPathPrefix', '/tools/dash/', { dashboard: { embedPathPrefix: '/tools/dash' } }],
    ['WhiteLabel__LogoUrl', '/uploads/a.png', { whiteLabel: { logoUrl: '/uploads/a.png' } }],
    ['FleetIngest__BackoffMinSeconds', '0.2', { fleetIngest: { backoffMinSeconds: 0.2 } }],
    ['FleetIngest__TokenGraceHours', '0', { fleetIngest: { tokenGraceHours: 0 } }],
    ['Metrics__Token', 'a-token+1/2=', { metrics: { token: 'a-token+1/2=' } }],
    [
      'Authentication__DefaultAdminPassword',
      ' Blanks are kept 1 ',
      { authentication: { defaultAdminPassword: ' Blanks are kept 1 ' } },
    ],
  ])('%s accepts %j', (name, value, expected) => {
    expect(accepted({ [name]: value })).toMatchObject(expected);
  });
});

describe('errors name the setting, its value and what it accepts', () => {
  test.each([
    ['Application__RunMode', 'Server', 'Application__RunMode takes Client or Admin; got "Server".'],
    ['Application__Environment', 'prod', 'Application__Environment takes Development or Production; got "prod".'],
    [
      'Application__PublicUrl',
      'portal.example.com',
      /^Application__PublicUrl takes an http or https address without a path.*; got "portal.example.com"\.$/,
    ],
    ['Application__PublicUrl', 'https://example.com/portal', /without a path.*got "https:\/\/example.com\/portal"/],
    ['Application__PublicUrl', 'ftp://example.com', /got "ftp:\/\/example.com"/],
    [
      'Application__TimeZone',
      'Berlin',
      'Application__TimeZone takes an IANA time zone such as Europe/Berlin; got "Berlin".',
    ],
    ['Application__TimeZone', '+02:00', /IANA time zone/],
    ['Application__TimeZone', 'PST', /IANA time zone/],
    ['Application__TimeZone', 'US/Pacific-New', /IANA time zone/],
    ['Application__ListenAddress', '8080', /takes an address and a port such as 127\.0\.0\.1:8080.*got "8080"/],
    ['Application__ListenAddress', '127.0.0.1:99999', /address and a port/],
    ['Application__ListenAddress', '999.0.0.1:80', /address and a port/],
    ['Application__ListenAddress', '[::g]:80', /address and a port/],
    ['Application__TrustedProxies', '10.0.0.0/99', /IP addresses or ranges.*got "10.0.0.0\/99"/],
    ['Application__TrustedProxies', 'proxy', /IP addresses or ranges/],
    [
      'Database__AutoProvisionLocalTimescaleDb',
      'yes',
      'Database__AutoProvisionLocalTimescaleDb takes true or false; got "yes".',
    ],
    [
      'Database__ConnectionString',
      'Host=db;Password=s3cret',
      /^Database__ConnectionString takes a PostgreSQL address such as .*; got something else\.$/,
    ],
    ['Database__ConnectionString', 'mysql://u:s3cret@h/db', /got something else/],
    ['Database__ConnectionString', 'postgres://u:s3%zzcret@h/db', /got something else/],
    ['Database__ConnectionString', 'postgres://u:s3cret@one,,two/db', /got something else/],
    ['Database__ConnectionString', 'postgres://u:s3cret@one:5432,two:s3cret/db', /got something else/],
    ['Database__ConnectionString', `postgres://u:s3cret@${'h,'.repeat(8)}h/db`, /got something else/],
    ['Database__ConnectionString', 'postgres:///db?host=one,two&port=1,2,3', /got something else/],
    ['Authentication__DefaultAdminEmail', 'admin', /takes an email address.*got "admin"/],
    [
      'Authentication__DefaultAdminPassword',
      's3cret',
      'Authentication__DefaultAdminPassword is too weak; it needs at least 8 characters, an upper-case letter.',
    ],
    ['WhiteLabel__PrimaryColor', 'teal', 'WhiteLabel__PrimaryColor takes a hex color such as #0b7285; got "teal".'],
    ['WhiteLabel__AccentColor', '#12', /hex color/],
    ['WhiteLabel__LogoUrl', 'javascript:alert(1)', /http or https address or a path/],
    ['WhiteLabel__LogoUrl', '//evil.example', /http or https address or a path/],
    ['Storage__KeysPath', 'a\0b', /path of a folder/],
    ['Dashboard__EmbedPathPrefix', 'dash', /takes a path such as \/dash/],
    ['Dashboard__EmbedPathPrefix', '/', /takes a path such as \/dash/],
    ['Dashboard__EmbedPathPrefix', '/api', /not one of the portal's own/],
    ['Dashboard__EmbedPathPrefix', '/dashboards', /not one of the portal's own/],
    ['Dashboard__EmbedPathPrefix', '/a/../b', /takes a path/],
    ['Dashboard__Upstream', 'localhost:3000', /http or https address/],
    ['Dashboard__GateSecret', 'x'.repeat(31), /at least 32 printable ASCII characters.*got something else/],
    [
      'FleetIngest__Url',
      'https://user:s3cret@',
      /^FleetIngest__Url takes an http or https address such as .*; got something else\.$/,
    ],
    [
      'FleetIngest__IntervalSeconds',
      '0',
      'FleetIngest__IntervalSeconds takes a whole number from 1 to 86400; got "0".',
    ],
    ['FleetIngest__IntervalSeconds', '1.5', /whole number/],
    ['FleetIngest__BatchSize', '5k', /whole number from 1 to 200000; got "5k"/],
    ['FleetIngest__BatchSize', '1e3', /whole number/],
    ['FleetIngest__BatchSize', 'NaN', /whole number/],
    ['FleetIngest__TokenGraceHours', '721', /number from 0 to 720/],
    [
      'FleetIngest__BackoffMaxSeconds',
      '59',
      'FleetIngest__BackoffMaxSeconds is 59, which is less than FleetIngest__BackoffMinSeconds (60).',
    ],
    ['Mail__From', 'Portal <portal@example.com>', /takes a plain email address/],
    ['Mail__From', 'a@example.com,b@example.com', /takes a plain email address/],
    ['Mail__Host', 'smtp://mail', /takes the name or IP address of an SMTP server/],
    ['Mail__Security', 'ssl', 'Mail__Security takes starttls or tls or none; got "ssl".'],
    ['Mail__Port', '0', /whole number from 1 to 65535/],
    ['Demo__Enabled', '1', /true or false/],
    ['Demo__World', 'Mars', /OneCountry or SeveralCountries; got "Mars"/],
    [
      'Database__ConnectionStrng',
      'postgres://u:s3cret@h/db',
      'Database__ConnectionStrng is not a setting of the portal; did you mean Database__ConnectionString?',
    ],
    [
      'FLEETINGEST__INTERVAL',
      '5',
      'FLEETINGEST__INTERVAL is not a setting of the portal; did you mean FleetIngest__IntervalSeconds?',
    ],
    ['Application__', 'x', /not a setting of the portal/],
  ])('%s=%j', (name, value, message) => {
    const violations = refused({ [name]: value });
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatch(message);
    expect(violations.join()).not.toContain('s3cret');
  });

  test('an error about a setting from the .env file says so', () => {
    expect(refused({}, 'FleetIngest__BatchSize=many')).toEqual([
      'FleetIngest__BatchSize (in .env) takes a whole number from 1 to 200000; got "many".',
    ]);
    expect(refused({}, 'Demo__Enable=true\nA=b\nnonsense')).toEqual([
      'Line 3 of .env is not NAME=value; correct it or start it with # as a comment.',
      'Demo__Enable (in .env) is not a setting of the portal; did you mean Demo__Enabled?',
    ]);
  });

  test('two spellings of one name with two values', () => {
    expect(refused({ Demo__Enabled: 'true', DEMO__ENABLED: 'false' })).toEqual([
      'DEMO__ENABLED and Demo__Enabled are one setting with two values; keep one of them.',
    ]);
    expect(refused({ Demo__Enabled: 'true', DEMO__ENABLED: 'true' })).toEqual([]);
  });

  test('all violations of settings and guards are reported together (decisions.md 7)', () => {
    const violations = refused({
      Application__Environment: 'Production',
      Application__TimeZone: 'Mars',
      Database__AutoProvisionLocalTimescaleDb: 'true',
      Demo__Enabled: 'true',
      FleetIngest__Enabled: 'true',
      Metrics__Tokn: 'x',
    });
    expect(violations.map((violation) => violation.split(' ')[0])).toEqual([
      'Metrics__Tokn',
      'Application__TimeZone',
      'Authentication__DefaultAdminPassword',
      'Database__AutoProvisionLocalTimescaleDb',
      'Demo__Enabled',
      'FleetIngest__Url',
      'FleetIngest__Token',
    ]);
  });
});

describe('startup guards', () => {
  test.each([
    [
      'Startup rule 6: Production refuses the shipped admin password, left out',
      { ...production, Authentication__DefaultAdminPassword: '' },
      /^Authentication__DefaultAdminPassword is the shipped default, which is not allowed in Production/,
    ],
    [
      'Startup rule 6: Production refuses the shipped admin password, written out',
      { ...production, Authentication__DefaultAdminPassword: 'ChangeMe123!' },
      /^Authentication__DefaultAdminPassword is the shipped default/,
    ],
    [
      'Startup rule 7: Production refuses to start its own database',
      { ...production, Database__ConnectionString: '', Database__AutoProvisionLocalTimescaleDb: 'true' },
      /^Database__AutoProvisionLocalTimescaleDb is true, which is not allowed in Production/,
    ],
    [
      'Startup rule 8: Admin refuses to start without a connection string',
      { Application__RunMode: 'Admin' },
      'Database__ConnectionString is not set; the run mode Admin needs it.',
    ],
    [
      'Startup rule 9: push without a URL',
      { ...database, FleetIngest__Enabled: 'true', FleetIngest__Token: 'x' },
      'FleetIngest__Url is not set; FleetIngest__Enabled needs it.',
    ],
    [
      'Startup rule 9: push without a token',
      { ...database, FleetIngest__Enabled: 'true', FleetIngest__Url: 'https://fleet.example.com' },
      'FleetIngest__Token is not set; FleetIngest__Enabled needs it.',
    ],
    [
      'Production without a connection string',
      { ...production, Database__ConnectionString: '' },
      'Database__ConnectionString is not set; Production needs it.',
    ],
    [
      'no database at all',
      { Database__AutoProvisionLocalTimescaleDb: 'false' },
      'Database__ConnectionString is not set and Database__AutoProvisionLocalTimescaleDb is false; the portal needs one of them.',
    ],
    [
      'a given database and an own one at once',
      { ...database, Database__AutoProvisionLocalTimescaleDb: 'true' },
      'Database__AutoProvisionLocalTimescaleDb is true although Database__ConnectionString is set; keep one of them.',
    ],
    [
      'mail without a sender',
      { ...database, Mail__Host: 'smtp.example.com' },
      'Mail__From is not set; Mail__Host needs it.',
    ],
    [
      'a sender without a server',
      { ...database, Mail__From: 'a@example.com' },
      'Mail__Host is not set; Mail__From needs it.',
    ],
    [
      'a mail user without a password',
      { ...database, Mail__Host: 'h', Mail__From: 'a@example.com', Mail__Username: 'u' },
      'Mail__Password is not set; Mail__Username needs it.',
    ],
    [
      'a mail password that would be sent in clear text',
      {
        ...database,
        Mail__Host: 'h',
        Mail__From: 'a@b',
        Mail__Username: 'u',
        Mail__Password: 'p',
        Mail__Security: 'none',
      },
      'Mail__Password would be sent in clear text; set Mail__Security to starttls or tls.',
    ],
    [
      'demo data in Production',
      { ...production, Demo__Enabled: 'true' },
      /^Demo__Enabled is true, which is not allowed in Production/,
    ],
    [
      'demo data of an Admin',
      { ...database, Application__RunMode: 'Admin', Demo__Enabled: 'true' },
      /^Demo__Enabled is true, but only a Client/,
    ],
    [
      'push of an Admin',
      { ...database, Application__RunMode: 'Admin', FleetIngest__Enabled: 'true' },
      /^FleetIngest__Enabled is true, but only a Client pushes/,
    ],
  ])('%s', (_, environment, message) => {
    const violations = refused(environment);
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatch(message);
  });

  test('an Admin never starts its own database', () => {
    expect(refused({ Application__RunMode: 'Admin', Database__AutoProvisionLocalTimescaleDb: 'true' })).toEqual([
      expect.stringContaining('only a Client starts its own database'),
      'Database__ConnectionString is not set; the run mode Admin needs it.',
    ]);
  });

  test('Production starts with a connection string and a chosen password', () => {
    expect(accepted(production).environment).toBe('Production');
  });

  test('the dashboard tool is started in Development, unless one runs elsewhere; setting both is rejected', () => {
    expect(accepted({}).dashboard.start).toBe(true);
    expect(accepted(production).dashboard.start).toBe(false);
    const Dashboard__Upstream = 'http://127.0.0.1:3000';
    expect(accepted({ Dashboard__Upstream }).dashboard.start).toBe(false);
    expect(refused({ Dashboard__Upstream, Dashboard__Start: 'true' })).toEqual([
      'Dashboard__Start is true although Dashboard__Upstream is set; keep one of them.',
    ]);
  });

  test('a rejected value is reported once, not also as missing', () => {
    expect(refused({ ...production, Database__ConnectionString: 'nonsense' })).toEqual([
      expect.stringContaining('Database__ConnectionString takes'),
    ]);
  });
});

describe('configuration overview', () => {
  const entry = (name: string, environment: ConfigInput['environment'], envFile?: string) =>
    accepted(environment, envFile).overview.find((candidate) => candidate.name === name);

  test('lists every setting once, in the order of its section', () => {
    const names = accepted({}).overview.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.slice(0, 3)).toEqual(['Application__Environment', 'Application__RunMode', 'Application__PublicUrl']);
    expect(names.at(-1)).toBe('Demo__World');
  });

  test('shows where a value came from', () => {
    const name = 'Application__TimeZone';
    const common = { name, isSet: true, isSecret: false };
    expect(entry(name, {})).toEqual({ ...common, value: 'UTC', source: 'default' });
    expect(entry(name, {}, `${name}=Asia/Tokyo`)).toEqual({ ...common, value: 'Asia/Tokyo', source: 'file' });
    expect(entry(name, { APPLICATION__TIMEZONE: 'Asia/Tokyo' })).toEqual({
      ...common,
      value: 'Asia/Tokyo',
      source: 'environment',
    });
  });

  test('without a value it is not set', () => {
    expect(entry('FleetIngest__Url', {})).toEqual({
      name: 'FleetIngest__Url',
      value: null,
      source: 'default',
      isSet: false,
      isSecret: false,
    });
    expect(entry('FleetIngest__Token', {})).toEqual({
      name: 'FleetIngest__Token',
      value: null,
      source: 'default',
      isSet: false,
      isSecret: true,
    });
  });

  test.each([
    ['Authentication__DefaultAdminPassword', 'S3cretword'],
    ['FleetIngest__Token', 's3cret'],
    ['Metrics__Token', 's3cret'],
  ])('%s is never shown, only that it is set', (name, value) => {
    expect(entry(name, { [name]: value })).toEqual({
      name,
      value: null,
      source: 'environment',
      isSet: true,
      isSecret: true,
    });
  });

  test('NODE_ENV=production is named as the origin of Production, unless the setting itself says so', () => {
    const production = {
      NODE_ENV: 'production',
      Database__ConnectionString: 'postgres://db/portal',
      Authentication__DefaultAdminPassword: 'Own-Passw0rd',
    };
    const name = 'Application__Environment';
    expect(entry(name, production)).toMatchObject({ value: 'Production', source: 'environment' });
    expect(entry(name, {})).toMatchObject({ value: 'Development', source: 'default' });
  });

  test.each(['Metrics__Token', 'FleetIngest__Token'])(
    '%s with blanks could never be sent as a bearer token, and is rejected without being repeated',
    (name) => {
      for (const value of [' s3cret', 's3cret ', 's3 cret', 's3crét']) {
        expect(refused({ [name]: value })).toEqual([
          `${name} takes a token of printable ASCII characters without blanks; got something else.`,
        ]);
      }
    },
  );

  test('WhiteLabel settings obey the limits of the branding, so that the page can save them', () => {
    expect(refused({ WhiteLabel__ApplicationName: 'x'.repeat(101) })).toEqual([
      expect.stringMatching(/^WhiteLabel__ApplicationName takes a text of at most 100 characters; got /),
    ]);
    expect(refused({ WhiteLabel__FooterText: 'x'.repeat(501) })).toEqual([
      'WhiteLabel__FooterText takes a text of at most 500 characters; got something else.',
    ]);
    for (const logo of ['//evil.example.com/a.png', '/a/../b.png', '/a b.png', 'ftp://h/a.png']) {
      expect(refused({ WhiteLabel__LogoUrl: logo })).toEqual([
        expect.stringMatching(/^WhiteLabel__LogoUrl takes an http or https address or a path/),
      ]);
    }
  });

  test.each([
    ['Database__ConnectionString', 'postgres://portal:s3cret@db:5432/portal', 'postgres://portal@db:5432/portal'],
    [
      'Database__ConnectionString',
      'postgresql://db/portal?user=portal&password=s3cret&sslmode=require',
      'postgresql://db/portal?user=portal&password=…&sslmode=require',
    ],
    ['Database__ConnectionString', 'postgres://db/portal?PASSWORD=s3cret', 'postgres://db/portal?PASSWORD=…'],
    [
      'Database__ConnectionString',
      'postgres://portal:s3cret@one:5432,[::1]:5433/portal?password=s3cret',
      'postgres://portal@one:5432,[::1]:5433/portal?password=…',
    ],
    ['Database__ConnectionString', 'postgres://portal:s3c%40ret@db/portal', 'postgres://portal@db/portal'],
    ['Database__ConnectionString', 'postgres://portal:1/s3cret@db/portal', 'postgres://…'],
    ['Database__ConnectionString', 'postgres://portal:12?s3cret@db/portal', 'postgres://…'],
    ['Database__ConnectionString', 'postgres://portal:12#s3cret@db/portal', 'postgres://…'],
    ['Dashboard__Upstream', 'https://127.0.0.1:3000/x#s3cret', 'https://127.0.0.1:3000/x#…'],
    ['Dashboard__Upstream', 'https://127.0.0.1:3000/x?s3cret', 'https://127.0.0.1:3000/x?…'],
    [
      'Database__ConnectionString',
      'postgres://db/portal?s3cret&sslmode=require',
      'postgres://db/portal?…&sslmode=require',
    ],
    ['Dashboard__Upstream', 'https://portal:12?s3cret@127.0.0.1:3000', 'https://…'],
    ['Dashboard__Upstream', 'https://portal:443/s3cret@127.0.0.1:3000', 'https://…'],
    ['Database__ConnectionString', 'postgres://db/portal#s3cret', 'postgres://db/portal'],
    [
      'FleetIngest__Url',
      'https://user:s3cret@fleet.example.com/api/fleet/ingest',
      'https://…@fleet.example.com/api/fleet/ingest',
    ],
    ['FleetIngest__Url', 'https://fleet.example.com/in?token=s3cret', 'https://fleet.example.com/in?token=…'],
    ['Dashboard__Upstream', 'http://admin:s3cret@127.0.0.1:3000', 'http://…@127.0.0.1:3000/'],
    ['WhiteLabel__LogoUrl', 'https://u:s3cret@cdn.example.com/logo.png', 'https://…@cdn.example.com/logo.png'],
  ])('%s=%s shows %s', (name, value, shown) => {
    const found = entry(name, { [name]: value });
    expect(found?.value).toBe(shown);
    expect(JSON.stringify(accepted({ [name]: value }).overview)).not.toContain('s3c');
  });
});

describe('secrets in files', () => {
  let folder: string;
  const path = (name: string) => join(folder, name);
  const written = (name: string, content: string | Buffer) => {
    writeFileSync(path(name), content);
    return path(name);
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'portal-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['without a line end', 's3cret'],
    ['with one', 's3cret\n'],
    ['with one of Windows', 's3cret\r\n'],
  ])('<name>_FILE provides the secret %s, and the overview shows that it came from a file', (_, content) => {
    const config = accepted({ Metrics__Token_FILE: written('token', content) });
    expect(config.metrics.token).toBe('s3cret');
    expect(config.overview.find(({ name }) => name === 'Metrics__Token')).toEqual({
      name: 'Metrics__Token',
      value: null,
      source: 'secretFile',
      isSet: true,
      isSecret: true,
    });
    expect(JSON.stringify(config.overview)).not.toMatch(/s3cret|portal-secrets/);
  });

  test('only one line end is removed: a password keeps its blanks', () => {
    const config = accepted({ Authentication__DefaultAdminPassword_FILE: written('password', ' Str0ng Enough \n\n') });
    expect(config.authentication.defaultAdminPassword).toBe(' Str0ng Enough \n');
  });

  test('the connection string and each secret accept one, in any case, also from .env and relative to the working folder', () => {
    written('db', 'postgres://portal:s3cret@db:5432/portal\n');
    const result = readConfig({
      environment: { FleetIngest__Token_file: written('push', 'push-token') },
      envFile: 'DATABASE__CONNECTIONSTRING_FILE=db',
      workingFolder: folder,
      defaultDataPath: folder,
      version: '1.2.3',
    });
    if ('violations' in result) throw new Error(result.violations.join('\n'));
    expect(result.config.database.connectionString).toBe('postgres://portal:s3cret@db:5432/portal');
    expect(result.config.fleetIngest.token).toBe('push-token');
    expect(result.config.overview.find(({ name }) => name === 'Database__ConnectionString')).toMatchObject({
      value: 'postgres://portal@db:5432/portal',
      source: 'secretFile',
    });
    const inFiles = Object.values(defineSettings(folder)).filter(({ takesFile }) => takesFile);
    expect(inFiles.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'Database__ConnectionString',
        'Authentication__DefaultAdminPassword',
        'FleetIngest__Token',
        'Metrics__Token',
      ]),
    );
  });

  test('the environment wins over .env, whichever of them names a file; the losing file is not read', () => {
    expect(accepted({ Metrics__Token: 'a' }, 'Metrics__Token_FILE=/nowhere').metrics.token).toBe('a');
    expect(accepted({ Metrics__Token_FILE: written('b', 'b') }, 'Metrics__Token=a').metrics.token).toBe('b');
  });

  test('both set', () => {
    expect(refused({ Metrics__Token: 'a', Metrics__Token_FILE: written('a', 'a') })).toEqual([
      'Metrics__Token_FILE and Metrics__Token are one setting with two values; keep one of them.',
    ]);
    const samePath = written('b', 'b');
    expect(refused({ Metrics__Token: samePath, Metrics__Token_FILE: samePath })).toHaveLength(1);
  });

  test('a file that is missing, a folder, a pipe, empty, too large, not text, or invalid for the setting', () => {
    mkdirSync(path('folder'), { recursive: true });
    execFileSync('mkfifo', [path('pipe')]);
    const problems = (file: string) => refused({ Metrics__Token_FILE: file });
    const named = (name: string) => `Metrics__Token_FILE names ${path(name)}, which`;
    const notFile = 'is a folder or a device; it takes a file that holds the secret.';
    expect(problems(path('missing'))).toEqual([`${named('missing')} does not exist.`]);
    expect(problems(path('folder'))).toEqual([`${named('folder')} ${notFile}`]);
    expect(problems(path('pipe'))).toEqual([`${named('pipe')} ${notFile}`]);
    expect(problems(written('empty', '\n'))).toEqual([`${named('empty')} is empty.`]);
    expect(problems(written('large', 'x'.repeat(65_537)))).toEqual([`${named('large')} holds more than 65536 bytes.`]);
    expect(problems(written('binary', Buffer.from([0x80, 0x81])))).toEqual([
      `${named('binary')} is not a text in UTF-8.`,
    ]);
    expect(problems(path('x\0y'))).toEqual([expect.stringContaining('which the portal cannot read (')]);
    expect(problems(written('blank', 's3 cret'))).toEqual([
      'Metrics__Token_FILE takes a token of printable ASCII characters without blanks; got something else.',
    ]);
  });

  test('a secret that was entered instead of a path is not repeated', () => {
    expect(refused({ Metrics__Token_FILE: 's3cret' })).toEqual([
      'Metrics__Token_FILE names a file, which does not exist.',
    ]);
  });

  test('an unreadable file is reported once, at the path, and not also as missing', () => {
    expect(
      refused({ ...production, Database__ConnectionString: '', Database__ConnectionString_FILE: '/nowhere' }),
    ).toEqual(['Database__ConnectionString_FILE names /nowhere, which does not exist.']);
    expect(refused({}, 'Metrics__Token_FILE=/nowhere')).toEqual([
      'Metrics__Token_FILE (in .env) names /nowhere, which does not exist.',
    ]);
  });

  test('settings without a secret accept no file', () => {
    expect(refused({ Application__TimeZone_FILE: '/etc/timezone' })).toEqual([
      'Application__TimeZone_FILE is not a setting of the portal; did you mean Application__TimeZone?',
    ]);
  });
});

describe('.env', () => {
  test.each([
    ['a plain value', 'A=b', 'b'],
    ['blanks around name and value', '  A =  b  ', 'b'],
    ['export before the name', 'export A=b', 'b'],
    ['an empty value', 'A=', ''],
    ['a value with =', 'A=postgres://h/db?sslmode=require', 'postgres://h/db?sslmode=require'],
    ['a color, which is no comment', 'WhiteLabel__PrimaryColor=#0b7285', '#0b7285', 'WhiteLabel__PrimaryColor'],
    ['a # inside a password', 'A=pa#ss', 'pa#ss'],
    ['a comment after a value', 'A=b # why', 'b'],
    ['only a comment after =', 'A= # why', ''],
    ['double quotes keep blanks and #', 'A=" b # c "', ' b # c '],
    ['double quotes know \\n and \\"', 'A="b\\n\\"c\\""', 'b\n"c"'],
    ['single quotes keep all', "A='b\\n # c'", 'b\\n # c'],
    ['a comment after quotes', "A='b' # c", 'b'],
    ['a byte order mark', '\uFEFFA=b', 'b'],
    ['the last of two lines', 'A=b\nA=c', 'c'],
    ['Windows line ends', 'A=b\r\n', 'b'],
  ])('reads %s', (_, text, value, name = 'A') => {
    expect(parseEnvFile(text)).toEqual({ values: { [name]: value }, badLines: [] });
  });

  test('comments and empty lines are ignored', () => {
    expect(parseEnvFile('# A=b\n\n   \n  # c')).toEqual({ values: {}, badLines: [] });
  });

  test('reports the lines that are not assignments', () => {
    expect(parseEnvFile('A=b\nnonsense\nC="open\n1X=2')).toEqual({ values: { A: 'b' }, badLines: [2, 3, 4] });
  });
});
