import { expect, it } from 'vitest';
import { offeredEndUses, sameEndUse } from './end-uses.ts';

const used = (...endUses: (string | null)[]) => endUses.map((endUse) => ({ endUse }));
const compare = (a: string, b: string) => (a < b ? -1 : 1);

it('the end uses of devices are suggested, each in its first spelling, and common ones that are not in use', () => {
  const devices = used('Pumps', null, 'LIGHTING', 'pumps', 'IT');
  expect(offeredEndUses(devices, ['Heating', 'Lighting'], compare)).toEqual(['IT', 'LIGHTING', 'Pumps', 'Heating']);
});

it('if many are in use, no others are suggested', () => {
  const devices = used(...'abcdefgh');
  expect(offeredEndUses(devices, ['Heating'], compare)).toEqual([...'abcdefgh']);
});

it('typed text means the end use of a device in any case, in the spelling of that device', () => {
  expect(sameEndUse(' lighting ', used('Lighting'))).toBe('Lighting');
  expect(sameEndUse('light', used('Lighting', null))).toBeUndefined();
  expect(sameEndUse('', used(null))).toBeUndefined();
});
