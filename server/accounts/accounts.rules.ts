import { refuse } from '../base/errors.ts';

export type Role = 'Admin' | 'RestrictedAdmin';

/** An account as its own session sees it. */
export interface Account {
  id: string;
  email: string;
  displayName: string;
  roles: Role[];
}

const rolesInOrder: readonly Role[] = ['Admin', 'RestrictedAdmin'];

/** The known roles among `given`, each once, in their fixed order. */
export function orderedRoles(given: readonly string[]): Role[] {
  return rolesInOrder.filter((role) => given.includes(role));
}

/** Client mode uses only the role Admin (decisions.md 2). */
export function refuseRolesOutsideMode(roles: readonly Role[], runMode: 'Client' | 'Admin'): void {
  if (runMode === 'Client' && roles.some((role) => role !== 'Admin')) {
    throw refuse('restrictedInClient', {}, { field: 'roles' });
  }
}
