import type { Database } from '../db/pool.ts';
import type { Actor } from '../domain/actors.ts';

/** Who makes a change, and where it is recorded. Every command that changes something takes one. */
export interface Author<Who extends Actor = Actor> {
  actor: Who;
  log: { info: (details: object, message: string) => void };
}

/** What a change of a resource needs. */
export interface Changing<Who extends Actor = Actor> {
  database: Database;
  by: Author<Who>;
}

type Action =
  | `${'site' | 'device' | 'municipality' | 'tariff' | 'user' | 'customer'}.${'create' | 'change' | 'delete'}`
  | `user.${'reset-password' | 'unlock' | 'change-customers'}`
  | 'customer.rotate-token'
  | `api-key.${'create' | 'revoke'}`
  | `branding.${'change' | 'replace-logo' | 'remove-logo'}`
  | `session.${'begin' | 'end' | 'end-others'}`
  | `own.${'change-name' | 'change-password'}`;

/** Records a change: a log line today, a row of the audit trail once there is one. */
export function recordChange({ actor, log }: Author, action: Action, subjectId: string | null): void {
  log.info({ actor, action, subjectId }, 'changed');
}
