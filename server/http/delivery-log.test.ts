import fastify, { type FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { createLog } from '../logging.ts';
import { DeliveryLog, logDelivery, type ApiKeyName, logWho } from './request-log.ts';

/** Requests whose log lines are noted. */
async function requests(count: number): Promise<FastifyRequest[]> {
  const app = fastify();
  const seen: FastifyRequest[] = [];
  app.get('/', async (request) => seen.push(request));
  for (let at = 0; at < count; at += 1) await app.inject('/');
  return seen;
}

test('a line per minute and key counts deliveries and rows; slow ones and those without a key have their own', async () => {
  vi.useFakeTimers();
  try {
    const lines: Record<string, unknown>[] = [];
    const deliveries = new DeliveryLog(createLog({ write: (line) => lines.push(JSON.parse(line)) }));
    const [first, second, slow, other, person, refused] = await requests(6);
    const end = (
      request: FastifyRequest | undefined,
      apiKey: ApiKeyName | null,
      ms = 5,
      status: number | null = 200,
    ) => {
      if (request === undefined) throw new Error('There are too few requests.');
      logWho(request, apiKey === null ? { account: 'a' } : { apiKey });
      if (status === 200) logDelivery(request, { accepted: 10, rejected: 2, duplicates: 1 });
      return deliveries.take({
        request,
        status,
        milliseconds: ms,
        method: 'POST',
        route: '/',
        path: '/',
        waitedFor: [],
      });
    };
    const [one, two] = [
      { id: '1', name: 'one' },
      { id: '2', name: 'two' },
    ];
    expect([end(first, one), end(second, one, 7), end(slow, one, 1_000), end(other, two)]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect([end(person, null), end(refused, one, 5, 503)]).toEqual([false, false]);
    vi.advanceTimersByTime(59_999);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(1);
    const of = (apiKey: ApiKeyName, deliveryCount: number, slowestMs: number) =>
      expect.objectContaining({
        msg: 'ingest requests',
        apiKey,
        deliveries: deliveryCount,
        accepted: 10 * deliveryCount,
        rejected: 2 * deliveryCount,
        duplicates: deliveryCount,
        slowestMs,
      });
    expect(lines).toEqual([of(one, 3, 1_000), of(two, 1, 5)]);
    vi.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});
