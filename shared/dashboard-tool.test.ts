import { expect, test } from 'vitest';
import { dashboardSpec, seriesQuestion } from './dashboard-tool.ts';

const panelWith = (query: object, panelKind = 'TimeSeriesChart') => ({
  panels: {
    load: {
      kind: 'Panel',
      spec: {
        display: { name: 'Load' },
        plugin: { kind: panelKind, spec: { legend: { position: 'bottom' } } },
        queries: [{ kind: 'TimeSeriesQuery', spec: { plugin: query } }],
      },
    },
  },
});
const problems = (spec: unknown) => dashboardSpec.safeParse(spec).error?.issues.map(({ path }) => path.join('.')) ?? [];

test('A dashboard with our query, variables and panels is taken', () => {
  const spec = panelWith({ kind: 'PortalQuery', spec: { measure: 'power', split: 'device', sites: ['$site'] } });
  expect(problems(spec)).toEqual([]);
  expect(dashboardSpec.parse(spec)).toMatchObject({ duration: 'last24h', variables: [], ...spec });
});

test('A query of another plugin, with SQL, or with a filter that is neither an id nor a variable is refused', () => {
  const at = 'panels.load.spec.queries.0.spec.plugin';
  expect(problems(panelWith({ kind: 'SqlQuery', spec: { measure: 'power' } }))).toEqual([`${at}.kind`]);
  expect(problems(panelWith({ kind: 'PortalQuery', spec: { measure: 'power', sql: 'SELECT 1' } }))).toEqual([
    `${at}.spec`,
  ]);
  expect(problems(panelWith({ kind: 'PortalQuery', spec: { measure: 'power', sites: ["' OR 1"] } }))).toEqual([
    `${at}.spec.sites.0`,
  ]);
});

test('A panel of an unknown kind, and a link that runs a script, are refused', () => {
  const query = { kind: 'PortalQuery', spec: { measure: 'cost' } };
  expect(problems(panelWith(query, 'Iframe'))).toEqual(['panels.load.spec.plugin.kind']);
  expect(problems({ links: [{ url: 'javascript:alert(1)' }] })).toEqual(['links.0.url']);
});

test('A pie of an older dashboard is bars', () => {
  const spec = panelWith({ kind: 'PortalQuery', spec: { measure: 'energy' } }, 'PieChart');
  expect(dashboardSpec.parse(spec).panels['load']?.spec.plugin.kind).toBe('BarChart');
});

test('A question about everything needs a measure and a range only', () => {
  expect(seriesQuestion.parse({ measure: 'energy', from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' })).toEqual(
    {
      measure: 'energy',
      split: 'none',
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-02T00:00:00Z',
      sites: [],
      devices: [],
      customers: [],
      step: 'auto',
    },
  );
});
