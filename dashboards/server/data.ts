import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  heatmapAnswer,
  heatmapQuestion,
  seriesAnswer,
  seriesQuestion,
  type Split,
  toolLimits,
  totalsAnswer,
  totalsQuestion,
} from '../../shared/dashboard-tool.ts';
import { rangesOf, refuseTooLong, zonesOf } from '../../server/base/ranges.ts';
import { refuse } from '../../server/base/errors.ts';
import { clientGone } from '../../server/http/client-gone.ts';
import { type RangeParameters, readRange } from '../../server/http/ranges.ts';
import type { App } from '../../server/http/typed-app.ts';
import type { Asked } from './buckets.ts';
import {
  answerFleetHeatmap,
  answerFleetSeries,
  answerFleetTotals,
  type FleetAsked,
  openFleet,
} from './fleet-answers.ts';
import { answerHeatmap } from './heatmap.ts';
import { identityOf } from './identity.ts';
import { splitDevices } from './parts.ts';
import { answerSeries } from './series.ts';
import { chooseDevices, findReadable, isLarge, sourcesOf } from './sources.ts';
import type { ToolParts } from './tool-parts.ts';
import { Sharing } from './sharing.ts';
import { answerTotals, type TotalsSharing } from './totals.ts';

/** Enough for three lists of ids. */
const bodyLimit = 96 * 1024;
const patienceMs = 30_000;

interface Question extends RangeParameters {
  sites: readonly string[];
  devices: readonly string[];
  customers: readonly string[];
}

/** The questions of panels: a measure over a range, as series or totals, or by hour and day. */
export function dataRoutes(app: App, parts: ToolParts): void {
  const { settings, now, questions, fleet } = parts;
  const fallbackZone = settings.timeZone;
  const sharing: TotalsSharing = new Sharing();

  /** Answers a question in its turn, with a different method for a large fleet; aborted when the client goes away. */
  async function ask<Answer>(
    {
      request,
      reply,
      question,
      split,
    }: { request: FastifyRequest; reply: FastifyReply; question: Question; split: Split },
    answer: (asked: Asked) => Promise<Answer>,
    answerFleet: (asked: FleetAsked) => Promise<Answer> | Answer,
    maxDays?: number,
  ): Promise<Answer> {
    const range = refuseTooLong(readRange(question), maxDays);
    const { user: accountId } = identityOf(request);
    if (split === 'customer' && settings.runMode === 'Client') {
      throw refuse('splitOfFleet', {}, { field: 'split' });
    }
    const askedAtMs = now();
    const turn = { key: accountId, signal: clientGone(reply), patience: () => AbortSignal.timeout(patienceMs) };
    const work = async (cameAt: number) => {
      const readable = await findReadable(parts, request, reply, question.customers);
      if (isLarge(readable)) {
        const { sites, devices } = question;
        const about = { range, sites, devices, accountId, askedAtMs, fallbackZone };
        return answerFleet(await openFleet(fleet, readable, about));
      }
      const sources = await chooseDevices(sourcesOf(readable), question);
      const ranges = rangesOf(range, zonesOf(sources.flatMap((source) => source.devices)));
      return answer({ sources, range, ranges, partOf: splitDevices(sources, split), accountId, cameAt });
    };
    return sharing.during((cameAt) => questions.run(() => work(cameAt), turn));
  }

  app.post(
    '/query',
    { bodyLimit, schema: { body: seriesQuestion, response: { 200: seriesAnswer } } },
    async (request, reply) => {
      const { body: question } = request;
      refuseSplit(question.measure, question.split);
      return ask(
        { request, reply, question, split: question.split },
        (asked) => answerSeries(question, asked, fallbackZone),
        (asked) => answerFleetSeries(question, asked),
      );
    },
  );

  app.post(
    '/totals',
    { bodyLimit, schema: { body: totalsQuestion, response: { 200: totalsAnswer } } },
    async (request, reply) => {
      const { body: question } = request;
      refuseSplit(question.measure, question.split);
      return ask(
        { request, reply, question, split: question.split },
        (asked) => answerTotals(question, asked, { nowMs: now(), sharing }),
        (asked) => answerFleetTotals(question, asked),
      );
    },
  );

  app.post(
    '/heatmap',
    { bodyLimit, schema: { body: heatmapQuestion, response: { 200: heatmapAnswer } } },
    async (request, reply) => {
      const { body: question } = request;
      return ask(
        { request, reply, question, split: 'none' },
        (asked) => answerHeatmap(question, asked, fallbackZone),
        (asked) => answerFleetHeatmap(question, asked),
        toolLimits.heatmapDays,
      );
    },
  );
}

function refuseSplit(measure: string, split: Split): void {
  if (split !== 'period' || measure === 'energy' || measure === 'cost') return;
  throw refuse('splitOfCost', { measure }, { field: 'split' });
}
