import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
