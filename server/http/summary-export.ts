import { z } from 'zod';
import { readEnergy } from '../commands/read-energy.ts';
import { aboutSheet } from './about-sheet.ts';
import { answerExport, exportFileName, type ExportRoutesParts, fileAnswer } from './answer-export.ts';
import type { App } from './typed-app.ts';
import {
  deviceIdsQuery,
  maxDays,
  rangeQuery,
  readByHand,
  readDeviceScope,
  readRange,
  refuseTooLong,
  sharedZone,
} from './ranges.ts';
import { readContents, type SummaryContents } from './summary-contents.ts';
import { summarySheets } from './summary-sheets.ts';

/** `GET /api/dashboard/summary/export.xlsx`: the dashboard's numbers as a workbook. */
export async function summaryExportRoutes(
  app: App,
  { guard, database, applicationName, timeZone, now }: ExportRoutesParts,
): Promise<void> {
  app.get(
    '/api/dashboard/summary/export.xlsx',
    {
      onRequest: guard.signedIn,
      validatorCompiler: readByHand,
      exposeHeadRoute: false,
      schema: {
        tags: ['Dashboard'],
        summary: 'The summary of a range as an Excel workbook',
        description:
          'Totals, devices, sites, tariff periods, days, the cost breakdown and data quality, each on its own sheet.',
        querystring: z.object({ ...rangeQuery.shape, ...deviceIdsQuery.shape }),
        response: { 200: fileAnswer('xlsx') },
      },
    },
    async (request, reply) => {
      const range = refuseTooLong(readRange(request.query), maxDays);
      const scope = readDeviceScope(request.query.deviceIds);
      const brand = await applicationName();
      const nowMs = now();
      const fileName = exportFileName('summary', range, scope, 'xlsx');
      const file = { format: 'xlsx', fileName, title: 'Summary', creator: brand, nowMs } as const;
      return answerExport(request, reply, file, async ({ signal, open, send }) => {
        const { accountId } = guard.current(request);
        const contents = await readEnergy(database.until(signal), { scope, range, accountId }, async (snapshot) =>
          readContents(snapshot, range, { timeZone, nowMs, signal }),
        );
        open();
        const { devices } = contents;
        for (const part of summarySheets(contents, sharedZone(devices, timeZone))) await send(part);
        const about = aboutSheet({
          applicationName: brand,
          content: 'Summary of energy, cost and data quality',
          range,
          timeZone,
          devices,
          areChosen: scope.devices !== 'all',
          madeAtMs: nowMs,
          madeBy: guard.current(request),
          notes: [
            ['Days', daysNote(contents.byTime)],
            ['Amounts', 'rounded once to the smallest coin; the lines of the cost breakdown add up to the totals'],
          ],
        });
        for (const part of about) await send(part);
      });
    },
  );
}

function daysNote(byTime: SummaryContents['byTime']): string {
  if (byTime === null) return 'left out: too many for so many sites; choose a shorter range or fewer devices';
  return byTime.group === 'day'
    ? 'local days of each site'
    : 'months, because there are too many days for so many sites';
}
