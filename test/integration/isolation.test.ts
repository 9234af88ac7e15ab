import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measure, split } from '../../shared/dashboard-tool.ts';
import { bucket } from '../../shared/primitives.ts';
import { createUser } from '../support/accounts.ts';
import { type Operation, readApiOperations } from '../support/api-operations.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { openTestTool, somebody, type TestTool } from '../support/dashboard-tool.ts';
import { copyToFleet, createCustomer } from '../support/fleet.ts';
import { createDevice, createSite, createTariff, post } from '../support/sites.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

// Two customers whose devices have the same ids and numbers, as after a restored backup, and otherwise no figure in common.
const now = Date.parse('2026-03-10T12:00:00Z');
const range = { from: '2026-03-09T00:00:00Z', to: '2026-03-11T00:00:00Z' };

const hiddenSeenAt = new Date(now - 173_000).toISOString();

let fleet: TestApp;
let tool: TestTool;
let own = '';
let hidden = '';
/** Of both. */
let deviceId = '';
let operations: Operation[];
let admin: { cookie: string };
let restricted: { cookie: string };
let person: { id: string };
/** What an administrator sees of the assigned customer. */
let ofOwn: Set<string>;
let ofOwnInTool: Set<string>;

beforeAll(async () => {
  const options = { now: () => now };
  await using client = await createTestApp(options);
  fleet = await createAdminApp(options);
  const session = { app: client.app, headers: await client.signIn() };
  const site = await createSite(session, { name: 'Seen site' });
  await createTariff(session, site, { name: 'Seen tariff' });
  deviceId = await createDevice(session, site, { externalId: 'seen-meter', name: 'Seen meter' });
  const rows = Array.from({ length: 167 }, (_, at) => ({
    externalId: 'seen-meter',
    time: new Date(now - (at + 61) * 60_000).toISOString(),
    activePowerKw: 11.013 + at * 0.017,
    voltageV: 231.017 + at * 0.013,
    energyImportedKwh: 1013.117 - at * 0.193,
  }));
  await post(session, '/api/ingest/measurements', rows);

  admin = await fleet.signIn();
  own = (await createCustomer(fleet, 'seen-works', { name: 'Seen Works', headers: admin })).id;
  await copyToFleet(client, fleet, own, new Date(now - 612_000).toISOString());
  operations = await readApiOperations(fleet, admin);
  tool = await openTestTool(fleet, options);
  // While the other customer does not exist yet, so that the answers cannot contain its data.
  ofOwn = await valuesOfAll(questionsOf(own));
  ofOwnInTool = await toolValuesOfAll(own);
  await makeEveryFigureAnother(client);
  hidden = (await createCustomer(fleet, 'undercover-works', { name: 'Undercover Works', headers: admin })).id;
  await copyToFleet(client, fleet, hidden, hiddenSeenAt);
  await fleet.database.query(
    {
      text: `INSERT INTO fleet.ingest_events (customer_id, id, received_at, batch_type, rows_accepted, rows_rejected,
                                              payload_bytes, cursor, error)
             SELECT $1::uuid, gen_random_uuid(), $2, 'sites', 4400 + n, 5500 + n, 660000 + n, 'undercover cursor ' || n,
                    'Undercover error ' || n
             FROM generate_series(1, 30) n`,
    },
    [hidden, hiddenSeenAt],
  );
  await fleet.database.query(
    { text: `UPDATE fleet.customer_state SET last_error = 'Undercover error' WHERE customer_id = $1` },
    [hidden],
  );

  person = await createUser(fleet, { email: 'restricted@example.com', roles: ['RestrictedAdmin'] });
  const url = `/api/users/${person.id}/customers`;
  await fleet.app.inject({ method: 'PUT', url, headers: admin, payload: { customerIds: [own] } });
  restricted = await fleet.signIn({ email: 'restricted@example.com', password: 'Secret-Pass-1' });
}, 120_000);
const searched: string[] = [];
afterAll(async () => {
  process.stderr.write(`Isolation: searched ${searched.join('; ')}.\n`);
  await tool[Symbol.asyncDispose]();
  await fleet.close();
});

/**
 * Names, rates, readings and their times. The readings are newer than those of the other customer, so that a leak would show
 * them first.
 */
async function makeEveryFigureAnother({ database }: TestApp): Promise<void> {
  for (const table of ['sites', 'devices', 'municipalities', 'tariffs', 'tariff_periods'])
    await database.query({ text: `UPDATE monitoring.${table} SET name = 'Undercover ' || name` });
  await database.query({ text: `UPDATE monitoring.devices SET external_id = 'undercover-meter'` });
  await database.query({
    text: `UPDATE monitoring.tariffs SET default_rate_per_kwh = 0.7331, fixed_charge_per_month = 83.21, vat_percent = 7.3`,
  });
  await database.query({ text: `UPDATE monitoring.tariff_periods SET rate_per_kwh = 0.6473` });
  await database.query({ text: 'DELETE FROM monitoring.measurements WHERE extract(minute FROM time) % 5 = 0' });
  await database.query({
    text: `UPDATE monitoring.measurements
           SET time = time + interval '60 minutes 17 seconds', active_power_milliwatts = active_power_milliwatts * 7 + 3331,
               voltage_millivolts = voltage_millivolts + 7919,
               energy_imported_milliwatthours = energy_imported_milliwatthours * 13 + 77771`,
  });
}

