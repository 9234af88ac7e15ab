import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idParams } from '../../shared/primitives.ts';
import { type KeptReport, keptReport, maxListedReports, reportChanges } from '../../shared/report-subscriptions.ts';
import { limiterOf } from '../base/budgets.ts';
import { found } from '../base/errors.ts';
import { formatInstant } from '../base/instants.ts';
import { clientGone } from '../http/client-gone.ts';
import { guarded, type App } from '../http/guard.ts';
import { languageQuery, readLanguage } from '../http/ranges.ts';
import { fileHeaders } from '../http/resources.ts';
import { sayIn } from '../reports/say.ts';
import { changesOf, figuresOf, type FullReport, openReport, visibleTo } from './contents.ts';
import { findReport, listReports, type StoredReport } from './kept-reports.sql.ts';
import { readFigures } from './read-report.ts';
import { fileNameOf, writeFiles, xlsxType } from './send.ts';
import { askerIn, type ReportRouteParts } from './subscriptions.routes.ts';
import { writeWorkbook } from './workbook.ts';

const tags = ['Reports'];
const path = '/api/reports';
const binary = z.string().meta({ format: 'binary' });

const present = ({ subjectIds: _ids, hasWorkbook: _has, recipients, ...report }: StoredReport): KeptReport => ({
  ...report,
  recipientCount: recipients.length,
});

/**
 * The maximum number of kept reports that a RestrictedAdmin sees in the list. Each of them is read to find the part that they
 * may see.
 */
const maxRestricted = 30;

/** `/api/reports`: reports as they were sent. */
export function keptReportRoutes(app: App, parts: ReportRouteParts): void {
  const { database, guard, runMode, now } = parts;
  const reader = runMode === 'Client' ? guard.signedIn : guard.fleetReader;
  const askerOf = askerIn(parts);
  const checks = limiterOf('reportChecks');

  /**
   * The part of a report that the account may see. In a fleet, a RestrictedAdmin gets only reports of which they are a
   * recipient.
   */
  async function findVisible(request: FastifyRequest, id: string): Promise<FullReport | null> {
    const { accountId, scope } = askerOf(request);
    const stored = await findReport(database, id);
    const report = stored && openReport(stored);
    if (report === null || scope.customers === 'all') return report;
    const isNamed = report.recipients.some((one) => 'userId' in one && one.userId === accountId);
    const contents = isNamed ? visibleTo(report.contents, scope) : null;
    return contents && { ...report, contents, figures: figuresOf(contents) };
  }

  app.get(
    path,
    guarded(reader, {
      tags,
      operationId: 'listKeptReports',
      summary: 'List the kept reports, newest first',
      description: `At most ${maxListedReports}. A RestrictedAdmin sees those that name them, at most ${maxRestricted}, with the figures of their customers.`,
      response: { 200: z.array(keptReport) },
    }),
    async (request) => {
      const { accountId, scope } = askerOf(request);
      if (scope.customers === 'all') return (await listReports(database, null, maxListedReports)).map(present);
      const own: StoredReport[] = [];
      for (const { id } of await listReports(database, accountId, maxRestricted)) {
        const report = await findVisible(request, id);
        if (report === null) continue;
        const { contents: _contents, ...shown } = report;
        own.push(shown);
      }
      return own.map(present);
    },
  );

  app.get(
    `${path}/:id/changes`,
    guarded(reader, {
      tags,
      operationId: 'compareKeptReport',
      summary: 'Get the figures of a kept report that later readings or tariffs have changed',
      params: idParams,
      response: { 200: reportChanges },
    }),
    async (request, reply) => {
      const report = found(await findVisible(request, request.params.id), 'report');
      const { period, fromDate, toDate, subjectIds, figures, contents } = report;
      const asking = { ...parts, database: database.until(clientGone(reply)) };
      // All customers in the report, even if the reader sees only some of them.
      const ids = contents.kind === 'fleet' ? contents.customers.map(({ id }) => id) : subjectIds;
      const asked = { period, dates: { fromDate, toDate }, subjectIds: ids };
      const { accountId: key } = guard.current(request);
      const isEmpty = contents.kind === 'fleet' && ids.length === 0;
      const current = isEmpty
        ? figures
        : await checks.run(() => readFigures(asking, asked), { key, signal: asking.database.signal });
      return { comparedAt: formatInstant(now() * 1000), changes: changesOf(figures, current) };
    },
  );

  const file = (format: 'pdf' | 'xlsx', operationId: string, summary: string) => ({
    onRequest: reader,
    exposeHeadRoute: false,
    schema: {
      tags,
      operationId,
      summary,
      params: idParams,
      querystring: languageQuery,
      response: {
        200: {
          headers: fileHeaders,
          content: { [format === 'pdf' ? 'application/pdf' : xlsxType]: { schema: binary } },
        },
      },
    },
  });
  app.get(
    `${path}/:id/report.pdf`,
    file('pdf', 'getKeptReportPdf', 'Get a kept report as PDF'),
    async (request, reply) => {
      const report = found(await findVisible(request, request.params.id), 'report');
      const { accountId } = guard.current(request);
      const { files } = await writeFiles(report, readLanguage(request.query), clientGone(reply), accountId);
      return sendFile(reply, 'application/pdf', fileNameOf(report, 'pdf'), Buffer.from(files.pdf));
    },
  );
  app.get(
    `${path}/:id/report.xlsx`,
    file('xlsx', 'getKeptReportXlsx', 'Get a kept report as an Excel workbook'),
    async (request, reply) => {
      const report = found(await findVisible(request, request.params.id), 'report');
      const workbook = await writeWorkbook(report.contents, report.subjectIds, sayIn(readLanguage(request.query)));
      return sendFile(reply, xlsxType, fileNameOf(report, 'xlsx'), workbook);
    },
  );
}

const sendFile = (reply: FastifyReply, type: string, name: string, content: Buffer): FastifyReply =>
  reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(content);
