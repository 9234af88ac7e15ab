import { expect, test } from 'vitest';
import { orderedRoles } from './accounts.sql.ts';
import { refuseRolesOutsideMode } from './users.ts';

test('Roles: answered in one order, each once, without unknown ones', () => {
  expect(orderedRoles(['RestrictedAdmin', 'Admin', 'Admin', 'Root'])).toEqual(['Admin', 'RestrictedAdmin']);
  expect(orderedRoles([])).toEqual([]);
});

test('Roles: Client mode uses only Admin', () => {
  expect(() => refuseRolesOutsideMode(['Admin'], 'Client')).not.toThrow();
  expect(() => refuseRolesOutsideMode([], 'Client')).not.toThrow();
  expect(() => refuseRolesOutsideMode(['Admin', 'RestrictedAdmin'], 'Client')).toThrow(/RestrictedAdmin/);
  expect(() => refuseRolesOutsideMode(['Admin', 'RestrictedAdmin'], 'Admin')).not.toThrow();
});
