import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { comparison, type Comparison } from '../../../../shared/comparison.ts';
import { asOther, comparedWith, endOf } from '../../lib/compared-ranges.ts';
import { wireChoice } from '../../lib/device-choice.ts';
import { fetchJson } from '../../lib/http.ts';
import { wirePart } from '../../lib/time-range.ts';
import { compareBucket } from './compared-data.ts';
import { sidesOf, type CompareSearch } from './search.ts';

const refreshMs = 60_000;

/** The curve, the same by day, or the cost: of a range that still runs as far as it has come, and of the other one as far. */
export type AskedPart = 'curve' | 'days' | 'cost';

/** What both sides mean now, in the query of the API; the cost up to an instant. */
export function compareWire(
  search: CompareSearch,
  timeZone: string,
  nowMs: number,
  part: AskedPart = 'curve',
  untilMs = nowMs,
  answer?: Pick<Comparison, 'to'>,
): Record<string, string> {
  const { choice, otherChoice, range, otherRange } = sidesOf(search, timeZone, nowMs);
  const { current, previous } =
    part === 'cost'
      ? comparedWith(
          range,
          otherRange,
          timeZone,
          untilMs > range.fromMs ? untilMs : nowMs,
          answer === undefined ? range.toMs : endOf(range, answer),
        )
      : { current: range, previous: otherRange };
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
