import { createHash } from 'node:crypto';
import { acknowledge } from './push.ts';
import { listPushedDevices } from '../sites/devices.sql.ts';
import { listMunicipalities, listTariffs } from '../rates/tariffs.sql.ts';
import type { Queryable } from '../database/pool.ts';
import { type PushResource, type PushState, setBatchSize, setUnanswered } from './push-state.sql.ts';
import { listSites } from '../sites/sites.sql.ts';
import { tariffOnWire } from '../rates/tariffs.rules.ts';
import { failed, type FleetAnswer, type FleetFailure } from './fleet-answer.ts';
import { maxBodyBytes } from './fleet-client.ts';
import type { Ending, PushParts } from './parts.ts';
import { createSendInHalves } from './send-in-halves.ts';

/** A set is sent again after this time even if nothing has changed, so that the fleet gets back what it may have lost. */
const repeatAfterMs = 3_600_000;

type SetResource = Exclude<PushResource, 'removals' | 'measurements' | 'intervals'>;

/** Reads the records of each set as the Client itself shows them. */
const readers: Record<SetResource, (db: Queryable) => Promise<{ id: string }[]>> = {
  sites: async (db) => (await listSites(db)).map(({ id, name, municipalityId }) => ({ id, name, municipalityId })),
  devices: listPushedDevices,
  municipalities: listMunicipalities,
  tariffs: async (db) => [...(await listTariffs(db, null)).values()].flat().map(tariffOnWire),
};

/**
 * Pushes a set if it has changed or was not pushed for an hour. Returns the failure that ended the push, or null. A rejected
 * record is a failure too. It is tried again, because the records that it needs may have arrived by then.
 */
export function createSetPush({ database, client, batchSize, now }: PushParts) {
  return async (
    resource: SetResource,
    state: PushState,
    { stopping, givenUp }: Ending,
  ): Promise<FleetFailure | null> => {
    const records = await readers[resource](database);
    const texts = records.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((record) => JSON.stringify(record));
    const cursor = createHash('sha256').update(texts.join('\n')).digest('hex');
    const sentMs = state.lastSuccessAt === null ? -Infinity : Date.parse(state.lastSuccessAt);
    const isCurrent = state.cursor === cursor && !state.isUnanswered;
    if (isCurrent && now() >= sentMs && now() < sentMs + repeatAfterMs) return null;
    // The fleet may accept the set although its answer is lost. If the set then changes back, it must not count as already
    // sent.
    if (!isCurrent) await setUnanswered(database, resource);

    const keepSize = (size: number) => setBatchSize(database, resource, size);
    const sendInHalves = createSendInHalves({ maxSize: batchSize, successesToGrow: 1, keepSize });
    const skipped: string[] = [];
    let sent: readonly string[] = [];
    let isTaken = false;
    // All parts count as one batch. If one of them is too large, the set is cut into parts again.
    const sendParts = async (size: number): Promise<FleetAnswer | null> => {
      const parts = cutInParts(texts, size);
      let [rejected, reason] = [0, ''];
      for (const [at, part] of parts.entries()) {
        if (stopping.aborted) return null;
        sent = part;
        const number = parts.length === 1 ? null : `${at + 1}/${parts.length}`;
        const body = `[${part.join(',')}]`;
        const answer = await client.send({ type: resource, cursor, part: number, body }, givenUp);
        if (answer.kind !== 'accepted') return answer;
        if (rejected === 0) ({ reason } = answer);
        rejected += answer.rejected;
      }
      return { kind: 'accepted', rejected, reason };
    };
    return sendInHalves(state.batchSize, async (size) =>
      isTaken
        ? null
        : {
            send: () => sendParts(size),
            count: () => sent.length,
            async acknowledge({ rejected, reason }, newSize) {
              isTaken = true;
              const isWhole = rejected === 0;
              const error = isWhole ? (skipped[0] ?? '') : reason;
              const rows = skipped.length + (state.failures === 0 ? rejected : 0);
              await acknowledge(database, {
                resource,
                sent: isWhole ? { cursor, batchSize: newSize } : null,
                progress: null,
                rejected: rows === 0 ? null : { rows, error },
                nowMs: now(),
              });
              return isWhole ? null : failed('rejected', error);
            },
            async leaveOut(text) {
              texts.splice(texts.indexOf(sent[0] ?? ''), 1);
              skipped.push(`An entry was skipped, because it is too large. ${text}`);
            },
          },
    );
  };
}

/** There is at least one part: an empty set tells the fleet that no records are left. */
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
