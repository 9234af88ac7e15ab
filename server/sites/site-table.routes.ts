import type { z } from 'zod';
import { errorBody } from '../../shared/primitives.ts';
import {
  maxTableBytes,
  siteTable,
  type SiteTableRow,
  siteTableRow,
  tableCheck,
  tableCounts,
} from '../../shared/site-table.ts';
import { inEnglish } from '../base/errors.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { describeCell } from '../http/errors.ts';
import type { App } from '../http/guard.ts';
import { createSiteTable, planTable } from './site-table.ts';
import { refuseProblems, type TableProblem } from './site-table.rules.ts';

const tags = ['Sites'];

/** `/api/admin/site-table`: many sites and devices at once, all or nothing (docs/adr/0061). */
export async function siteTableRoutes(app: App, { database, guard }: ClientParts): Promise<void> {
  const options = { onRequest: guard.admin, bodyLimit: maxTableBytes };
  app.post(
    '/api/admin/site-table/check',
    {
      ...options,
      schema: {
        tags,
        operationId: 'checkSiteTable',
        summary: 'Check a table of sites and devices without storing it',
        body: siteTable,
        response: { 200: tableCheck },
      },
    },
    async (request) => {
      const { rows, problems } = judgeRows(request.body);
      const plan = await planTable(database, rows);
      return {
        sites: plan.newSites.length,
        devices: plan.newDevices.length,
        problems: [...problems, ...plan.problems]
          .toSorted((a, b) => a.row - b.row)
          .map(({ row, field, problem }) => ({ row, field, message: inEnglish(problem), refusal: problem })),
      };
    },
  );

  app.post(
    '/api/admin/site-table',
    {
      ...options,
      schema: {
        tags,
        operationId: 'importSiteTable',
        summary: 'Create all sites and devices of a table, or none if a cell has a problem',
        body: siteTable,
        response: { 201: tableCounts, 409: errorBody },
      },
    },
    async (request, reply) => {
      const { rows, problems } = judgeRows(request.body);
      refuseProblems(problems);
      return reply.code(201).send(await createSiteTable({ database, by: guard.author(request) }, rows));
    },
  );
}

/** Judges rows by the rules of the forms; an empty cell counts as absent. */
function judgeRows(table: z.infer<typeof siteTable>): { rows: Map<number, SiteTableRow>; problems: TableProblem[] } {
  const rows = new Map<number, SiteTableRow>();
  const problems: TableProblem[] = [];
  for (const [row, cells] of table.rows.entries()) {
    const filled = Object.fromEntries(Object.entries(cells).filter(([, value]) => !isEmpty(value)));
    const { data, error } = siteTableRow.safeParse(filled);
    for (const issue of error?.issues ?? []) {
      const field = String(issue.path[0] ?? '');
      problems.push({ row, field, problem: describeCell(issue, new Map(Object.entries(filled)).get(field)) });
    }
    // Again without the bad cells, except those that tell where the row belongs, so that all problems are reported at once.
    const judged = data ?? siteTableRow.safeParse(without(filled, error)).data;
    if (judged !== undefined) rows.set(row, judged);
  }
  return { rows, problems };
}

const placing: readonly PropertyKey[] = ['site', 'municipality', 'name', 'externalId'];

function without(cells: Record<string, unknown>, error: z.ZodError | undefined): Record<string, unknown> {
  const wrong = new Set(error?.issues.flatMap(({ path }) => path.slice(0, 1)));
  return Object.fromEntries(Object.entries(cells).filter(([field]) => placing.includes(field) || !wrong.has(field)));
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
