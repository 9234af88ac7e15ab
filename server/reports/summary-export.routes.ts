import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasTree } from '../../shared/reports.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { refuseTooLong, sharedZone } from '../base/ranges.ts';
import type { ExportText } from './texts/de.ts';
import { answerExport, type ExportToAnswer, workbookRoute } from './answer-export.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { askedQuery, languageQuery, readAsked, readRangeUntil, untilQuery } from '../http/ranges.ts';
import { readContents, type SummaryContents } from './summary-contents.ts';
import { summarySheets } from './summary-sheets.ts';
import type { App } from '../http/typed-app.ts';

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

interface AskedSummary extends Omit<ExportToAnswer, 'format'> {
  accountId: string;
}

/** Answers the summary of the Client or customer that the database is scoped to, as a workbook. */
export async function answerSummary(
  parts: ClientParts,
  request: FastifyRequest & { query: { language?: unknown } },
  reply: FastifyReply,
  asked: AskedSummary,
): Promise<FastifyReply> {
  const { database, timeZone } = parts;
  const file = { ...asked, format: 'xlsx' } as const;
  return answerExport(parts, request, reply, file, async ({ signal, open, send, sendAbout, nowMs, say }) => {
    const contents = await readEnergy(database.until(signal), asked, async (snapshot) =>
      readContents(snapshot, asked.range, { timeZone, nowMs }),
    );
    open();
    const { devices } = contents;
    for (const part of summarySheets(say, contents, sharedZone(devices, timeZone))) await send(part);
    await sendAbout({
      content: 'Summary of energy, cost and data quality',
      devices,
      notes: [
        [say('Days'), say(daysNote(contents.byTime))],
        ...(hasTree(devices)
          ? [[say('Sub-meters'), say('count in the device that stands beside them, and in no sum that has it')]]
          : []),
        [
          say('Amounts'),
          say('rounded once to the smallest coin; the lines of the cost breakdown add up to the totals'),
        ],
      ],
    });
  });
}

function daysNote(byTime: SummaryContents['byTime']): ExportText {
  if (byTime === null) return 'left out: too many for so many sites; choose a shorter range or fewer devices';
  return byTime.group === 'day'
    ? 'local days of each site'
    : 'months, because there are too many days for so many sites';
}
