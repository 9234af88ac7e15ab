import { describe, expect, it } from 'vitest';
import { withRole } from './users-query.ts';

describe('the switch of a role', () => {
  it('gives and takes the role', () => {
    expect(withRole([], 'Admin', true)).toEqual(['Admin']);
    expect(withRole(['Admin'], 'Admin', false)).toEqual([]);
    expect(withRole(['Admin'], 'Admin', true)).toEqual(['Admin']);
  });

  it('leaves other roles alone', () => {
    expect(withRole(['RestrictedAdmin'], 'Admin', true)).toEqual(['Admin', 'RestrictedAdmin']);
    expect(withRole(['Admin', 'RestrictedAdmin'], 'Admin', false)).toEqual(['RestrictedAdmin']);
    expect(withRole(['Admin'], 'RestrictedAdmin', true)).toEqual(['Admin', 'RestrictedAdmin']);
    expect(withRole(['Admin', 'RestrictedAdmin'], 'RestrictedAdmin', false)).toEqual(['Admin']);
  });
});
