import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readApiDocuments } from '../support/api-documents.ts';

const generate = fileURLToPath(import.meta.resolve('../support/clients/generate.mjs'));
const compiler = fileURLToPath(import.meta.resolve('../../node_modules/typescript/bin/tsc'));

/** What a stranger writes with a generated client. A line below `@ts-expect-error` must not compile. */
const programs = {
  Client: `
    import { exportRawMeasurementsCsv, getDashboardSummary, getLoadCurve, ingestMeasurements } from './client';
    import type { components, operations } from './schema.ts';

    export async function readCosts(deviceIds: string[]): Promise<number> {
      const { data, error } = await getDashboardSummary({
        query: { fromDate: '2026-03-01', toDate: '2026-04-01', deviceIds },
      });
      if (data === undefined) throw new Error(error.error);
      return data.costs.reduce((sum, { total }) => sum + total, 0);
    }
    export async function send(): Promise<number | undefined> {
      const { data } = await ingestMeasurements({
        auth: 'key',
        body: [{ externalId: 'meter-1', time: '2026-03-10T10:00:00Z', activePowerKw: 1.5 }],
      });
      return data?.accepted;
    }
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
    import { getFleetDashboard, ingestBatch, rotateCustomerToken, type FleetCustomer } from './client';
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
    types: [],
    noEmit: true,
  },
};

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

it('clients of both run modes compile under strict, and refuse a wrong call', async () => {
  expect(await run(compiler, ['-p', folder])).toEqual({ code: 0, output: '' });
});

async function run(script: string, words: readonly string[]): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [code]: unknown[] = await once(child, 'close');
  return { code, output };
}
