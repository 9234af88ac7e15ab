import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readApiDocuments } from '../support/api-documents.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite, post } from '../support/sites.ts';

const generate = fileURLToPath(import.meta.resolve('../support/clients/generate.mjs'));
const compiler = fileURLToPath(import.meta.resolve('../../node_modules/typescript/bin/tsc'));

/** Code of a user of a generated client. A line below `@ts-expect-error` must not compile. */
const programs = {
  Client: `
    import { exportRawMeasurementsCsv, getDashboardSummary, getLoadCurve, ingestMeasurements, signIn } from './client/index.ts';
    import { client } from './client/client.gen.ts';
    import type { components, operations } from './schema.ts';

    const [baseUrl = '', session = '', key = '', ...deviceIds] = process.argv.slice(2);
    client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? key : session) });

    const rows = [0, 15, 30].map((minute) => ({
      externalId: 'meter-1',
      time: '2026-03-10T10:' + String(minute).padStart(2, '0') + ':00Z',
      activePowerKw: 8,
      energyImportedKwh: 100 + minute / 7.5,
    }));
    const { data: stored } = await ingestMeasurements({ body: rows });
    const { data: summary, error } = await getDashboardSummary({
      query: { fromDate: '2026-03-10', toDate: '2026-03-11', deviceIds },
    });
    const { error: refusal, response } = await signIn({ body: { email: 'nobody@example.com', password: 'Wrong-1' } });
    console.log(
      JSON.stringify({
        stored,
        devices: summary?.devices.map(({ deviceName }) => deviceName),
        energyKwh: summary?.energyImportedKwh,
        error: error?.error,
        refusal: [response?.status, refusal?.error],
      }),
    );

    export const download = () => exportRawMeasurementsCsv({ query: { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' } });

    // @ts-expect-error A power is a number.
    export const wrongRow = () => ingestMeasurements({ body: [{ externalId: 'meter-1', time: '', activePowerKw: '1.5' }] });
    // @ts-expect-error There is no such bucket.
    export const wrongBucket = () => getLoadCurve({ query: { bucket: '7min', groupBy: 'site' } });
    // @ts-expect-error groupBy is required.
    export const withoutGroup = () => getLoadCurve({ query: { bucket: 'hour' } });

    type Summary = operations['getDashboardSummary']['responses'][200]['content']['application/json'];
    export const peakOf = (summary: Summary): number | null => summary.peakPowerKw;
    export const row: components['schemas']['IngestRow'] = { externalId: 'meter-1', time: '', activePowerKw: 1.5 };
    // @ts-expect-error A power is a number.
    export const wrong: components['schemas']['IngestRow'] = { externalId: 'meter-1', time: '', activePowerKw: '1.5' };
    // @ts-expect-error There is no such bucket.
    export const bucket: components['schemas']['Bucket'] = '7min';
  `,
  Admin: `
    import { getFleetDashboard, ingestBatch, rotateCustomerToken, type FleetCustomer } from './client/index.ts';
    import type { components, operations } from './schema.ts';

    export async function listSilent(): Promise<FleetCustomer[]> {
      const { data } = await getFleetDashboard({ throwOnError: true });
      return data.customers.filter(({ state }) => state === 'silent');
    }
    export const push = () => ingestBatch({ auth: 'token', headers: { 'x-batch-type': 'sites' }, body: [] });
    export const rotate = (id: string) => rotateCustomerToken({ path: { id } });

    // @ts-expect-error There is no such type of batch.
    export const wrongType = () => ingestBatch({ headers: { 'x-batch-type': 'gadgets' }, body: [] });
    // @ts-expect-error The customer is missing.
    export const withoutId = () => rotateCustomerToken({ body: { graceHours: 1 } });

    type Dashboard = operations['getFleetDashboard']['responses'][200]['content']['application/json'];
    export const countOf = ({ customers }: Dashboard): number => customers.length;
    // @ts-expect-error There is no such state.
    export const state: components['schemas']['CustomerState'] = 'sleepy';
  `,
};

const options = {
  compilerOptions: {
    strict: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [fileURLToPath(import.meta.resolve('../../node_modules/@types'))],
    noEmit: true,
  },
};

const portal = appOfFile();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-clients-'));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const documents = await readApiDocuments();
  await Promise.all(
    documents.map(async ({ mode, text }) => {
      const ofMode = join(folder, mode);
      await mkdir(ofMode);
      await writeFile(join(ofMode, 'openapi.json'), text);
      const { code, output } = await run(generate, [join(ofMode, 'openapi.json'), ofMode]);
      expect(code, output).toBe(0);
      await writeFile(join(ofMode, 'program.ts'), programs[mode]);
    }),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('clients of both run modes compile under strict, and reject a wrong call', async () => {
  expect(await run(compiler, ['-p', folder])).toEqual({ code: 0, output: '' });
});

it('a generated client signs its requests, stores rows and reads a summary', async () => {
  const headers = await portal.signIn();
  const session = { app: portal.app, headers };
  const site = await createSite(session);
  const devices = [
    await createDevice(session, site, { externalId: 'meter-1' }),
    await createDevice(session, site, { externalId: 'meter-2' }),
  ];
  await createDevice(session, site, { externalId: 'meter-3' });
  const { key } = (await post(session, '/api/api-keys', { name: 'Gateway' })).json<{ key: string }>();
  const address = await portal.app.listen({ host: '127.0.0.1', port: 0 });
  const [, cookie = ''] = headers.cookie.split('=');
  const { code, output } = await run(join(folder, 'Client', 'program.ts'), [address, cookie, key, ...devices]);
  expect(code, output).toBe(0);
  expect(JSON.parse(output)).toEqual({
    stored: { accepted: 3, rejected: 0, duplicates: 0, errors: [] },
    devices: ['meter-1', 'meter-2'],
    energyKwh: 4,
    refusal: [401, 'Wrong email or password.'],
  });
});

async function run(script: string, words: readonly string[]): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [code]: unknown[] = await once(child, 'close');
  return { code, output };
}
