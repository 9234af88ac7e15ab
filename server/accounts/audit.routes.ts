import { auditPage, auditQuery } from '../../shared/audit.ts';
import { guid } from '../../shared/primitives.ts';
import { type AuditPlace, listAuditEvents } from './audit.sql.ts';
import type { Database } from '../database/pool.ts';
import { refuse } from '../base/errors.ts';
import { formatInstant, parseInstant } from '../base/instants.ts';
import { clientGone } from '../http/client-gone.ts';
import { type Guard, guarded, type App } from '../http/guard.ts';
import { readInstant } from '../http/ranges.ts';

/** `GET /api/admin/audit`: who did what, when and from where. */
export async function auditRoutes(app: App, { database, guard }: { database: Database; guard: Guard }): Promise<void> {
  app.get(
    '/api/admin/audit',
    guarded(guard.admin, {
      tags: ['Audit trail'],
      operationId: 'listAuditEvents',
      summary: 'List the events of the audit trail, newest first',
      description:
        'Sign-ins, failures and changes of the last two years. Never holds passwords, tokens, keys or their hashes.',
      querystring: auditQuery,
      response: { 200: auditPage },
    }),
    async (request, reply) => {
      const { limit, cursor, from, to, ...others } = request.query;
      const filter = {
        ...others,
        from: from === undefined ? undefined : formatInstant(readInstant('from', from)),
        to: to === undefined ? undefined : formatInstant(readInstant('to', to)),
      };
      const place = cursor === undefined ? null : placeOf(cursor);
      // One event more than the page shows whether there is a next page.
      const events = await listAuditEvents(database.until(clientGone(reply)), filter, place, limit + 1);
      const shown = events.slice(0, limit);
      const last = shown.at(-1);
      return {
        events: shown,
        nextCursor: last === undefined || events.length <= limit ? null : `${last.occurredAt} ${last.id}`,
      };
    },
  );
}

function placeOf(cursor: string): AuditPlace {
  const [occurredAt = '', id] = cursor.split(' ');
  const known = guid.safeParse(id);
  const isOwn = /^[\d-]+T[\d:.]+Z$/.test(occurredAt) && parseInstant(occurredAt) !== null;
  if (isOwn && known.success) return { occurredAt, id: known.data };
  throw refuse('unknownCursor', {}, { field: 'cursor' });
}
