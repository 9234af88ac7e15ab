import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUIDv7 } from 'node:crypto';
import { createArrivalLog } from '../ingest/arrivals.ts';
import { someAdministrator } from '../ingest/arrivals.rules.ts';
import { createClientIngest, ofClient } from '../ingest/client-ingest.ts';
import type { Database, Transaction } from '../database/pool.ts';
import type { TimeSeriesEngine } from '../database/engines/engine.ts';
import { DomainError } from '../base/errors.ts';
import type { JudgedReading } from '../ingest/readings.rules.ts';
import { type Log, warns } from '../base/log.ts';
import { addDevice } from '../sites/devices.ts';
import { insertMunicipality, insertTariff } from '../rates/tariffs.sql.ts';
import { addSite } from '../sites/sites.ts';
import {
  findLatestMeasurement,
  listDemoGaps,
  findDemo,
  insertDemo,
  insertDemoGap,
  isDatabaseEmpty,
} from './demo.sql.ts';
import { createGapFiller, type GapFiller, type Progress, stepSeconds } from './gaps.ts';
import { type DemoMeter, readingsAt, createMeters } from './meter.ts';
import { type DemoSite, type DemoWorld, demoTariffs, worlds } from './sites.ts';

export interface DemoLog extends Log {
  error(fields: object, message: string): void;
}

export interface DemoParts {
  database: Database;
  engine: TimeSeriesEngine;
  log: DemoLog;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called when measurements were stored. */
  onStored?: ((rows: number) => void) | undefined;
  historyDays?: number;
  /** The world for an empty database; a database with a demo keeps its own. */
  world?: DemoWorld;
  /** The sites of the world that this portal has; by default all. */
  sites?: readonly DemoSite[];
  liveIntervalSeconds?: number;
  /** How long the demo waits for a database that is out of reach. */
  retryMs?: number;
}

export interface Demo {
  /** The loaded share of the past, in whole tens; null if nothing is missing or there is no demo. */
  percent: () => number | null;
  /** Resolves when the demo has stopped on its own: the database holds real data, or something unexpected failed. */
  finished: Promise<void>;
  stop: () => Promise<void>;
}

/**
 * If the live readings lag by more than this, because the machine slept, they jump to now. The gap is then filled minute by
 * minute.
 */
const maxBehindSeconds = 60;

/**
 * Fills an empty database with a demo and keeps writing its live readings (decisions.md 7). Never throws. While the database is
 * out of reach it waits; then it continues where it was, as after a restart.
 */
