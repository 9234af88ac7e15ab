import { z } from 'zod';
import { type ExportFormat, exportFormat, rowCap } from '../../shared/exports.ts';
import { exportReadings, type ReadingsHead } from './export-readings.ts';
import { limiterOf } from '../base/budgets.ts';
import type { Say } from './say.ts';
import type { AboutExport } from './about-sheet.ts';
import { answerExport, fileAnswer, fileRoute, formatWords, rowCountHeaders } from './answer-export.ts';
import { turnOf } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { count } from './export-formats.ts';
import { profileExportRoutes } from './profile-export.routes.ts';
import { askedQuery, languageQuery, readAsked, readCount } from '../http/ranges.ts';
import { readingSheet } from './reading-sheet.ts';
import type { App } from '../http/typed-app.ts';

const exportQuery = askedQuery.extend({
  ...languageQuery.shape,
  // Rule 5: unusable numbers fall back to the default, so nothing is refused here.
  rowCap: z.unknown().optional().meta({ type: 'integer', minimum: 1, maximum: rowCap.max, default: rowCap.default }),
});

const kinds = {
  xlsx: { name: 'an Excel workbook', description: 'Times are local to each site.' },
  csv: {
    name: 'comma-separated values',
    description:
      'The fields of a row of /api/measurements/raw, with a header line. Compressed with gzip if accepted. A text that a spreadsheet would take for a formula starts with an apostrophe.',
  },
  ndjson: {
    name: 'JSON, a line a row',
    description: 'Each line is a row of /api/measurements/raw. Compressed with gzip if accepted.',
  },
} as const satisfies Record<ExportFormat, object>;

/**
 * `GET /api/measurements/raw/export.*`: specification, "Measurements and dashboard", rules 2, 3, 5 and 8; and load profiles, which
 * share its queue.
 */
export async function rawExportRoutes(app: App, parts: ClientParts): Promise<void> {
  const { guard, readings } = parts;
  const exports = limiterOf('exports');
  await profileExportRoutes(app, parts, exports);
  for (const format of exportFormat.options) {
    app.get(
      `${readings.path}/measurements/raw/export.${format}`,
      {
        ...fileRoute(readings),
        schema: {
          tags: ['Measurements'],
          operationId: readings.operationId(`exportRawMeasurements${formatWords[format]}`),
          summary: `Export raw measurements, newest first, as ${kinds[format].name}`,
          description: `${kinds[format].description} A broken connection means that the file is incomplete.`,
          querystring: exportQuery,
          response: { 200: fileAnswer(format, rowCountHeaders) },
          ...readings.schema,
        },
      },
      async (request, reply) => {
        const { database, customer } = await readings.open(request);
        const { range, scope, accountId } = readAsked(guard, request);
        const cap = readCount(request.query.rowCap, rowCap.default, rowCap.max);
        const isAwaited = () => exports.isAwaited(accountId);
        const file = { format, title: 'Measurements', subject: customer, range, scope, isAwaited } as const;
        return answerExport(parts, request, reply, file, async ({ signal, sendRows, sendAbout, say }) => {
          const head = await exports.run(
            () =>
              exportReadings(database.until(signal), { scope, range, rowCap: cap }, (head) =>
                sendRows(head, readingSheet(say, format, head)),
              ),
            turnOf(accountId, signal),
          );
          if (format !== 'xlsx') return;
          const content = 'Measurements as they came, newest first';
          await sendAbout({ content, devices: head.devices, notes: notesOf(say, head, cap) });
        });
      },
    );
  }
}

function notesOf(say: Say, { rowCount, totalCount }: ReadingsHead, cap: number): AboutExport['notes'] {
  const isCut = rowCount < totalCount;
  return [
    [say('Rows'), { value: rowCount, format: count }],
    [say('Rows that match'), { value: totalCount, format: count }],
    [say('Row cap'), { value: cap, format: count }],
    [say('Cut by the cap'), say(isCut ? 'yes: the newest rows are here, older ones are missing' : 'no')],
  ];
}
