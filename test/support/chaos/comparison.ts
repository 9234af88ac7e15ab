import { listDayChecksums } from '../../../server/energy/day-checksums.sql.ts';
import { Database } from '../../../server/database/pool.ts';
import { quantities } from '../../../shared/quantities.ts';
import type { Gateway } from './gateway.ts';

export interface BothSides {
  client: string;
  fleet: string;
  customerId: string;
}

/** Every reading of a Client's devices, one line each, in fixed units. */
const dumpOf = (schema: 'monitoring' | 'fleet', join: string) =>
  `SELECT d.external_id AS "externalId", (extract(epoch FROM m.time) * 1000000)::bigint AS micros,
     concat_ws('|', d.id, (extract(epoch FROM m.time) * 1000000)::bigint,
       ${quantities.map(({ column }) => `coalesce(m.${column}::text, '')`).join(', ')}) AS line
   FROM ${schema}.measurements m JOIN ${schema}.devices d ON d.number = m.device_number ${join} ORDER BY d.id, m.time`;
/** For existing devices. */
const ofCustomer = (table: string) =>
  `AND d.customer_id = ${table}.customer_id
   WHERE ${table}.customer_id = $1 AND d.removed_at IS NULL AND d.announced_at IS NOT NULL`;
const dumpOfClient = dumpOf('monitoring', '');
const dumpOfFleet = dumpOf('fleet', ofCustomer('m'));

const sets = ['municipalities', 'sites', 'devices', 'tariffs', 'tariff_periods'];
/** What only one side has. */
const ownColumns = `'{customer_id,number,announced_at,removed_at,created_at,position,end_use}'::text[]`;
const setOf = (schema: string, table: string, where: string) =>
  `SELECT (to_jsonb(t) - ${ownColumns})::text AS line FROM ${schema}.${table} t ${where} ORDER BY 1`;

const energy = ['energy_days', 'energy_gaps', 'energy_flags'];
const energyOf = (schema: string, table: string, join: string) =>
  `SELECT d.id || (to_jsonb(t) - '{customer_id,device_number}'::text[])::text AS line
   FROM ${schema}.${table} t JOIN ${schema}.devices d ON d.number = t.device_number ${join} ORDER BY 1`;

interface Line {
  line: string;
}
interface Stored extends Line {
  externalId: string;
  micros: number;
}

