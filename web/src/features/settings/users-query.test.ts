import { describe, expect, it } from 'vitest';
import { rolesWithAdmin } from './users-query.ts';

describe('the switch "Administrator"', () => {
  it('gives and takes the role Admin', () => {
    expect(rolesWithAdmin([], true)).toEqual(['Admin']);
    expect(rolesWithAdmin(['Admin'], false)).toEqual([]);
    expect(rolesWithAdmin(['Admin'], true)).toEqual(['Admin']);
  });

  it('leaves other roles alone', () => {
    expect(rolesWithAdmin(['RestrictedAdmin'], true)).toEqual(['Admin', 'RestrictedAdmin']);
    expect(rolesWithAdmin(['Admin', 'RestrictedAdmin'], false)).toEqual(['RestrictedAdmin']);
  });
});
