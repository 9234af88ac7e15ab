import { errorBody } from '../../shared/primitives.ts';
import { reportPeriod, reportRemark } from '../../shared/reports.ts';
import { reportRemarkVersion } from '../../shared/versions.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';
import { askedQuery, readDeviceScope } from '../http/ranges.ts';
import { ifMatch, ifMatchHeaders, withVersion, versioned } from '../http/resources.ts';
import { changeRemark, placeOfRemark } from './report-remarks.ts';
import { readRemark } from './report-remarks.sql.ts';

/** `/api/report/remark`: the remark that administrators add to the energy report of a month or year. */
export async function reportRemarkRoutes(app: App, { database, guard }: ClientParts): Promise<void> {
  const querystring = askedQuery.pick({ deviceIds: true, siteIds: true }).extend({ period: reportPeriod });
  const schema = { tags: ['Dashboard'], querystring, response: { 200: versioned(reportRemark) } };

  app.get(
    '/api/report/remark',
    guarded(guard.signedIn, {
      ...schema,
      operationId: 'getReportRemark',
      summary: 'Get the remark on a month or year; may be empty',
    }),
    async ({ query }, reply) => {
      const remark = await readRemark(database, placeOfRemark(query.period, readDeviceScope(query)));
      return withVersion(reply, { remark }, reportRemarkVersion);
    },
  );

  app.put(
    '/api/report/remark',
    guarded(guard.admin, {
      ...schema,
      operationId: 'updateReportRemark',
      summary: 'Set the remark on a month or year; an empty text deletes it',
      headers: ifMatchHeaders,
      body: reportRemark,
      response: { ...schema.response, 404: errorBody, 409: errorBody },
    }),
    async (request, reply) => {
      const place = placeOfRemark(request.query.period, readDeviceScope(request.query));
      const checkVersion = ifMatch(request, reportRemarkVersion);
      const by = guard.author(request);
      const changed = await changeRemark({ database, by }, place, request.body.remark, checkVersion);
      return withVersion(reply, changed, reportRemarkVersion);
    },
  );
}
