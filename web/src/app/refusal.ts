/** Thrown by a route's guard: the page does not exist in this run mode, or the signed-in user lacks the required role. */
export class RouteRefusal extends Error {
  override readonly name = 'RouteRefusal';
  readonly reason: 'missing' | 'forbidden';

  constructor(reason: 'missing' | 'forbidden') {
    super(reason);
    this.reason = reason;
  }
}
