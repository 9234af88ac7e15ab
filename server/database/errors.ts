import { DomainError, message, refuse } from '../base/errors.ts';
import { isSilence } from './connections.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const unavailableStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300', '25006']);
const unavailableCauses = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]);
const unavailableMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Cannot use a pool after|Connection ended unexpectedly/;

/** The SQLSTATE of an error from PostgreSQL, or the system's code of a broken connection. */
export function errorState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * An error from another node contains the constraint's name only in its message, followed by the number of a shard
 * (decisions.md 9).
 */
const nameInMessage = /"([^"]+)"$/;
const numberOfPart = /_\d{6,}$/;

/** The violated constraint or unique index; undefined for any other error. */
function violatedConstraint(error: unknown): string | undefined {
  const state = errorState(error);
  if (state !== '23505' && state !== '23503' && state !== '23514') return undefined;
  if (!(error instanceof Error)) return undefined;
  const isNamed = 'constraint' in error && typeof error.constraint === 'string';
  return (isNamed ? String(error.constraint) : nameInMessage.exec(error.message)?.[1])?.replace(numberOfPart, '');
}

export function isUnavailable(error: unknown): boolean {
  const state = errorState(error);
  if (state !== undefined && (state.startsWith('08') || unavailableStates.has(state) || unavailableCauses.has(state))) {
    return true;
  }
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return isSilence(error) || (error instanceof Error && unavailableMessages.test(error.message));
}

/** Whether the cause is the statement, or the work on its result; not the database, a time limit or a lock. */
export function isOwnFault(error: unknown): boolean {
  if (error instanceof DomainError) return errorState(error.cause) === '57014';
  return !isUnavailable(error) && !isConflict(error) && codeOf(errorState(error), true) === undefined;
}

export function isConflict(error: unknown): boolean {
  const state = errorState(error);
  return state === '40001' || state === '40P01';
}

export function translate(error: unknown, isRead: boolean): unknown {
  if (error instanceof DomainError) return error;
  const code = isUnavailable(error) ? 'databaseAway' : codeOf(errorState(error), isRead);
  return code === undefined ? error : refuse(code, {}, { cause: error });
}

function codeOf(state: string | undefined, isRead: boolean) {
  if (state === '55P03') return 'databaseBusy';
  if (state !== '57014') return undefined;
  return isRead ? 'queryTooLong' : 'changeTooLong';
}

/** In a container network, names cannot be resolved for a moment while another container joins. */
const usualPausesMs = [100, 300, 600, 1_000];
const unknownName = new Set(['ENOTFOUND', 'EAI_AGAIN']);

/** Runs work that needs the name of another machine, and retries after each pause if the name cannot be resolved; nothing was sent then. */
export async function untilNameIsKnown<T>(
  work: () => Promise<T>,
  signal?: AbortSignal,
  pausesMs: readonly number[] = usualPausesMs,
): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isUnknownName(error)) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal?.aborted === true) throw error;
    }
  }
  return work();
}

/** Whether a name could not be resolved. `fetch` reports that as the cause of its error. */
function isUnknownName(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && unknownName.has(String(error.code))) || isUnknownName(error.cause);
}

const maxTries = 6;
const pauseMs = 1_000;

/**
 * Retries a change that found the database busy. For changes that take the exclusive ingest lock, for which all ingests wait:
 * several short attempts, between which ingest goes on, rather than one long one. Throws what the last attempt throws.
 */
export async function retryBusy<T>(change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change();
    } catch (error) {
      if (tries === maxTries || !(error instanceof DomainError && error.kind === 'unavailable')) throw error;
    }
    await sleep(pauseMs);
  }
}

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

/** Throws `conflict` if other records still belong to the one to be deleted. */
export function refuseWhileUsed(what: 'municipality' | 'site', count: number): void {
  if (count === 0) return;
  const users = {
    municipality: () => (count === 1 ? message('oneSite') : message('sites', { count })),
    site: () => (count === 1 ? message('oneDevice') : message('devices', { count })),
  };
  throw refuse('stillUsed', { what: message(what), users: users[what]() });
}
