import { violatedConstraint } from '../db/pool.ts';
import { DomainError } from '../domain/errors.ts';

/** For `catch`: throws the refusal for the constraint that a write has violated, or else the error itself. */
export const refuseViolation =
  (refusals: Readonly<Record<string, () => DomainError | Promise<DomainError>>>) =>
  async (error: unknown): Promise<never> => {
    const refusal = refusals[violatedConstraint(error) ?? ''];
    throw refusal === undefined ? error : await refusal();
  };

export const nameTaken = (what: string, name: string) =>
  new DomainError('conflict', `name: there is already ${what} named "${name}"; choose another name.`);

export const noMunicipality = (id: string) =>
  new DomainError('invalid', `municipalityId: there is no municipality ${id}; choose one of GET /api/rates.`);

/** Throws `conflict` while something belongs to the thing to be deleted. */
export function refuseWhileUsed(what: string, count: number, user: 'site' | 'device'): void {
  if (count === 0) return;
  const users = count === 1 ? `1 ${user}` : `${count} ${user}s`;
  throw new DomainError('conflict', `The ${what} has ${users}; move or delete them first.`);
}