/** An answer in pieces: the entries of lists, the rows of a workbook, the lines of a file. */
function rowsOf(answer: Pick<LightMyRequestResponse, 'body' | 'headers' | 'rawPayload'>): unknown[] {
  const type = String(answer.headers['content-type']);
  if (type.includes('spreadsheetml')) return openWorkbook(answer.rawPayload).sheets.flatMap(({ rows }) => rows);
  if (type.includes('csv')) return answer.body.split('\n').map((line) => line.split(/[,;]/));
  if (type.includes('ndjson'))
    return answer.body.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const value: unknown = type.includes('json') && answer.body !== '' ? JSON.parse(answer.body) : null;
  return typeof value === 'object' && value !== null ? Object.values(value).flat() : [];
}

const valuesOf = (answer: Parameters<typeof rowsOf>[0]) => rowsOf(answer).flatMap(leavesOf);

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  const text = String(value);
  return isTelling(text) ? [text] : [];
}

/** At least three characters: small numbers occur everywhere. */
const isTelling = (text: string) => text.length > 2;

interface Question {
  path: string;
  id: string;
  query: Record<string, string>;
}

/** Every read of the fleet for one customer, or for all if its path names none. */
function questionsOf(id: string): Question[] {
  return operations
    .filter(({ method }) => method === 'GET')
    .flatMap(({ path, parameters }) => {
      const buckets = parameters.some(({ name }) => name === 'bucket') ? bucket.options : ['hour'];
      return buckets.map((size) => ({ path, id, query: { ...range, bucket: size, deviceId } }));
    });
}

const ask = ({ path, id, query }: Question, headers: { cookie: string }) =>
  fleet.app.inject({ url: path.replace('{id}', id), query, headers });

/** The values in the answers to an administrator of the fleet. */
async function valuesOfAll(questions: readonly Question[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const question of questions.filter(({ path }) => path.includes('/fleet/'))) {
    const answer = await ask(question, admin);
    expect(answer.statusCode, `${question.path}: ${answer.body.slice(0, 200)}`).toBe(200);
    for (const value of valuesOf(answer)) found.add(value);
  }
  return found;
}

/** Every query of the dashboard tool: for all customers, and for one. */
function toolQuestions(customerId: string): { path: string; payload?: object }[] {
  const customers = [undefined, [customerId]];
  const asked = measure.options.flatMap((one) =>
    split.options.flatMap((by) =>
      customers.map((chosen) => ({ measure: one, split: by, ...range, ...(chosen && { customers: chosen }) })),
    ),
  );
  return [
    ...['customers', 'sites', 'devices'].map((path) => ({ path })),
    ...['sites', 'devices'].map((path) => ({ path: `${path}?customer=${customerId}` })),
    ...asked.flatMap((payload) => [
      { path: 'query', payload },
      { path: 'totals', payload },
    ]),
    ...customers.map((chosen) => ({
      path: 'heatmap',
      payload: { measure: 'power', ...range, ...(chosen && { customers: chosen }) },
    })),
  ];
}

async function toolValues({ path, payload }: { path: string; payload?: object }, as = somebody) {
  const { status, body } = await tool.ask(`/api/${path}`, { as, ...(payload && { payload }) });
  return { status, body, values: status === 200 ? leavesOf(JSON.parse(body)) : [] };
}

async function toolValuesOfAll(customerId: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const question of toolQuestions(customerId))
    for (const value of (await toolValues(question)).values) found.add(value);
  return found;
}

test('no answer of the portal to a RestrictedAdmin contains a value of an unassigned customer', async () => {
  const secret = (await valuesOfAll(questionsOf(hidden))).difference(ofOwn);
  let seen = 0;
  for (const question of [...questionsOf(own), ...questionsOf(hidden)]) {
    const answer = await ask(question, restricted);
    const what = `${question.path} ${new URLSearchParams(question.query).toString()} ${answer.statusCode}`;
    const values = valuesOf(answer);
    const leaked = values.filter((value) => secret.has(value) || /undercover/i.test(value));
    expect(leaked, what).toEqual([]);
    expect(answer.body + JSON.stringify(answer.headers), what).not.toMatch(new RegExp(`undercover|${hidden}`, 'i'));
    if (question.id === hidden && question.path.includes('{id}')) expect([403, 404], what).toContain(answer.statusCode);
    if (answer.statusCode === 200) seen += values.length;
  }
  searched.push(`${questionsOf(own).length + questionsOf(hidden).length} answers for ${secret.size} values`);
  expect(secret.size).toBeGreaterThan(300);
  expect(seen).toBeGreaterThan(300);
});

test('no answer of the dashboard tool to a RestrictedAdmin contains a value of an unassigned customer', async () => {
  const as = { ...somebody, user: person.id, role: 'RestrictedAdmin' } as const;
  const secret = (await toolValuesOfAll(hidden)).difference(ofOwnInTool);
  expect(secret.size).toBeGreaterThan(100);
  let seen = 0;
  for (const question of toolQuestions(hidden)) {
    const { status, body, values } = await toolValues(question, as);
    const what = `${question.path} ${JSON.stringify(question.payload)} ${status}: ${body.slice(0, 300)}`;
    expect(
      values.filter((value) => secret.has(value)),
      what,
    ).toEqual([]);
    expect(body, what).not.toMatch(/undercover/i);
    seen += values.length;
  }
  searched.push(`${toolQuestions(hidden).length} answers of the dashboard tool for ${secret.size} values`);
  expect(seen).toBeGreaterThan(100);
});
