import { expect, it } from 'vitest';
import { offeredEndUses, sameEndUse } from './end-uses.ts';

const used = (...endUses: (string | null)[]) => endUses.map((endUse) => ({ endUse }));
const compare = (a: string, b: string) => (a < b ? -1 : 1);

it('offered are the end uses of devices, each in its first spelling, and common ones that are none of them', () => {
  const devices = used('Pumps', null, 'LIGHTING', 'pumps', 'IT');
  expect(offeredEndUses(devices, ['Heating', 'Lighting'], compare)).toEqual(['IT', 'LIGHTING', 'Pumps', 'Heating']);
});

it('where many are used no others are offered', () => {
  const devices = used(...'abcdefgh');
  expect(offeredEndUses(devices, ['Heating'], compare)).toEqual([...'abcdefgh']);
});

it('what is typed means the end use of a device in any case, in the spelling of that one', () => {
  expect(sameEndUse(' lighting ', used('Lighting'))).toBe('Lighting');
  expect(sameEndUse('light', used('Lighting', null))).toBeUndefined();
  expect(sameEndUse('', used(null))).toBeUndefined();
});
