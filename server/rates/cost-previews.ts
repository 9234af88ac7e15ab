import type { z } from 'zod';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { costPreview, type CostPreview as PreviewOnWire } from '../../shared/rates.ts';
import type { CostPreview, PreviewAsker } from './preview-costs.ts';
import type { Database } from '../database/pool.ts';
import type { MonthCost } from './tariff-changes.rules.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { asSchema } from '../http/resources.ts';
import type { Named } from '../http/guard.ts';
import type { App } from '../http/typed-app.ts';

export const presentPreview = ({ compared, months }: CostPreview): PreviewOnWire => ({
  fromDate: compared?.fromDate ?? null,
  toDate: compared?.toDate ?? null,
  months: months.map(({ month, before, after }) => ({
    month,
    before: presentMonth(before),
    after: presentMonth(after),
  })),
});

const presentMonth = ({ costs, unpricedKwh }: MonthCost) => ({ costs: [...costs], unpricedEnergyKwh: unpricedKwh });

/** Part of the description of each preview. */
export const previewAmounts =
  'Nothing is stored. Amounts are those of the summary of each whole month before and after; the current month as far as it has been measured, with its whole fixed charge. At most the latest 120 months.';

interface Preview<Question> extends Named {
  path: string;
  tags: readonly string[];
  summary: string;
  body: z.ZodType<Question>;
  run: (database: Database, id: string, question: Question, asker: PreviewAsker) => Promise<CostPreview>;
}

/** `POST {path}/{id}/preview` for administrators: what a change of the thing would change in measured months. */
export function previewRoute<Question>(
  app: App,
  { database, guard, now }: ClientParts,
  { path, tags, operationId, summary, body, run }: Preview<Question>,
): void {
  app.post(
    `${path}/:id/preview`,
    {
      onRequest: guard.admin,
      schema: {
        tags: [...tags],
        operationId,
        summary,
        description: previewAmounts,
        params: idParams,
        body: asSchema(body),
        response: { 200: costPreview, 404: errorBody },
      },
    },
    async (request, reply) => {
      const asker = { nowMs: now(), accountId: guard.current(request).accountId };
      const asked = body.parse(request.body);
      return presentPreview(await run(database.until(clientGone(reply)), request.params.id, asked, asker));
    },
  );
}
