/** Thrown by a route's guard: the page is not there in this run mode, or the signed-in user lacks the role it needs. */
export class RouteRefusal extends Error {
  override readonly name = 'RouteRefusal';
  readonly reason: 'missing' | 'forbidden';

  constructor(reason: 'missing' | 'forbidden') {
    super(reason);
    this.reason = reason;
  }
}
