/** What can go wrong for a caller; http/errors.ts maps each code to a status, in one place. */
export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  /** Not the version that whoever asks has seen. */
  | 'stale'
  | 'tooLarge'
  | 'unsupportedMediaType'
  | 'tooManyRequests'
  | 'unavailable'
  /** Whoever asked has gone away; nobody is told. */
  | 'abandoned';

/** An outcome that the caller must be told. `message` is one sentence that a person can act on. */
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
