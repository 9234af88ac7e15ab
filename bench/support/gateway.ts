import { spawn } from 'node:child_process';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { latencyOf, type Latency, timed } from './measuring.ts';
import { exchange } from './portal.ts';
import { cpuSeconds } from './processes.ts';
import type { BenchRow } from './meter-rows.ts';
import type { RowOf } from './readings.ts';

export const connections = 64;
export const rowsPerRequest = 10;

/** Results of a small load over many connections. */
export interface GatewayRun {
  rate: number;
  latency: Latency;
  /** Shares of a processor. */
  server: number;
  load: number;
}

/** Sends bodies of {@link rowsPerRequest} rows over all connections. */
export async function runGateway(
  bodies: readonly Buffer[],
  pid: number,
  deliver: (body: Buffer) => Promise<unknown>,
): Promise<GatewayRun> {
  const taken: number[] = [];
  const [before, ownBefore] = [cpuSeconds(pid), cpuSeconds(process.pid)];
  const seconds = await timed(bodies.values(), connections, async (body) => {
    const sent = performance.now();
    await deliver(body);
    taken.push(performance.now() - sent);
  });
  return {
    rate: (bodies.length * rowsPerRequest) / seconds,
    latency: latencyOf(taken),
    server: (cpuSeconds(pid) - before) / seconds,
    load: (cpuSeconds(process.pid) - ownBefore) / seconds,
  };
}

/** The same load on a process that parses each body, answers, and does nothing else. */
export async function runFloor(bodies: readonly Buffer[]): Promise<GatewayRun> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    });
    const headers = { authorization: `Bearer ${'x'.repeat(43)}` };
    const deliver = (body: Buffer) => exchange(agent, url, 'POST', '/api/ingest/measurements', headers, body);
    return await runGateway(bodies, child.pid ?? 0, deliver);
  } finally {
    agent.destroy();
    child.kill();
  }
}

const lateOnes = 20;
const agoInRows = 50_000;

/** Bodies of the rows from `from` on. In a `mixed` load, every 20th row is late and every 20th is a duplicate. */
export function gatewayBodies(rowOf: RowOf, options: { from: number; requests: number; isMixed: boolean }): Buffer[] {
  const { from, requests, isMixed } = options;
  const rowAt = (number: number): BenchRow => {
    if (isMixed && number % lateOnes === 7) return rowOf(number - agoInRows);
    if (isMixed && number % lateOnes === 17) {
      const row = rowOf(number - agoInRows);
      return { ...row, time: new Date(Date.parse(row.time) + 30_000).toISOString() };
    }
    return rowOf(number);
  };
  return Array.from({ length: requests }, (_, request) =>
    Buffer.from(
      JSON.stringify(
        Array.from({ length: rowsPerRequest }, (_, index) => rowAt(from + request * rowsPerRequest + index)),
      ),
    ),
  );
}
