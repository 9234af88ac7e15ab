import { expect, expectTypeOf, it } from 'vitest';
import type { EnergyQuestion } from '../energy/read-energy.ts';
import { allDevices, chosenIds, type DeviceScope } from './scopes.ts';

it('a read names its scope: without one it does not compile, and only "all" means all', () => {
  expectTypeOf<Omit<EnergyQuestion, 'scope'>>().not.toExtend<EnergyQuestion>();
  expectTypeOf<{ devices: null }>().not.toExtend<DeviceScope>();
  expectTypeOf<{ devices: undefined }>().not.toExtend<DeviceScope>();
  expect(chosenIds(allDevices)).toBeNull();
  expect(chosenIds({ devices: [] })).toEqual([]);
});
