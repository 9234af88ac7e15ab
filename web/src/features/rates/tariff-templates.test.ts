import { expect, test } from 'vitest';
import { bandCoverage, findOverlaps } from './bands.ts';
import { bandsOfTemplate, tariffTemplates } from './tariff-templates.ts';

const hours = (template: (typeof tariffTemplates)[number]) =>
  Object.fromEntries(
    bandsOfTemplate(template, (name) => name).map((band) => [
      band.name,
      bandCoverage(band).reduce((sum, minute) => sum + minute, 0) / 60,
    ]),
  );

test('each template paints the week as its name says', () => {
  expect(tariffTemplates.map(hours)).toEqual([{}, { night: 56 }, { weekend: 48 }, { peak: 20, offPeak: 56 }]);
});

test.each(tariffTemplates)('no two periods of %s overlap, and none has a price', (template) => {
  const bands = bandsOfTemplate(template, (name) => name);
  expect(findOverlaps(bands)).toEqual([]);
  expect(bands.map(({ rate }) => rate)).toEqual(bands.map(() => ''));
});
