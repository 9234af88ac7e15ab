import { expect, it } from 'vitest';
import { othersOfTrees, parentChoices } from './parent-choices.ts';

const device = (id: string, parentDeviceId: string | null, siteId = 's') => ({ id, siteId, parentDeviceId });
const devices = [
  device('gate', null),
  device('press', 'hall'),
  device('hall', 'main'),
  device('main', null),
  device('elsewhere', null, 't'),
];
const idsFor = (siteId: string, deviceId: string | null) =>
  parentChoices(devices, siteId, deviceId).map(({ id }) => id);

it('offers the devices of the site, each below the one that it measures a part of', () => {
  expect(idsFor('s', null)).toEqual(['gate', 'main', 'hall', 'press']);
  expect(idsFor('t', null)).toEqual(['elsewhere']);
});

it('offers neither the device itself nor its own parts', () => {
  expect(idsFor('s', 'hall')).toEqual(['gate', 'main']);
  expect(idsFor('s', 'main')).toEqual(['gate']);
  expect(idsFor('t', 'elsewhere')).toEqual([]);
});

it('tells what the trees of chosen devices have beside them', () => {
  const others = (...chosen: string[]) => othersOfTrees(devices, new Set(chosen)).map(({ id }) => id);
  expect(others('gate', 'elsewhere')).toEqual([]);
  expect(others('press')).toEqual(['hall', 'main']);
  expect(others('main', 'gate')).toEqual(['press', 'hall']);
  expect(others('press', 'hall', 'main')).toEqual([]);
});
