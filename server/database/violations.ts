import { violatedConstraint } from './pool.ts';
import { type DomainError, message, refuse } from '../base/errors.ts';

/** For `catch`: throws the refusal for the constraint that a write has violated, or else the error itself. */
export const refuseViolation =
  (refusals: Readonly<Record<string, () => DomainError | Promise<DomainError>>>) =>
  async (error: unknown): Promise<never> => {
    const refusal = refusals[violatedConstraint(error) ?? ''];
    throw refusal === undefined ? error : await refusal();
  };

export const nameTaken = (what: 'anApiKey' | 'aMunicipality' | 'aSite', name: string) =>
  refuse('nameTaken', { what: message(what), name }, { field: 'name' });

export const noMunicipality = (id: string) => refuse('noMunicipality', { id }, { field: 'municipalityId' });

/** Throws `conflict` while something belongs to the thing to be deleted. */
export function refuseWhileUsed(what: 'municipality' | 'site', count: number): void {
  if (count === 0) return;
  const users = {
    municipality: () => (count === 1 ? message('oneSite') : message('sites', { count })),
    site: () => (count === 1 ? message('oneDevice') : message('devices', { count })),
  };
  throw refuse('stillUsed', { what: message(what), users: users[what]() });
}
