import { expect, test } from 'vitest';
import { compareFlags } from './data-quality.ts';

test('Flags are listed newest first, those of one time by kind and direction, in whatever order they come', () => {
  const listed = [
    { timeMicros: 2, kind: 'reset', direction: 'imported' },
    { timeMicros: 1, kind: 'gap', direction: 'exported' },
    { timeMicros: 1, kind: 'gap', direction: 'imported' },
    { timeMicros: 1, kind: 'reset', direction: 'exported' },
    { timeMicros: 1, kind: 'reset', direction: 'imported' },
  ];
  for (let first = 0; first < listed.length; first += 1) {
    const turned = [...listed.slice(first), ...listed.slice(0, first)];
    expect(turned.toSorted(compareFlags)).toEqual(listed);
    expect(turned.toReversed().toSorted(compareFlags)).toEqual(listed);
  }
});
