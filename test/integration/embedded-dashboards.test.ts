import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embeddedDashboard, maxEmbeddedDashboards } from '../../shared/embedded-dashboards.ts';
import { seedEmbeddedDashboards } from '../../server/dashboards/embedded-dashboards.ts';
import { createUser } from '../support/accounts.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';

const url = '/api/embedded-dashboards';
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

describe.each([
  ['Client', createTestApp],
  ['Admin', createAdminApp],
] as const)('the embedded dashboards of a %s', (_runMode, create) => {
  let portal: TestApp;
  let admin: { cookie: string };
  let plain: { cookie: string };
  beforeAll(async () => {
    portal = await create({ environment: { Dashboard__EmbedPathPrefix: '/tools/dash' } });
    admin = await portal.signIn();
    plain = await portal.signIn(await createUser(portal, { email: 'reader@example.com' }));
  });
  afterAll(() => portal.close());

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers: object = admin) =>
    portal.app.inject({ method, url: path, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });
  const list = async () => embeddedDashboard.array().parse((await ask('GET', url, undefined, plain)).json());
  const add = async (values: object) => {
    const answer = await ask('POST', url, values);
    expect(answer.statusCode, answer.body).toBe(201);
    return embeddedDashboard.parse(answer.json());
  };

  describe('that ship', () => {
    test('are there from the first start on, under the prefix', async () => {
      expect((await list()).map(({ title, path }) => [title, path])).toEqual([
        ['Overview', '/tools/dash/dashboards/overview'],
        ['Energy and cost', '/tools/dash/dashboards/energy-and-cost'],
        ['Power quality', '/tools/dash/dashboards/power-quality'],
        ['Device comparison', '/tools/dash/dashboards/device-comparison'],
      ]);
    });

    test('can be changed and deleted, and the next start does not bring them back', async () => {
      const [overview, ...others] = await list();
      const { id = '', path } = overview ?? {};
      expect((await ask('PUT', `${url}/${id}`, { title: 'Start', path })).statusCode).toBe(200);
      for (const other of others) expect((await ask('DELETE', `${url}/${other.id}`)).statusCode).toBe(204);
      await seedEmbeddedDashboards(portal.database);
      expect((await list()).map(({ title }) => title)).toEqual(['Start']);
    });

    test('are found under another prefix where that is changed', async () => {
      const { connectionString } = portal.config.database;
      await using moved = await create({
        environment: { Dashboard__EmbedPathPrefix: '/d' },
        ...(connectionString !== undefined && { connectionString }),
      });
      const answer = await moved.app.inject({ url, headers: await moved.signIn() });
      expect(answer.json()).toMatchObject([{ path: '/d/dashboards/overview' }]);
    });
  });

  describe('of administrators', () => {
    beforeEach(async () => {
      await portal.database.query({ text: 'TRUNCATE portal.embedded_dashboards' });
    });

    test('a new one is the last, unless its place is said; what PUT leaves out stays', async () => {
      const first = await add({ title: 'A', path: '/tools/dash', sortOrder: 7, description: 'What it shows' });
      await add({ title: 'B', path: '/tools/dash/dashboards/overview?start=7d' });
      await add({ title: 'C', path: '/tools/dash/', sortOrder: 0 });
      expect((await list()).map(({ title, sortOrder }) => [title, sortOrder])).toEqual([
        ['C', 0],
        ['A', 7],
        ['B', 17],
      ]);
      const answer = await ask('PUT', `${url}/${first.id}`, { title: 'A2', path: '/tools/dash/' });
      expect(answer.json()).toEqual({ ...first, title: 'A2', path: '/tools/dash/' });
    });

    test.each([
      [{ path: '/tools/dash/a' }, /^title is missing/],
      [{ title: '', path: '/tools/dash/a' }, /^title: must not be empty/],
      [{ title: 'x'.repeat(101), path: '/tools/dash/a' }, /^title: must have at most 100/],
      [{ title: 'a\nb', path: '/tools/dash/a' }, /^title: must not contain/],
      [{ title: 'x' }, /^path is missing/],
      [{ title: 'x', path: '/dash/a' }, /^path: must be a path under \/tools\/dash .*got "\/dash\/a"/],
      [{ title: 'x', path: '/tools/dash/../../api/users' }, /^path: must be a path under/],
      [{ title: 'x', path: 'https://example.com/tools/dash' }, /^path: must be a path under/],
      [{ title: 'x', path: '/tools/dash/%2e%2e/x' }, /^path: must be a path under/],
      [{ title: 'x', path: `/tools/dash/${'x'.repeat(500)}` }, /^path: must have at most 500/],
      [
        { title: 'x', path: '/tools/dash/typo' },
        /^path: dashboard \/tools\/dash\/typo not found; choose an existing one/,
      ],
      [{ title: 'x', path: '/tools/dash/dashboards/typo?x=1' }, /^path: dashboard .*typo\?x=1 not found/],
      [{ title: 'x', path: '/tools/dash/dashboards/constructor' }, /^path: dashboard .* not found/],
      [{ title: 'x', path: '/tools/dash/a', sortOrder: -1 }, /^sortOrder/],
      [{ title: 'x', path: '/tools/dash/a', sortOrder: 1.5 }, /^sortOrder/],
      [{ title: 'x', path: '/tools/dash/a', description: 'x'.repeat(501) }, /^description/],
    ])('%j is refused with a sentence', async (values, sentence) => {
      const { id } = await add({ title: 'There', path: '/tools/dash' });
      for (const answer of [await ask('POST', url, values), await ask('PUT', `${url}/${id}`, values)]) {
        expect(answer.statusCode).toBe(400);
        expect(answer.json<{ error: string }>().error).toMatch(sentence);
      }
      expect(await list()).toHaveLength(1);
    });

    test('one that somebody made is accepted; deleted in the tool, it may still be renamed, moved and removed', async () => {
      await portal.database.query({
        text: `INSERT INTO dashboards.dashboards (name, version, title, updated_at, updated_by)
          VALUES ('mine', 1, 'Mine', '2026-01-01', 'Ada')`,
      });
      const path = '/tools/dash/dashboards/mine';
      const { id } = await add({ title: 'Mine', path });
      await portal.database.query({ text: `DELETE FROM dashboards.dashboards WHERE name = 'mine'` });
      expect((await ask('PUT', `${url}/${id}`, { title: 'Gone', path, sortOrder: 3 })).statusCode).toBe(200);
      expect((await ask('POST', url, { title: 'Mine', path })).statusCode).toBe(400);
      expect((await ask('DELETE', `${url}/${id}`)).statusCode).toBe(204);
    });

    test('an unknown one is 404', async () => {
      const values = { title: 'x', path: '/tools/dash' };
      expect((await ask('PUT', `${url}/${unknownId}`, values)).statusCode).toBe(404);
      expect((await ask('DELETE', `${url}/${unknownId}`)).statusCode).toBe(404);
      expect((await ask('DELETE', `${url}/x`)).statusCode).toBe(404);
    });

    test(`there are never more than ${maxEmbeddedDashboards}, also when they are added at the same time`, async () => {
      for (let n = 1; n < maxEmbeddedDashboards; n += 1) await add({ title: `${n}`, path: '/tools/dash' });
      const more = ['x', 'y', 'z'].map((title) => ask('POST', url, { title, path: '/tools/dash' }));
      const answers = await Promise.all(more);
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
      const refused = answers.find(({ statusCode }) => statusCode === 409);
      expect(refused?.json<{ error: string }>().error).toMatch(/delete one first/);
      expect(await list()).toHaveLength(maxEmbeddedDashboards);
    });

    test('who added, changed and deleted one stands in the audit trail', async () => {
      const { id } = await add({ title: 'Seen', path: '/tools/dash' });
      await ask('PUT', `${url}/${id}`, { title: 'Seen again', path: '/tools/dash' });
      await ask('DELETE', `${url}/${id}`);
      const answer = await ask('GET', `/api/admin/audit?subjectId=${id}&subjectKind=embedded-dashboard`);
      const { events } = answer.json<{ events: { action: string; before: object; after: object }[] }>();
      expect(events.map(({ action }) => action)).toEqual([
        'embedded-dashboard.delete',
        'embedded-dashboard.change',
        'embedded-dashboard.create',
      ]);
      expect(events[1]).toMatchObject({ before: { title: 'Seen' }, after: { title: 'Seen again' } });
    });
  });
});
