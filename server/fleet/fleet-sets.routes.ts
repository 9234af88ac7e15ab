import { z } from 'zod';
import { fleetIngestLimits, type FleetTariff, fleetRecords } from '../../shared/push.ts';
import { decodeIssue, type Message } from '../../shared/messages.ts';
import { guid } from '../../shared/primitives.ts';
import type { RejectedRecord } from './fleet-batches.ts';
import type { CopiedRecords, FleetSet, Indexed, JudgedSet } from './fleet-sets.ts';
import type { SetType } from './fleet-sets.sql.ts';
import type { MunicipalityTariff } from '../rates/tariffs.sql.ts';
import { yieldToOthers } from '../database/turns.ts';
import { about, message, refuse } from '../base/errors.ts';
import { SetRecords } from './set-records.rules.ts';
import { readTerms } from '../rates/tariffs.ts';

/** After this many records or tariff periods other requests get their turn. */
const entriesBetweenYields = 50;

const identified = z.looseObject({ id: guid });
const withPeriods = z.object({ periods: z.array(z.unknown()) });

/** Judges the records of a full set one by one as they arrive. Of records with the same id, the first counts. */
export function createSetJudge(type: SetType) {
  const records = new SetRecords();
  const rejected: RejectedRecord[] = [];
  const reject = (index: number, id: string | null, problem: Message) => void rejected.push({ index, id, problem });
  let isIncomplete = false;
  let [count, sinceYield, periodCount] = [0, 0, 0];
  const { set, take } = open(type, records, reject);
  /** The number of periods of a tariff. Each takes as much memory as a record. */
  const countPeriods = (entry: unknown) => {
    const periods = type === 'tariffs' ? (withPeriods.safeParse(entry).data?.periods.length ?? 0) : 0;
    periodCount += periods;
    if (periodCount <= fleetIngestLimits.periods) return periods;
    throw refuse('manyPeriods', { max: fleetIngestLimits.periods }, { field: 'periods' });
  };
  return {
    async judge(entries: readonly unknown[]) {
      for (const entry of entries) {
        const index = count;
        count += 1;
        sinceYield += 1 + countPeriods(entry);
        const known = identified.safeParse(entry);
        if (known.success) {
          const problem = records.add(known.data.id);
          if (problem === null) take(known.data, index);
          else reject(index, known.data.id, problem);
        } else {
          isIncomplete = true;
          reject(index, null, about('id', message('mustBeGuid')));
        }
        if (sinceYield < entriesBetweenYields) continue;
        sinceYield = 0;
        await yieldToOthers();
      }
    },
    judged: (): JudgedSet => ({ set, rejected, recordIds: [...records.ids], isIncomplete }),
  };
}

type Reject = (index: number, id: string, problem: Message) => void;
type Take = (entry: { id: string }, index: number) => void;
type Plain = Exclude<SetType, 'tariffs'>;
const plainRecords: { [Type in Plain]: z.ZodType<CopiedRecords[Type]> } = fleetRecords;

/** An empty set, and a function that adds a valid record to it. */
function open(type: SetType, known: SetRecords, reject: Reject): { set: FleetSet; take: Take } {
  if (type !== 'tariffs') return openPlain(type, reject);
  const records: Indexed<MunicipalityTariff>[] = [];
  const take = judgeBy(fleetRecords.tariffs, reject, (sent, index) => {
    const tariff = readTariff(sent);
    const problem = known.addTariff(tariff);
    if (problem === null) records.push({ ...tariff, index });
    else reject(index, tariff.id, problem);
  });
  return { set: { type, records }, take };
}

function openPlain<Type extends Plain>(type: Type, reject: Reject): { set: FleetSet<Type>; take: Take } {
  const records: Indexed<CopiedRecords[Type]>[] = [];
  const take = judgeBy(plainRecords[type], reject, (record, index) => void records.push({ ...record, index }));
  return { set: { type, records }, take };
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
    reject(index, entry.id, about(issue?.path.join('.') ?? '', decodeIssue(issue?.message ?? '')));
  };

function readTariff(tariff: FleetTariff): MunicipalityTariff {
  const terms = readTerms(tariff);
  return {
    ...tariff,
    ...terms,
    periods: terms.periods.map((period, at) => ({ ...period, id: tariff.periods[at]?.id ?? '' })),
  };
}