export function startDemo(parts: DemoParts): Demo {
  const stopping = new AbortController();
  let percent: number | null = null;
  const finished = keepRunning(parts, stopping.signal, (reached) => {
    percent = reached === 100 ? null : reached;
  });
  return {
    percent: () => percent,
    finished,
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}

type OnPercent = (percent: number) => void;

async function keepRunning(parts: DemoParts, signal: AbortSignal, onPercent: OnPercent): Promise<void> {
  while (!signal.aborted) {
    try {
      await run(parts, signal, onPercent);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof DomainError) || error.kind !== 'unavailable') {
        parts.log.error({ err: error }, 'demo data stopped; the portal continues without it');
        return;
      }
      parts.log.warn({ err: error }, 'demo data: waiting for the database');
      await sleep(parts.retryMs ?? 5_000, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function run(parts: DemoParts, signal: AbortSignal, onPercent: OnPercent): Promise<void> {
  const { database, engine, log, now, historyDays = 90, liveIntervalSeconds = 10 } = parts;
  const nowSeconds = () => Math.floor(now() / 1000);
  const nextLive = () => (Math.floor(nowSeconds() / liveIntervalSeconds) + 1) * liveIntervalSeconds;

  const startedAt = nowSeconds();
  const opened = await openDemo(parts, startedAt, historyDays);
  if (opened === null) {
    log.info({}, 'no demo data: the database is not empty');
    return;
  }
  const { meters, isNew } = opened;
  if (isNew) log.info({ days: historyDays, devices: meters.length }, 'demo data: loading, newest day first');

  // The demo has an ingest of its own, so that no request shares a transaction with it.
  const ingest = createClientIngest({ database, engine, now, onStored: parts.onStored });
  const store = async (readings: readonly JudgedReading[]) => {
    // If a device was deleted or renamed, the ingest does not know it, as with any gateway.
    const request = ingest.begin(ofClient);
    for (const reading of readings) request.add(reading);
    return readings.length === 0 ? null : request.store();
  };
  const arrivals = createArrivalLog({ database, now, onProblem: warns(log, 'could not record recent arrivals') });
  const storeLive = async (readings: readonly JudgedReading[]) => {
    const outcome = await store(readings);
    if (outcome === null) return;
    const { rejected, ...delivered } = outcome;
    arrivals.note(someAdministrator, { ...delivered, rejected: rejected.count, errors: rejected.first });
    // Otherwise Incoming would first show what arrived when somebody last looked.
    await arrivals.watch();
  };
  const filler = createGapFiller({
    database,
    meters,
    store: async (readings) => void (await store(readings)),
    earliest: historyStart(startedAt, historyDays),
    onProgress: (progress) => {
      logProgress(log, progress);
      onPercent(progress.percent);
    },
  });

  let live = nextLive();
  await noteGapBefore(live, database, meters, filler);
  if ((await listDemoGaps(database)).length > 0) onPercent(0);
  while (!signal.aborted) {
    const behind = nowSeconds() - live;
    if (behind > maxBehindSeconds) {
      const resumed = nextLive();
      await filler.add({ from: live, to: resumed });
      live = resumed;
    } else if (behind >= 0) {
      await storeLive(readingsAt(meters, live));
      live += liveIntervalSeconds;
    } else if (!(await filler.fillDay(signal))) {
      await sleep(Math.max(0, live * 1000 - now()), undefined, { signal });
    }
  }
}

/** Records the readings that were not written while the portal was off. */
async function noteGapBefore(
  live: number,
  database: Database,
  meters: readonly DemoMeter[],
  filler: GapFiller,
): Promise<void> {
  const externalIds = meters.map((meter) => meter.externalId);
  const latest = await findLatestMeasurement(database, externalIds);
  const gaps = await listDemoGaps(database);
  const from = Math.max((latest ?? 0) + 1, ...gaps.map((gap) => gap.to));
  const hasReading = Math.ceil(from / stepSeconds) * stepSeconds < live;
  if (hasReading && (latest !== null || gaps.length > 0)) await filler.add({ from, to: live });
}

function logProgress(log: DemoLog, { percent, rows, backTo }: Progress): void {
  const fields = { percent, rows, backTo: new Date(backTo * 1000).toISOString() };
  log.info(fields, percent === 100 ? 'demo data: complete' : 'demo data: loading');
}

const secondsPerDay = 86_400;

/**
 * The demo of this database. In an empty database it creates sites, devices and tariffs, and records that the history of
 * `historyDays` days must still be written. The demo is then new. Null if the database has real data.
 */
async function openDemo(
  { database, world = 'SeveralCountries', sites }: DemoParts,
  nowSeconds: number,
  historyDays: number,
) {
  const isNew = await database.transaction(async (tx) => {
    if ((await findDemo(tx)) !== null || !(await isDatabaseEmpty(tx))) return false;
    const firstDay = Math.floor(nowSeconds / secondsPerDay);
    const { seed, sites: all } = worlds[world];
    if (!(await insertDemo(tx, { seed, firstDay }))) return false;
    await insertSites(tx, firstDay, sites ?? all);
    await insertDemoGap(tx, { from: historyStart(nowSeconds, historyDays), to: nowSeconds });
    return true;
  });
  const demo = await findDemo(database);
  if (demo === null) return null;
  const found = Object.values(worlds).find(({ seed }) => seed === demo.seed) ?? worlds[world];
  return { meters: createMeters(demo, sites ?? found.sites), isNew };
}

/** The whole minute this many days ago, in epoch seconds. */
const historyStart = (nowSeconds: number, historyDays: number) =>
  Math.floor(nowSeconds / 60) * 60 - historyDays * secondsPerDay;

async function insertSites(tx: Transaction, firstDay: number, sites: readonly DemoSite[]): Promise<void> {
  for (const site of sites) {
    const municipalityId = randomUUIDv7();
    await insertMunicipality(tx, { id: municipalityId, name: site.municipality, timeZone: site.place.timeZone });
    for (const tariff of demoTariffs(municipalityId, site.tariffs, firstDay)) await insertTariff(tx, tariff);
    const { id: siteId } = await addSite(tx, unrecorded, { name: site.name, municipalityId });
    const ids = new Map<string, string>();
    for (const { externalId, name, partOf, ratedPowerKw, retiredAt, endUse } of site.devices) {
      const { id } = await addDevice(tx, unrecorded, {
        siteId,
        name,
        externalId,
        isActive: retiredAt === undefined,
        energySource: 'auto',
        ratedPowerKw,
        registerMaxKwh: null,
        expectedIntervalSeconds: 60,
        parentDeviceId: ids.get(partOf ?? '') ?? null,
        endUse,
      });
      ids.set(externalId, id);
    }
  }
}

/** No person made the demo, so the audit trail does not record it. */
const unrecorded = async () => undefined;
