import { createHash } from 'node:crypto';
import { acknowledge } from './push.ts';
import { listPushedDevices } from '../sites/devices.sql.ts';
import { listMunicipalities } from '../rates/municipalities.sql.ts';
import type { Queryable } from '../database/pool.ts';
import { type PushResource, type PushState, setBatchSize, setUnanswered } from './push-state.sql.ts';
import { listSites } from '../sites/sites.sql.ts';
import { listTariffs } from '../rates/tariffs.sql.ts';
import { halved } from '../base/backoff.ts';
import { tariffOnWire } from '../rates/tariffs.rules.ts';
import type { FleetAnswer } from './fleet-client.ts';
import { type Ending, maxBodyBytes, type PushParts } from './parts.ts';

/** Sets are sent again after this time even if nothing changed, so that the fleet recovers what it lost. */
const repeatAfterMs = 3_600_000;

type SetResource = Exclude<PushResource, 'measurements'>;

/** The records of each set, as the Client itself shows them. */
const readers: Record<SetResource, (db: Queryable) => Promise<{ id: string }[]>> = {
  sites: async (db) => (await listSites(db)).map(({ id, name, municipalityId }) => ({ id, name, municipalityId })),
  devices: listPushedDevices,
  municipalities: listMunicipalities,
  tariffs: async (db) => [...(await listTariffs(db, null)).values()].flat().map(tariffOnWire),
};

/**
 * Pushes a set if it has changed or was not pushed for an hour. Returns the failure that ended it, null if it went well. A
 * rejected record is a failure too, and tried again, because what the record needs may have arrived by then.
 */
export function createSetPush({ database, client, batchSize, now }: PushParts) {
  return async (
    resource: SetResource,
    state: PushState,
    { stopping, givenUp }: Ending,
  ): Promise<FleetAnswer | null> => {
    const records = await readers[resource](database);
    const texts = records.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((record) => JSON.stringify(record));
    const cursor = createHash('sha256').update(texts.join('\n')).digest('hex');
    const sentMs = state.lastSuccessAt === null ? -Infinity : Date.parse(state.lastSuccessAt);
    const isCurrent = state.cursor === cursor && !state.isUnanswered;
    if (isCurrent && now() >= sentMs && now() < sentMs + repeatAfterMs) return null;
    // The fleet may accept the set and its answer get lost; then a set that changes back must not count as what the fleet has.
    if (!isCurrent) await setUnanswered(database, resource);

    let size = Math.min(state.batchSize ?? batchSize, batchSize);
    const skipped: string[] = [];
    for (;;) {
      const parts = cutInParts(texts, size);
      const rejected = { rows: 0, error: '' };
      let tooLarge: { part: readonly string[]; text: string } | null = null;
      for (const [at, part] of parts.entries()) {
        if (stopping.aborted) return null;
        const number = parts.length === 1 ? null : `${at + 1}/${parts.length}`;
        const body = `[${part.join(',')}]`;
        const answer = await client.send({ type: resource, cursor, part: number, body }, givenUp);
        if (answer.kind === 'failed') return answer;
        if (answer.kind === 'tooLarge') {
          tooLarge = { part, text: answer.text };
          break;
        }
        rejected.rows += answer.rejected;
        rejected.error ||= answer.reason ?? 'The fleet gives no reason.';
      }
      if (tooLarge === null) {
        const isWhole = rejected.rows === 0;
        const error = rejected.error || (skipped[0] ?? '');
        const rows = skipped.length + (state.failures === 0 ? rejected.rows : 0);
        await acknowledge(database, {
          resource,
          sent: isWhole ? { cursor, batchSize: size * 2 >= batchSize ? null : size * 2 } : null,
          progress: null,
          rejected: rows === 0 ? null : { rows, error },
          nowMs: now(),
        });
        if (isWhole) return null;
        return { kind: 'failed', error: { kind: 'rejected', text: error }, retryAfterSeconds: null, isLasting: false };
      }
      const smaller = halved(tooLarge.part.length);
      if (smaller === null) {
        texts.splice(texts.indexOf(tooLarge.part[0] ?? ''), 1);
        skipped.push(`An entry was skipped, because it is too large. ${tooLarge.text}`);
      } else {
        size = smaller;
        await setBatchSize(database, resource, size);
      }
    }
  };
}

/** At least one part, because an empty set means that no records are left. */
function cutInParts(texts: readonly string[], maxRecords: number): string[][] {
  const parts: string[][] = [[]];
  let characters = 0;
  for (const text of texts) {
    const last = parts.at(-1) ?? [];
    characters += text.length;
    if (last.length > 0 && (last.length >= maxRecords || characters > maxBodyBytes)) {
      parts.push([text]);
      characters = text.length;
    } else {
      last.push(text);
    }
  }
  return parts;
}
