import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import { alarmSeverity } from '../../shared/alarms.ts';
import { errorBody } from '../../shared/primitives.ts';
import { refuse } from '../base/errors.ts';
import { limiterCounts } from '../base/limiter.ts';
import { loopbackNames } from './browser-security.ts';
import type { App } from './guard.ts';
import type { Answer } from './request-log.ts';

export interface MetricsParts {
  version: string;
  /** The name of the time-series engine. */
  engine: string;
  poolStatistics: () => { total: number; idle: number; waiting: number };
  /** Open alarms by severity and state. */
  countOpenAlarms: () => Promise<{ severity: string; state: string; count: number }[]>;
  /** The age (in seconds) of the oldest alarm event that still waits for a notification. */
  findOutboxAge: () => Promise<number | null>;
  /** Devices, in Client mode, or customers by their state. */
  countDevices?: () => Promise<Record<string, number>>;
  countCustomers?: () => Promise<Record<string, number>>;
  /** How many devices have quarter-hours that cannot be computed. */
  countEnergyFailures?: () => Promise<number>;
  /** Set if the portal pushes to a fleet. */
  overviewPush?: () => Promise<{ backlogRows: number; backlogIntervals: number; lastSuccessMs: number | null }>;
}

export interface Metrics {
  registry: Registry;
  /** Counts the rows of one ingest by verdict. */
  recordIngest: (verdicts: { accepted: number; rejected: number; duplicates: number }) => void;
  recordAnswer: (answer: Answer) => void;
}

/** The metrics of the portal itself, in addition to the usual ones of Node: memory, CPU, event loop. */
export function createMetrics({
  version,
  engine,
  poolStatistics,
  countOpenAlarms,
  findOutboxAge,
  countDevices,
  countCustomers,
  countEnergyFailures,
  overviewPush,
}: MetricsParts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const state = (name: string, help: string, labels: Record<string, string>) =>
    new Gauge({ name, help: `Always 1; ${help}`, labelNames: Object.keys(labels), registers }).set(labels, 1);
  state('portal_build_info', 'the labels name version and runtime.', { version, node: process.version });
  state('portal_time_series_engine_info', 'the label names the time-series engine.', { engine });
  new Gauge({
    name: 'portal_database_connections',
    help: 'Connections of the pool, and requests waiting for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = poolStatistics();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  for (const [what, counts] of Object.entries(limiterCounts)) {
    new Counter({
      name: `portal_budget_${what}_total`,
      help: `Work that ${what === 'waits' ? 'waited for its turn' : 'was refused because too much waited'}, by budget.`,
      labelNames: ['budget'],
      registers,
      collect() {
        this.reset();
        for (const [budget, count] of counts) this.inc({ budget }, count);
      },
    });
  }
  new Gauge({
    name: 'portal_alarms',
    help: 'Open alarms: firing, or acknowledged. No series without a database.',
    labelNames: ['severity', 'state'],
    registers,
    async collect() {
      this.reset();
      const counts = await countOpenAlarms().catch(() => null);
      if (counts === null) return;
      for (const severity of alarmSeverity.options) {
        for (const state of ['firing', 'acknowledged']) this.set({ severity, state }, 0);
      }
      for (const { count, ...labels } of counts) this.set(labels, count);
    },
  });
  new Gauge({
    name: 'portal_alarm_outbox_age_seconds',
    help: 'Age of the oldest event of an alarm that waits for a webhook; 0 without one. NaN without a database.',
    registers,
    async collect() {
      this.set(
        await findOutboxAge().then(
          (age) => age ?? 0,
          () => Number.NaN,
        ),
      );
    },
  });
  for (const [what, count] of Object.entries({ devices: countDevices, customers: countCustomers })) {
    if (count === undefined) continue;
    new Gauge({
      name: `portal_${what}`,
      help: `The ${what} in each state, as the pages show them. No series without a database.`,
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        for (const [state, number] of Object.entries(await count().catch(() => ({})))) this.set({ state }, number);
      },
    });
  }
  if (countEnergyFailures !== undefined) {
    new Gauge({
      name: 'portal_energy_failing_devices',
      help: 'Devices whose energy cannot be computed at the moment; GET /api/data-quality names them. NaN without a database.',
      registers,
      async collect() {
        this.set(await countEnergyFailures().catch(() => Number.NaN));
      },
    });
  }
  if (overviewPush !== undefined) {
    new Gauge({
      name: 'portal_push_backlog_rows',
      help: 'Measurement rows and intervals that the fleet does not have yet, or about. NaN without a database.',
      registers,
      async collect() {
        const { backlogRows, backlogIntervals, lastSuccessMs } = await overviewPush().catch(() => ({
          backlogRows: Number.NaN,
          backlogIntervals: Number.NaN,
          lastSuccessMs: Number.NaN,
        }));
        this.set(backlogRows + backlogIntervals);
        lastSuccess.set((lastSuccessMs ?? 0) / 1000);
      },
    });
    const lastSuccess = new Gauge({
      name: 'portal_push_last_success_timestamp_seconds',
      help: 'When the fleet last took measurements; 0: never.',
      registers,
    });
  }
  return { registry, recordIngest: countIngest(registry), recordAnswer: timeAnswers(registry) };
}

