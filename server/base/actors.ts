/** Somebody with a session, and the address that the request came from. */
export interface AccountActor {
  kind: 'account';
  accountId: string;
  sessionId: string;
  sourceAddress: string;
}

/** Somebody who has not signed in. */
export interface AnonymousActor {
  kind: 'anonymous';
  sourceAddress: string;
}

/** Who changes something: somebody, or the portal itself. */
export type Actor = AccountActor | AnonymousActor | { kind: 'system' };

/** Who makes a change, and where it is logged. Every command that changes something takes one. */
export interface Author<Who extends Actor = Actor> {
  actor: Who;
  log: { info: (details: object, message: string) => void };
}
