import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type AuditEvent, auditPage, type AuditSubjectKind } from '../../../../shared/audit.ts';
import { fetchJson } from '../../lib/http.ts';
import { dayMs, fromLocalText, toInstant } from '../../lib/time.ts';

/** What is looked for; '' and null are everything. The days are local dates, both included. */
export interface AuditSearch {
  text: string;
  subjectKind: AuditSubjectKind | null;
  fromDay: string;
  toDay: string;
}

export const noSearch: AuditSearch = { text: '', subjectKind: null, fromDay: '', toDay: '' };

/** `GET /api/admin/audit`, page by page. */
export const auditQuery = (search: AuditSearch, timeZone: string) => {
  const query = {
    text: search.text.trim(),
    subjectKind: search.subjectKind,
    from: startOfDay(search.fromDay, timeZone),
    to: startOfDay(dayAfter(search.toDay), timeZone),
  };
  return infiniteQueryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal, pageParam }) =>
      fetchJson('/api/admin/audit', auditPage, { signal, query: { ...query, cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }): AuditEvent[] => pages.flatMap(({ events }) => events),
    placeholderData: keepPreviousData,
  });
};

/** '' where the day is not one (yet). */
function startOfDay(day: string, timeZone: string): string {
  const at = fromLocalText(`${day}T00:00`, timeZone);
  return at === null ? '' : toInstant(at);
}

function dayAfter(day: string): string {
  const at = Date.parse(`${day}T00:00Z`);
  return Number.isNaN(at) ? '' : toInstant(at + dayMs).slice(0, 10);
}
