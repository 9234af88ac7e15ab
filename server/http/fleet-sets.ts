import { z } from 'zod';
import { fleetIngestLimits, type FleetTariff, fleetRecords } from '../../shared/fleet-ingest.ts';
import { guid } from '../../shared/primitives.ts';
import type { RejectedRecord } from '../commands/fleet-batches.ts';
import type { FleetSet, Indexed, JudgedSet } from '../commands/fleet-sets.ts';
import type { MunicipalityTariff } from '../db/tariffs.ts';
import { yieldToOthers } from '../db/yield-to-others.ts';
import { DomainError } from '../domain/errors.ts';
import { refuseInvalidTariff } from '../domain/tariff-rules.ts';
import { readTerms } from './tariffs.ts';

/** After as many records and tariff periods others may run. */
const entriesBetweenYields = 50;

const identified = z.looseObject({ id: guid });
const withPeriods = z.object({ periods: z.array(z.unknown()) });

/** Takes the records of a full set as they come in and judges them one by one; of records with one id the first holds. */
export function createSetJudge(type: FleetSet['type']) {
  const recordIds = new Set<string>();
  const rejected: RejectedRecord[] = [];
  const reject = (index: number, id: string | null, reason: string) => void rejected.push({ index, id, reason });
  let isIncomplete = false;
  let [count, sinceYield, periodCount] = [0, 0, 0];
  const { set, take } = open(type, reject);
  /** Of a tariff; they are parsed with it and take as much memory as records. */
  const countPeriods = (entry: unknown) => {
    const periods = type === 'tariffs' ? (withPeriods.safeParse(entry).data?.periods.length ?? 0) : 0;
    periodCount += periods;
    if (periodCount <= fleetIngestLimits.periods) return periods;
    throw new DomainError(
      'tooLarge',
      `periods: a batch may have at most ${fleetIngestLimits.periods} in all; send fewer tariffs at a time.`,
    );
  };
  return {
    async judge(entries: readonly unknown[]) {
      for (const entry of entries) {
        const index = count;
        count += 1;
        sinceYield += 1 + countPeriods(entry);
        const known = identified.safeParse(entry);
        if (!known.success) {
          isIncomplete = true;
          reject(index, null, 'id: must be a GUID');
        } else if (recordIds.has(known.data.id)) {
          reject(index, known.data.id, 'id: stands twice in the batch; the first record of it holds');
        } else {
          recordIds.add(known.data.id);
          take(known.data, index);
        }
        if (sinceYield < entriesBetweenYields) continue;
        sinceYield = 0;
        await yieldToOthers();
      }
    },
    judged: (): JudgedSet => ({ set, rejected, recordIds: [...recordIds], isIncomplete }),
  };
}

type Reject = (index: number, id: string, reason: string) => void;
type Take = (entry: { id: string }, index: number) => void;

/** An empty set, and what adds a valid record to it. */
function open(type: FleetSet['type'], reject: Reject): { set: FleetSet; take: Take } {
  switch (type) {
    case 'municipalities': {
      const { records, take } = collect(fleetRecords.municipalities, reject);
      return { set: { type, records }, take };
    }
    case 'sites': {
      const { records, take } = collect(fleetRecords.sites, reject);
      return { set: { type, records }, take };
    }
    case 'devices': {
      const { records, take } = collect(fleetRecords.devices, reject);
      return { set: { type, records }, take };
    }
    case 'tariffs': {
      const records: Indexed<MunicipalityTariff>[] = [];
      const periodIds = new Set<string>();
      const take = judgeBy(fleetRecords.tariffs, reject, (tariff, index) => {
        const reason = whyNot(tariff, periodIds);
        if (reason !== null) return reject(index, tariff.id, reason);
        for (const { id } of tariff.periods) periodIds.add(id);
        records.push({ ...readTariff(tariff), index });
      });
      return { set: { type, records }, take };
    }
  }
}

function collect<Shape extends z.ZodType<{ id: string }>>(shape: Shape, reject: Reject) {
  const records: Indexed<z.output<Shape>>[] = [];
  return { records, take: judgeBy(shape, reject, (record, index) => void records.push({ ...record, index })) };
}

const judgeBy =
  <Shape extends z.ZodType<{ id: string }>>(
    shape: Shape,
    reject: Reject,
    accept: (record: z.output<Shape>, index: number) => void,
  ): Take =>
  (entry, index) => {
    const parsed = shape.safeParse(entry);
    if (parsed.success) return accept(parsed.data, index);
    const [issue] = parsed.error.issues;
    reject(index, entry.id, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`);
  };

/** Why a tariff cannot be stored beside those of the batch whose periods are known; null if it can. */
function whyNot(tariff: FleetTariff, periodIds: ReadonlySet<string>): string | null {
  const own = new Set<string>();
  for (const [at, { id }] of tariff.periods.entries()) {
    if (own.has(id) || periodIds.has(id)) return `periods.${at}.id: stands twice in the batch`;
    own.add(id);
  }
  try {
    refuseInvalidTariff(readTariff(tariff));
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

function readTariff(tariff: FleetTariff): MunicipalityTariff {
  const terms = readTerms(tariff);
  return {
    ...tariff,
    ...terms,
    periods: terms.periods.map((period, at) => ({ ...period, id: tariff.periods[at]?.id ?? '' })),
  };
}
