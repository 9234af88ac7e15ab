import { refuseTooLong } from '../base/ranges.ts';
import { workbookRoute } from './answer-export.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { askedQuery, languageQuery, readAsked, readRangeUntil, untilQuery } from '../http/ranges.ts';
import { answerSummary } from './answer-summary.ts';
import type { App } from '../http/guard.ts';

/** `GET /api/dashboard/summary/export.xlsx`: the dashboard's numbers as a workbook. */
export async function summaryExportRoutes(app: App, parts: ClientParts): Promise<void> {
  app.get(
    '/api/dashboard/summary/export.xlsx',
    workbookRoute(parts.guard.signedIn, {
      tags: ['Dashboard'],
      operationId: 'exportDashboardSummary',
      summary: 'Export the summary of a range as an Excel workbook',
      description:
        'Totals, devices, sites, tariff periods, days, the cost breakdown and data quality, each on its own sheet.',
      querystring: askedQuery.extend({ ...untilQuery.shape, ...languageQuery.shape }),
    }),
    async (request, reply) => {
      const asked = readAsked(parts.guard, request, refuseTooLong(readRangeUntil(request.query)));
      return answerSummary(parts, request, reply, { ...asked, title: 'Summary', subject: null });
    },
  );
}
