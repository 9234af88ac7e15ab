import { expect, it } from 'vitest';
import { brandingUpdate } from '../../../shared/app.ts';
import { tariffWrite } from '../../../shared/rates.ts';
import { deviceWrite } from '../../../shared/sites.ts';
import { maxLengthOf, maxValueOf, problemsOf } from './records.ts';

it('takes the limits of a field from the schema of the portal', () => {
  const { name, externalId, endUse, ratedPowerKw, expectedIntervalSeconds, isActive } = deviceWrite.shape;
  expect([name, externalId, endUse].map(maxLengthOf)).toEqual([200, 200, 60]);
  expect([ratedPowerKw, expectedIntervalSeconds, tariffWrite.shape.vatPercent].map(maxValueOf)).toEqual([
    1e9, 86_400, 100,
  ]);
  expect([brandingUpdate.shape.applicationName, brandingUpdate.shape.logoUrl].map(maxLengthOf)).toEqual([100, 2000]);
  expect([maxLengthOf(isActive), maxValueOf(isActive), maxLengthOf(ratedPowerKw)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

const right = { siteId: '018f0000-0000-7000-8000-000000000001', name: 'Gate', externalId: 'gate', ratedPowerKw: 5 };
const told = (change: object) => {
  const written = { ...right, ...change };
  const problems = { ratedPowerKw: (max: number | undefined) => `above zero, at most ${max}` };
  return problemsOf(deviceWrite, { typed: written, written }, problems, 'required');
};

it.each<[object, object]>([
  [{}, {}],
  [
    { name: ' ', externalId: '' },
    { name: 'required', externalId: 'required' },
  ],
  [{ ratedPowerKw: 2e9 }, { ratedPowerKw: 'above zero, at most 1000000000' }],
  [{ ratedPowerKw: Number.NaN }, { ratedPowerKw: 'above zero, at most 1000000000' }],
])('a form of %j gets the message %j', (change, problems) => {
  expect(told(change)).toEqual(problems);
});

it('leaves errors to the portal for which the page has no words', () => {
  expect(told({ name: 'two\nlines' })).toEqual({});
});

it('reports nothing about fields that the form does not show', () => {
  expect(problemsOf(deviceWrite, { typed: { name: '' }, written: { name: '' } }, {}, 'required')).toEqual({
    name: 'required',
  });
});
