import type { Customer } from '../../../../shared/fleet.ts';

/** Whether the token before the current one is still honoured. */
export const isPreviousValid = (
  { previousTokenExpiresAt }: Pick<Customer, 'previousTokenExpiresAt'>,
  nowMs: number,
): boolean => previousTokenExpiresAt !== null && Date.parse(previousTokenExpiresAt) > nowMs;