export interface MetricsAccess {
  /** `Metrics__Token` */
  token: string | undefined;
  /** Whether a proxy is trusted. It may run on this machine, and may forward requests of anybody. */
  isBehindProxy: boolean;
}

/** `GET /metrics` in the text format of Prometheus. */
export function metricsRoutes(app: App, { registry }: Metrics, access: MetricsAccess): void {
  const schema = {
    tags: ['Application'],
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description: 'Needs Metrics__Token. Without that setting it answers only requests from the same machine.',
    security: [{ metricsToken: [] }, {}],
    response: {
      200: { content: { 'text/plain': { schema: z.string() } } },
      401: errorBody,
      403: errorBody,
    },
  };
  app.get('/metrics', { onRequest: guardMetrics(access), schema }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

function timeAnswers(registry: Registry): Metrics['recordAnswer'] {
  const duration = new Histogram({
    name: 'portal_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // The pattern of the route and not the path: otherwise every id and every guessed path would be a series of its own.
  return ({ method, route, status, milliseconds }) =>
    duration.observe({ method, route, status: status ?? 'aborted' }, milliseconds / 1000);
}

function countIngest(registry: Registry): Metrics['recordIngest'] {
  const rows = new Counter({
    name: 'portal_ingest_rows_total',
    help: 'Measurement rows by verdict; accepted rows that were already stored count as duplicates.',
    labelNames: ['verdict'],
    registers: [registry],
  });
  for (const verdict of ['stored', 'duplicate', 'rejected']) rows.inc({ verdict }, 0);
  return ({ accepted, rejected, duplicates }) => {
    rows.inc({ verdict: 'stored' }, accepted - duplicates);
    rows.inc({ verdict: 'duplicate' }, duplicates);
    rows.inc({ verdict: 'rejected' }, rejected);
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

const proxyHeader = /^(?:x-forwarded-.+|x-real-ip|forwarded|via)$/;

/** decisions.md 7: a bearer token; without one, only this machine and not through a proxy. */
function guardMetrics({ token, isBehindProxy }: MetricsAccess) {
  return async (request: FastifyRequest): Promise<void> => {
    if (token === undefined) {
      if (!isBehindProxy && isLocal(request)) return;
      throw refuse('metricsHereOnly');
    }
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given === undefined || !isSame(given, token)) {
      throw refuse('metricsToken');
    }
  };
}

/**
 * Judged by the connection, because forwarded headers prove nothing here. A request for another host name comes through a
 * proxy, or from a browser on this machine that opened a page whose name points to this machine (DNS rebinding).
 */
function isLocal({ raw }: FastifyRequest): boolean {
  const { remoteAddress = '' } = raw.socket;
  const { host = 'localhost' } = raw.headers;
  return (
    isLoopback(remoteAddress) &&
    isLoopbackHost(host) &&
    !Object.keys(raw.headers).some((name) => proxyHeader.test(name))
  );
}

const isLoopback = (address: string) => loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');

function isLoopbackHost(host: string): boolean {
  const hostname = URL.parse(`http://${host}`)?.hostname ?? '';
  return loopbackNames.has(hostname) || (isIPv4(hostname) && isLoopback(hostname));
}

const digest = (text: string) => createHash('sha256').update(text).digest();
/** Takes the same time for all texts, wherever they differ and whatever their lengths. */
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
