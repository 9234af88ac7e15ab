import { expect, it } from 'vitest';
import { onlyUnderstood } from './only-understood.ts';

it('removes unknown parameters, so that merging it into the raw parameters leaves nothing of them', () => {
  const raw = { a: 2, returnTo: 'https://evil.example' };
  expect({ ...raw, ...onlyUnderstood(raw, {}) }).toEqual({ a: undefined, returnTo: undefined });
  expect({ ...raw, ...onlyUnderstood(raw, { a: 1 }) }).toEqual({ a: 1, returnTo: undefined });
});
