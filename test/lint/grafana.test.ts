import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { fileOf, grafanaDashboards } from '../../deploy/grafana/dashboards/all.ts';
import { dataSource } from '../../deploy/grafana/dashboards/panels.ts';
import { grafanaFolder, listPanels, readGrafana } from '../support/grafana.ts';

const dashboards = grafanaDashboards();
const panels = dashboards.flatMap((dashboard) =>
  listPanels(dashboard).map((one) => ({ uid: dashboard.uid, title: one.panel.title, ...one })),
);

it.each(dashboards.map(fileOf))(
  'generated/$name is what the TypeScript says; `UPDATE_DASHBOARDS=1 npm test test/lint/grafana` writes it anew',
  async ({ name, text }) => {
    if (process.env['UPDATE_DASHBOARDS'] === '1') await writeFile(join(grafanaFolder, 'generated', name), text);
    expect(await readGrafana(`generated/${name}`)).toBe(text);
  },
);

it('there are the four dashboards of the tool, under its names', () => {
  expect(dashboards.map(({ uid }) => uid)).toEqual([
    'overview',
    'energy-and-cost',
    'power-quality',
    'device-comparison',
  ]);
});

describe('the panels', () => {
  it.each(panels)('$uid: "$title" says what it shows, in which unit, and asks the one data source', ({ panel }) => {
    expect(panel).toMatchObject({
      title: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\.$/),
      datasource: dataSource,
      fieldConfig: { defaults: { unit: expect.stringMatching(/\S/) } },
      type: expect.stringMatching(/^(stat|table|timeseries|piechart|bargauge|barchart)$/),
    });
  });

  it('no two of a dashboard have the same title', () => {
    const titles = panels.map(({ uid, title }) => `${uid} ${title}`);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('fill the rows of the grid, and none lies on another', () => {
    for (const dashboard of dashboards) {
      const widths = new Map<number, number>();
      for (const { gridPos } of listPanels(dashboard).map(({ panel }) => panel)) {
        widths.set(gridPos?.y ?? 0, (widths.get(gridPos?.y ?? 0) ?? 0) + (gridPos?.w ?? 0));
      }
      expect(new Set(widths.values())).toEqual(new Set([24]));
    }
  });

  it('ask through the functions of the schema `reporting` alone', () => {
    for (const { queries } of panels) {
      for (const { rawSql } of queries) {
        const sources = [...rawSql.matchAll(/\b(?:FROM|JOIN)\s+([\w.]+)/g)].map(([, name]) => name);
        expect(sources.filter((name) => !/^reporting\.\w+$/.test(name ?? ''))).toEqual([]);
      }
    }
  });
});

describe('the overlay', async () => {
  const service = z.object({
    image: z.string(),
    read_only: z.literal(true),
    cap_drop: z.tuple([z.literal('ALL')]),
    security_opt: z.array(z.string()),
    networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown()).transform(Object.keys)]),
    environment: z.record(z.string(), z.string()).default({}),
    secrets: z.array(z.string()),
    volumes: z.array(z.string()),
    mem_limit: z.string(),
    cpus: z.union([z.string(), z.number()]),
    pids_limit: z.number(),
    ports: z.undefined().optional(),
  });
  const overlay = z
    .object({
      services: z.object({
        dashboards: z.object({ profiles: z.array(z.string()).nonempty() }),
        grafana: service,
        'grafana-setup': service,
      }),
      networks: z.record(z.string(), z.object({ name: z.string(), external: z.literal(true) })),
      secrets: z.record(z.string(), z.object({ file: z.string() })),
    })
    .parse(parse(await readGrafana('../compose.grafana.yaml'), { merge: true }));
  const { grafana, 'grafana-setup': setup } = overlay.services;

  it('starts Grafana of an exact version, and not the tool', () => {
    expect(grafana.image).toMatch(/^\$\{GRAFANA_IMAGE:-docker\.io\/grafana\/grafana:\d+\.\d+\.\d+\}$/);
  });

  it('only Caddy reaches it: it is in a network with Caddy alone, and believes nobody of another one', () => {
    expect(grafana.networks).toEqual(['database', 'grafana']);
    expect(setup.networks).toEqual(['database']);
    expect(Object.keys(overlay.networks)).toEqual(['grafana']);
    expect(grafana.environment['GF_AUTH_PROXY_WHITELIST']).toBe('${GRAFANA_SUBNET:?}');
  });

  it('nobody is anybody there but by the headers of the proxy', () => {
    expect(grafana.environment).toMatchObject({
      GF_AUTH_PROXY_ENABLED: 'true',
      GF_AUTH_PROXY_HEADER_NAME: 'X-Portal-User',
      GF_AUTH_PROXY_HEADERS: 'Email:X-Portal-Email Name:X-Portal-Name Role:X-Portal-Role',
      GF_AUTH_PROXY_ENABLE_LOGIN_TOKEN: 'false',
      GF_AUTH_ANONYMOUS_ENABLED: 'false',
      GF_AUTH_BASIC_ENABLED: 'false',
      GF_AUTH_DISABLE_LOGIN_FORM: 'true',
      GF_USERS_ALLOW_SIGN_UP: 'false',
      GF_USERS_AUTO_ASSIGN_ORG_ROLE: 'Viewer',
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
      GF_PUBLIC_DASHBOARDS_ENABLED: 'false',
      GF_SNAPSHOTS_ENABLED: 'false',
      GF_PANELS_DISABLE_SANITIZE_HTML: 'false',
    });
    expect(grafana.environment['GF_SECURITY_CONTENT_SECURITY_POLICY_TEMPLATE']).toContain("frame-ancestors 'self'");
  });

  it('secrets are files, and the account of the superuser is not given to Grafana', () => {
    expect(grafana.secrets).toEqual(['grafana_database', 'grafana_secret_key']);
    expect(setup.secrets).toEqual(['postgres_password', 'grafana_database']);
    const named = Object.keys({ ...grafana.environment, ...setup.environment });
    expect(named.filter((name) => /password|secret_?key|token$/i.test(name) && !name.endsWith('__FILE'))).toEqual([
      'GF_AUTH_PROXY_ENABLE_LOGIN_TOKEN',
    ]);
  });

  it('what is mounted there cannot be written, but for its own data', () => {
    expect(grafana.volumes.filter((volume) => !volume.endsWith(':ro'))).toEqual(['grafana:/var/lib/grafana']);
    expect(setup.volumes).toEqual(['./grafana:/grafana:ro']);
  });

  it('has the one data source, with the role and the password of the secret', async () => {
    expect(parse(await readGrafana('provisioning/datasources/portal.yaml'))).toMatchObject({
      prune: true,
      datasources: [
        {
          ...dataSource,
          url: 'database:5432',
          user: 'portal_grafana',
          editable: false,
          secureJsonData: { password: '$__file{/run/secrets/grafana_database}' },
        },
      ],
    });
  });
});
