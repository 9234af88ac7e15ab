import { createTranslator } from 'use-intl/core';
import { expect, it } from 'vitest';
import { pages as messages } from '../../../messages/en/page/pages.ts';
import { chartCsv, type ChartNumbers } from './value-columns.ts';

const t = createTranslator({ locale: 'en', messages, namespace: 'charts' });
const at = Date.parse('2026-10-25T00:00:00Z');
const hour = 3_600_000;
const numbers: ChartNumbers = {
  title: 'Load curve',
  data: {
    startsMs: [at, at + hour],
    endsMs: [at + hour, at + 2 * hour],
    series: [
      { id: 'a', name: '=cmd', values: [1.23456789, null] },
      { id: 'b', name: 'Press', values: [0.1, 0.2], lows: [0, 0.1], highs: [0.3, 0.4] },
    ],
  },
  references: [],
  unit: 'kW',
  kind: 'bars',
  timeZone: 'Europe/Berlin',
};

it('the file of a chart has each interval with its offset and every digit', () => {
  const made = chartCsv(numbers, t);
  expect(made).toEqual({
    name: 'Load curve 2026-10-25',
    header: ['Start', 'End', '=cmd (kW)', 'Press (kW)', 'Lowest (kW)', 'Highest (kW)', 'Total (kW)'],
    rows: [
      ['2026-10-25T02:00:00+02:00', '2026-10-25T02:00:00+01:00', 1.23456789, 0.1, 0, 0.3, 1.23456789 + 0.1],
      ['2026-10-25T02:00:00+01:00', '2026-10-25T03:00:00+01:00', null, 0.2, 0.1, 0.4, 0.2],
    ],
  });
});

it('lines are not added up', () => {
  expect(chartCsv({ ...numbers, kind: 'lines' }, t).header).not.toContain('Total (kW)');
});