/** Differences between both sides, and accepted rows missing in the Client; empty if there are none. */
export async function findDifferences(
  { client: clientString, fleet: fleetString, customerId }: BothSides,
  options: {
    gateway: Gateway;
    isGone: (externalId: string) => boolean;
    withEnergy: boolean;
    /** Before anything was delivered. */
    began: Date;
    fleetShiftMinutes: number;
  },
): Promise<string[]> {
  const client = new Database(clientString, { maxConnections: 1 });
  const fleet = new Database(fleetString, { maxConnections: 1 });
  try {
    const waiting = await client.query<{ count: number }>({
      text: `SELECT (SELECT count(*) FROM monitoring.push_outbox)
               + (SELECT count(*) FROM monitoring.push_recording WHERE walk_time IS NOT NULL) AS count`,
    });
    if (waiting.rows[0]?.count !== 0) return [`${waiting.rows[0]?.count} entries wait to be pushed`];
    const own = (await client.query<Stored>({ text: dumpOfClient })).rows;
    const copies = (await fleet.query<Stored>({ text: dumpOfFleet }, [customerId])).rows;
    const found = differencesOf('measurements', own, copies);

    const kept = Map.groupBy(own, ({ externalId }) => externalId);
    for (const [externalId, times] of options.gateway.accepted()) {
      if (options.isGone(externalId)) continue;
      const there = new Set(kept.get(externalId)?.map(({ micros }) => micros / 1000));
      const lost = [...times].filter((time) => !there.has(time));
      if (lost.length > 0) found.push(`${lost.length} accepted rows of ${externalId} are not in the Client`);
    }

    for (const table of sets) {
      const [there, copied] = [
        await client.query<Line>({ text: setOf('monitoring', table, '') }),
        await fleet.query<Line>({ text: setOf('fleet', table, currentOf(table)) }, [customerId]),
      ];
      found.push(...differencesOf(table, there.rows, copied.rows));
    }

    const { rows: counts } = await fleet.query<{ said: number; stored: number }>(
      {
        text: `SELECT measurement_count AS said,
                 (SELECT count(*) FROM fleet.measurements WHERE customer_id = $1) AS stored
               FROM fleet.customer_state WHERE customer_id = $1`,
      },
      [customerId],
    );
    if (counts[0]?.said !== counts[0]?.stored) found.push(`the counts of the fleet differ: ${JSON.stringify(counts)}`);

    // A Client's are read from its database, a fleet's from its portal, whose clock is shifted.
    for (const [side, db, shiftMinutes] of [
      ['Client', client, 0],
      ['fleet', fleet, options.fleetShiftMinutes],
    ] as const) {
      const { rows } = await db.query<{ count: number }>(
        {
          text: `SELECT count(*) AS count FROM ${side === 'fleet' ? 'fleet' : 'monitoring'}.measurements
                 WHERE received_at < $1::timestamptz - make_interval(mins => $2)
                   OR received_at > clock_timestamp() + make_interval(mins => $2)`,
        },
        [options.began, shiftMinutes],
      );
      if (rows[0]?.count !== 0) found.push(`${rows[0]?.count} rows of the ${side} have another time of receipt`);
    }

    const { rows: devices } = await client.query<{ id: string }>({ text: 'SELECT id FROM monitoring.devices' });
    const ids = devices.map(({ id }) => id);
    const range = { fromMicros: Date.UTC(2000) * 1000, toMicros: Date.UTC(2100) * 1000 };
    const sums = [
      await listDayChecksums(client, ids, range),
      await listDayChecksums(fleet.forCustomer(customerId), ids, range),
    ].map((days) => days.map((day) => ({ line: JSON.stringify(day) })));
    found.push(...differencesOf('checksums of days', sums[0] ?? [], sums[1] ?? []));

    for (const table of options.withEnergy ? ['energy_dirty_ranges', ...energy] : []) {
      const [there, copied] = [
        await client.query<Line>({ text: energyOf('monitoring', table, '') }),
        await fleet.query<Line>({ text: energyOf('fleet', table, ofCustomer('t')) }, [customerId]),
      ];
      if (table !== 'energy_dirty_ranges') found.push(...differencesOf(table, there.rows, copied.rows));
      else if (there.rows.length + copied.rows.length > 0) return [...found, 'quarter-hours are not materialized yet'];
    }
    return found;
  } finally {
    await Promise.all([client.close(), fleet.close()]);
  }
}

/** Periods go with their tariff. */
const currentOf = (table: string) =>
  table === 'tariff_periods'
    ? `JOIN fleet.tariffs f ON f.customer_id = t.customer_id AND f.id = t.tariff_id
       WHERE t.customer_id = $1 AND f.removed_at IS NULL`
    : `WHERE t.customer_id = $1 AND t.removed_at IS NULL ${table === 'devices' ? 'AND t.announced_at IS NOT NULL' : ''}`;

function differencesOf(what: string, own: readonly Line[], copies: readonly Line[]): string[] {
  const [there, copied] = [own, copies].map((lines) => new Set(lines.map(({ line }) => line)));
  const onlyIn = (lines: readonly Line[], other: ReadonlySet<string> | undefined, side: string) => {
    const alone = lines.filter(({ line }) => other?.has(line) !== true);
    return alone.length === 0 ? [] : [`${what}: ${alone.length} only in the ${side}, such as ${alone[0]?.line}`];
  };
  return [
    ...onlyIn(own, copied, 'Client'),
    ...onlyIn(copies, there, 'fleet'),
    ...(own.length === copies.length ? [] : [`${what}: ${own.length} in the Client, ${copies.length} in the fleet`]),
  ];
}
