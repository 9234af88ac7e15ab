import { createTranslator } from 'use-intl/core';
import { expect, it } from 'vitest';
import { loadFirstMessages, loadMessages } from '../../lib/i18n/catalogue.ts';
import { languages } from '../../../../shared/messages.ts';
import { readSiteTable, tableFields } from './site-table.ts';

const sourceNames = { auto: 'Automatic', register: 'Register only', power: 'Power only' };

it('columns are found by their headings in any language and order; unknown ones are named', () => {
  const table = readSiteTable(
    '\uFEFFExterne Kennung;Gerät;Standort;Note;Nennleistung (kW);Aktiv\n4711;Pumpe;Werk;x;1.234,5;nein',
    ',',
    sourceNames,
  );
  expect(table.fields).toEqual(['site', 'name', 'externalId', 'isActive', 'ratedPowerKw']);
  expect(table.unknown).toEqual(['Note']);
  expect(table.rows).toEqual([
    {
      number: 2,
      texts: { site: 'Werk', name: 'Pumpe', externalId: '4711', isActive: 'nein', ratedPowerKw: '1.234,5' },
      values: { site: 'Werk', name: 'Pumpe', externalId: '4711', isActive: false, ratedPowerKw: 1234.5 },
    },
  ]);
});

it('unreadable cells are sent as they are, so that the portal says what it accepts', () => {
  const [row] = readSiteTable('site\tactive\trated power\nA\tperhaps\tmuch', '.', sourceNames).rows;
  expect(row?.values).toEqual({ site: 'A', isActive: 'perhaps', ratedPowerKw: 'much' });
});

it('a formula stays text', () => {
  const [row] = readSiteTable('site,name\n"=HYPERLINK(""x"")",@y', '.', sourceNames).rows;
  expect(row?.values).toEqual({ site: '=HYPERLINK("x")', name: '@y' });
});

it.each(languages)('the headings of the empty table are read back: %s', async (language) => {
  const { sites, terms } = await loadMessages(language, 'pages');
  const { common } = await loadFirstMessages(language);
  const { device } = sites;
  const headings = [
    terms.site,
    terms.municipality,
    common.name,
    terms.externalId,
    terms.active,
    device.energySource,
    `${device.ratedPowerKw} (kW)`,
    `${device.registerMaxKwh} (kWh)`,
    `${device.expectedIntervalSeconds} (${device.seconds})`,
    device.parent,
    device.endUse,
  ];
  expect(readSiteTable(headings.join('\t'), '.', sourceNames)).toMatchObject({ fields: tableFields, unknown: [] });
});

it.each(['Meter ID', 'Serial number', 'Zählernummer', 'Numéro de série', 'Matricola'])(
  'installers know a meter by its number: %s is the external ID',
  (heading) => {
    expect(readSiteTable(`Site name\t${heading}\nMill\t4711`, '.', sourceNames)).toMatchObject({
      fields: ['site', 'externalId'],
      unknown: [],
    });
  },
);

it('of two headings for the same field the first is used, and the second is reported', () => {
  const table = readSiteTable('Standort\tGerät\tZähler\tExterne Kennung\nNeubau\tHeizung\t4711\tz-1', ',', sourceNames);
  expect(table.rows[0]?.texts).toMatchObject({ name: 'Heizung', externalId: 'z-1' });
  expect(table.unknown).toEqual(['Zähler']);
});

it.each(languages)("the energy source is read in the page's words and by the portal's name: %s", async (language) => {
  const { sources } = (await loadMessages(language, 'pages')).sites.device;
  for (const [source, name] of Object.entries(sources)) {
    for (const text of [name, name.toUpperCase(), source]) {
      const [row] = readSiteTable(`site\tenergySource\nA\t${text}`, '.', sources).rows;
      expect(row?.values.energySource).toBe(source);
    }
  }
});

it('titles and empty lines may be above the headings, and rows are counted as the spreadsheet shows them', () => {
  const table = readSiteTable('Meters of the plant;;\n\nSite;Name;\nWorks;Pump;unheaded', '.', sourceNames);
  expect(table).toMatchObject({ fields: ['site', 'name'], unknown: [] });
  expect(table.rows).toMatchObject([{ number: 4, texts: { site: 'Works', name: 'Pump' } }]);
});

it.each(languages)('the result leaves out a kind of which nothing was created: %s', async (language) => {
  const { sites } = await loadMessages(language, 'pages');
  const t = createTranslator({ locale: language, messages: { done: sites.import.done } });
  expect(t('done', { sites: 0, devices: 3 })).toMatch(/^\p{L}+\s?: 3 \p{L}+\.$/u);
  expect(t('done', { sites: 2, devices: 0 })).toMatch(/^\p{L}+\s?: 2 \p{L}+\.$/u);
  expect(t('done', { sites: 2, devices: 3 })).toMatch(/^\p{L}+\s?: 2 \p{L}+ \p{L}+ 3 \p{L}+\.$/u);
});
