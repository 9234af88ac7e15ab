import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  heatmapAnswer,
  heatmapQuestion,
  type Measure,
  seriesAnswer,
  seriesQuestion,
  type Split,
  toolLimits,
  totalsAnswer,
  totalsQuestion,
} from '../../shared/dashboard-tool.ts';
import type { TotalsSharing } from '../../server/reports/energy-sources.ts';
import { refuseDetail, splitLargest } from '../../server/fleet/kept-sites.ts';
import { heatmapOfParts, seriesOfParts } from '../../server/reports/part-series.ts';
import type { PartsAsked } from '../../server/reports/part-sums.ts';
import { totalParts } from '../../server/reports/part-totals.ts';
import { refuseTooLong } from '../../server/base/ranges.ts';
import { refuse } from '../../server/base/errors.ts';
import { Sharing, splitDevices } from '../../server/reports/parts.rules.ts';
import { clientGone } from '../../server/http/client-gone.ts';
import { type RangeParameters, readRange } from '../../server/http/ranges.ts';
import type { App } from '../../server/http/guard.ts';
import { displayZoneOf, identityOf } from './identity.ts';
import { findReadable, isLarge, openSources, sourcesOf } from './sources.ts';
import type { ToolParts } from './tool-parts.ts';

/** Enough for three lists of ids. */
const bodyLimit = 96 * 1024;
const patienceMs = 30_000;

interface Question extends RangeParameters {
  measure: Measure;
  split: Split;
  sites: readonly string[];
  devices: readonly string[];
  customers: readonly string[];
}

/** The limits of a query in a large fleet: the measures that it may request, and its longest range. */
interface Rules {
  measures: readonly Measure[];
  maxDays?: number;
}

/** The queries of panels: a measure over a range, as series, as totals, or by hour and day. */
export function dataRoutes(app: App, parts: ToolParts): void {
  const { settings, now, questions, fleet } = parts;
  const sharing: TotalsSharing = new Sharing();

  /** Answers a query when its turn comes. Aborted when the client disconnects. */
  async function ask<Answer extends object>(
    { request, reply, question }: { request: FastifyRequest; reply: FastifyReply; question: Question },
    { measures, maxDays }: Rules,
    answer: (asked: PartsAsked) => Promise<Answer>,
  ): Promise<Answer & { pendingCustomers?: number | undefined }> {
    const { measure, split } = question;
    if (split === 'period' && measure !== 'energy' && measure !== 'cost') {
      throw refuse('splitOfCost', { measure }, { field: 'split' });
    }
    const range = refuseTooLong(readRange(question), maxDays);
    const { user: accountId } = identityOf(request);
    if (split === 'customer' && settings.runMode === 'Client') {
      throw refuse('splitOfFleet', {}, { field: 'split' });
    }
    const askedAtMs = now();
    const turn = { key: accountId, signal: clientGone(reply), patience: () => AbortSignal.timeout(patienceMs) };
    const work = async (cameAt: number) => {
      const readable = await findReadable(parts, request, reply, question.customers);
      if (!isLarge(readable)) {
        const opened = await openSources(sourcesOf(readable), question, {
          range,
          accountId,
          nowMs: now(),
          cameAt,
          sharing,
        });
        const partOf = splitDevices(opened.sources, split);
        return answer({ measure, split, ...opened, partOf, isOfFleet: false });
      }
      refuseDetail(measure, split, measures);
      const { database, customers } = readable;
      const asked = { ...question, range, accountId, askedAtMs };
      const { pendingCustomers, ...opened } = await fleet.open(database, customers, asked);
      const partOf = await (split === 'customer' ? splitLargest : splitDevices)(opened.sources, split);
      return { ...(await answer({ measure, split, ...opened, partOf, isOfFleet: true })), pendingCustomers };
    };
    return sharing.during((cameAt) => questions.run(() => work(cameAt), turn));
  }

  app.post(
    '/query',
    { bodyLimit, schema: { body: seriesQuestion, response: { 200: seriesAnswer } } },
    async (request, reply) => {
      const { body: question } = request;
      const rules: Rules = { measures: ['power', 'energy', 'cost', 'demand'] };
      const timeZone = await displayZoneOf(request, parts);
      return ask({ request, reply, question }, rules, (asked) => seriesOfParts(asked, question.step, timeZone));
    },
  );

  app.post(
    '/totals',
    { bodyLimit, schema: { body: totalsQuestion, response: { 200: totalsAnswer } } },
    async (request, reply) => {
      const rules: Rules = { measures: ['energy', 'cost', 'demand'] };
      return ask({ request, reply, question: request.body }, rules, async (asked) => ({
        totals: await totalParts(asked),
      }));
    },
  );

  app.post(
    '/heatmap',
    { bodyLimit, schema: { body: heatmapQuestion, response: { 200: heatmapAnswer } } },
    async (request, reply) => {
      const question = { ...request.body, split: 'none' } as const;
      const rules: Rules = { measures: ['power', 'energy'], maxDays: toolLimits.heatmapDays };
      const timeZone = await displayZoneOf(request, parts);
      return ask({ request, reply, question }, rules, (asked) =>
        heatmapOfParts({ ...asked, measure: question.measure }, timeZone),
      );
    },
  );
}
