import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { comparison, type Comparison } from '../../../../shared/comparison.ts';
import { asOther, comparedWith, endOf } from '../../lib/compared-ranges.ts';
import { wireChoice } from '../../lib/device-choice.ts';
import { fetchJson } from '../../lib/http.ts';
import { wirePart } from '../../lib/time-range.ts';
import { toInstant } from '../../lib/time.ts';
import { compareBucket } from './compared-data.ts';
import { sidesOf, type CompareSearch, type Sides } from './search.ts';

const refreshMs = 60_000;

/** The curve, the same by day, or the cost: of a range that still runs as far as it has come, and of the other one as far. */
export type AskedPart = 'curve' | 'days' | 'cost';

/** The part of each side whose cost is compared: up to an instant of the first, and to the same time of the other. */
function costParts(
  { range, otherRange }: Pick<Sides, 'range' | 'otherRange'>,
  timeZone: string,
  nowMs: number,
  untilMs: number,
  answer: Pick<Comparison, 'to'> | undefined,
) {
  const endMs = answer === undefined ? range.toMs : endOf(range, answer);
  return comparedWith(range, otherRange, timeZone, untilMs > range.fromMs ? untilMs : nowMs, endMs);
}

/** What both sides mean now, in the query of the API; the cost up to an instant. */
export function compareWire(
  search: CompareSearch,
  timeZone: string,
  nowMs: number,
  part: AskedPart = 'curve',
  untilMs = nowMs,
  answer?: Pick<Comparison, 'to'>,
): Record<string, string> {
  const sides = sidesOf(search, timeZone, nowMs);
  const { choice, otherChoice, range, otherRange } = sides;
  const { current, previous } =
    part === 'cost' ? costParts(sides, timeZone, nowMs, untilMs, answer) : { current: range, previous: otherRange };
  return {
    ...wirePart(range, current, timeZone),
    ...wireChoice(choice),
    ...asOther(wirePart(otherRange, previous, timeZone)),
    ...asOther(wireChoice(otherChoice)),
    bucket: part === 'curve' ? compareBucket(range, otherRange) : 'day',
    timeZone,
    ...(search.align === undefined ? {} : { align: search.align }),
  };
}

/** The query of the workbook: the rows of the chart, and the cost of the part that the page tells it of. */
export function workbookWire(
  search: CompareSearch,
  timeZone: string,
  nowMs: number,
  answer: Pick<Comparison, 'to' | 'arrivedUntil'> | undefined,
): Record<string, string> {
  const wire = compareWire(search, timeZone, nowMs);
  if (answer === undefined) return wire;
  const untilMs = Math.min(nowMs, Date.parse(answer.arrivedUntil));
  const parts = costParts(sidesOf(search, timeZone, nowMs), timeZone, nowMs, untilMs, answer);
  if (parts.isWhole) return wire;
  const [costUntil, otherCostUntil] = [toInstant(parts.current.toMs), toInstant(parts.previous.toMs)];
  return { ...wire, costUntil, otherCostUntil };
}

/** `GET /api/dashboard/comparison` of what the address means at the time of asking; by day each site has its own days. */
export const compareQuery = ({ zoom: _zoom, ...search }: CompareSearch, timeZone: string, part: AskedPart = 'curve') =>
  queryOptions({
    queryKey: ['compare', JSON.stringify(search), timeZone, part],
    queryFn: async ({ client, signal }): Promise<Comparison> => {
      const nowMs = Date.now();
      // What is on its way would be told as less.
      const curve =
        part === 'cost' ? await client.fetchQuery({ ...compareQuery(search, timeZone), staleTime: refreshMs }) : null;
      const untilMs = curve === null ? nowMs : Math.min(nowMs, Date.parse(curve.arrivedUntil));
      const query = compareWire(search, timeZone, nowMs, part, untilMs, curve ?? undefined);
      return fetchJson('/api/dashboard/comparison', comparison, { query, signal });
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });
