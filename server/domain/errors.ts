/** What can go wrong for a caller; http/errors.ts maps each code to a status, in one place. */
export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  /** The caller has seen another version. */
  | 'stale'
  | 'tooLarge'
  | 'unsupportedMediaType'
  | 'tooManyRequests'
  | 'unavailable'
  /** The client has gone away; nobody gets the answer. */
  | 'abandoned';

/** An outcome for the caller. `message` is a sentence that a person can act on. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, retryAfterSeconds?: number, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DomainError';
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const notFound = (what: string) => new DomainError('notFound', `There is no such ${what}.`);

/** The value that was looked for. Throws `notFound` if it is null or false. */
export function found<T>(value: T | null | false, what: string): T {
  if (value === null || value === false) throw notFound(what);
  return value;
}

/**
 * Throws if the stored version is not the one that the caller has seen. Call it while the row is locked.
 */
export type Precondition<Stored> = (stored: Stored) => void;
