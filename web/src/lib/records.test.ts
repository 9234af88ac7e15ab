import { expect, it } from 'vitest';
import { tariffWrite } from '../../../shared/rates.ts';
import { deviceWrite } from '../../../shared/sites.ts';
import { maxLengthOf, maxValueOf } from './records.ts';

it('takes the limits of a field from the schema of the portal', () => {
  const { name, externalId, endUse, ratedPowerKw, expectedIntervalSeconds, isActive } = deviceWrite.shape;
  expect([name, externalId, endUse].map(maxLengthOf)).toEqual([200, 200, 60]);
  expect([ratedPowerKw, expectedIntervalSeconds, tariffWrite.shape.vatPercent].map(maxValueOf)).toEqual([
    1e9, 86_400, 100,
  ]);
  expect([maxLengthOf(isActive), maxValueOf(isActive), maxLengthOf(ratedPowerKw)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
