import { describe, expect, test } from 'vitest';
import { shares } from '../../server/base/budgets.ts';
import type { TestApp } from '../support/app.ts';
import { adminAppOfFile, appOfFile } from '../support/app-of-file.ts';
import { createCustomer } from '../support/fleet.ts';
import { createDevice, createSite, post } from '../support/sites.ts';

const client = appOfFile();
const fleet = adminAppOfFile();
const reading = { time: '2026-03-01T00:00:00Z', activePowerKw: 1 };
const notOfIngest = Object.entries(shares).filter(([name]) => !/ingest$/i.test(name));

/** Another task holds all connections of a share, and more requests wait for one, while `work` runs. */
async function withSaturated(
  { database }: TestApp,
  share: (typeof shares)[keyof typeof shares],
  work: () => Promise<void>,
): Promise<void> {
  const own = database.within(share);
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const beginnings = Array.from({ length: share.connections }, () => Promise.withResolvers<void>());
  const held = beginnings.map(({ resolve }) =>
    own.transaction(async () => {
      resolve();
      await isOver;
    }),
  );
  await Promise.all(beginnings.map(({ promise }) => promise));
  // The pool lets them wait for seconds, then they fail.
  const waiting = Array.from({ length: 20 }, () => own.query({ text: 'SELECT 1' }).catch(() => undefined));
  try {
    await work();
  } finally {
    end();
    await Promise.all([...held, ...waiting]);
  }
}

describe.each(notOfIngest)('while all connections of the share "%s" are taken, and others wait for one', (_, share) => {
  test('an ingest is stored', async () => {
    const session = { app: client.app, headers: await client.signIn() };
    const externalId = `meter ${JSON.stringify(share)}`;
    await createDevice(session, await createSite(session), { externalId });
    const { key } = (await post(session, '/api/api-keys', { name: externalId })).json<{ key: string }>();
    await withSaturated(client, share, async () => {
      const answer = await client.app.inject({
        method: 'POST',
        url: '/api/ingest/measurements',
        headers: { authorization: `Bearer ${key}` },
        payload: [{ externalId, ...reading }],
      });
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { accepted: 1, duplicates: 0, rejected: 0 }]);
    });
  });

  test('a batch of the fleet is stored', async () => {
    const code = `of-${share.statementMs}`;
    const { token } = await createCustomer(fleet, code);
    await withSaturated(fleet, share, async () => {
      const answer = await fleet.app.inject({
        method: 'POST',
        url: '/api/fleet/ingest',
        headers: { 'x-customer-token': token, 'x-batch-type': 'measurements' },
        payload: [{ deviceId: '0197a3c0-0000-7000-8000-000000000000', ...reading }],
      });
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { accepted: 1, rejected: 0 }]);
    });
  });
});

test('a customer whose sets wait for each other keeps no connection from the measurements of others', async () => {
  const [slow, other] = [await createCustomer(fleet, 'slow'), await createCustomer(fleet, 'other')];
  const send = (token: string, type: string, payload: object[]) =>
    fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/ingest',
      headers: { 'x-customer-token': token, 'x-batch-type': type },
      payload,
    });
  await fleet.database.within(shares.background).transaction(async (tx) => {
    await tx.query({ text: 'SELECT FROM fleet.customer_state WHERE customer_id = $1 FOR UPDATE' }, [slow.id]);
    const sets = Array.from({ length: 2 * shares.ingest.connections }, () => send(slow.token, 'sites', []));
    await expect
      .poll(async () => (await tx.query({ text: 'SELECT FROM pg_locks WHERE NOT granted' })).rowCount)
      .toBeGreaterThanOrEqual(1);
    const answer = await send(other.token, 'measurements', [
      { deviceId: '0197a3c0-0000-7000-8000-000000000000', ...reading },
    ]);
    expect(answer.statusCode).toBe(200);
    await tx.query({ text: 'COMMIT; BEGIN' });
    expect((await Promise.all(sets)).map(({ statusCode }) => statusCode)).toEqual(sets.map(() => 200));
  });
});

test('the line of a request and the metrics name the budget in which it waited for its turn', async () => {
  const headers = await client.signIn();
  const url = '/api/dashboard/summary?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z';
  client.log.length = 0;
  // One account runs two of the reads at once; none of them ends while the devices are locked.
  await client.database.within(shares.background).transaction(async (tx) => {
    await tx.query({ text: 'LOCK TABLE monitoring.devices IN ACCESS EXCLUSIVE MODE' });
    const asked = [1, 2, 3].map(() => client.app.inject({ url, headers }));
    await expect
      .poll(async () => (await tx.query({ text: `SELECT FROM pg_locks WHERE NOT granted` })).rowCount)
      .toBeGreaterThanOrEqual(2);
    await tx.query({ text: 'COMMIT; BEGIN' });
    expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });
  const lines = client.log.filter(({ path }) => path === '/api/dashboard/summary');
  expect(lines).toHaveLength(3);
  expect(lines.flatMap(({ waitedFor }) => waitedFor ?? [])).toEqual(['reads']);
  const metrics = await client.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  expect(metrics.body).toMatch(/^portal_budget_waits_total\{budget="reads"\} [1-9]/m);
});
