/** Thrown by a route's guard when the signed-in user lacks the role it needs. */
export class ForbiddenError extends Error {
  override readonly name = 'ForbiddenError';
}
