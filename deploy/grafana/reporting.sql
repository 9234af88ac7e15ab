-- What Grafana may ask of a Client's database (docs/adr/0055): functions in a schema of their own. They run with the rights of the portal's
-- account, which owns them; the role `portal_grafana` may call them and nothing else. Functions rather than views, so that no
-- migration of the portal is held up by what depends on its tables. May be run again at any time, and is at each start of the overlay.
CREATE SCHEMA IF NOT EXISTS reporting;

CREATE OR REPLACE FUNCTION reporting.sites()
RETURNS TABLE (id uuid, name text, time_zone text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT s.id, s.name, m.time_zone FROM monitoring.sites s JOIN monitoring.municipalities m ON m.id = s.municipality_id
$$;

-- Devices by a label that no two share: the name, with the site or the external id where names are not enough.
CREATE OR REPLACE FUNCTION reporting.devices()
RETURNS TABLE (id uuid, number integer, label text, site_id uuid, site_name text, time_zone text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT d.id, d.number,
         CASE WHEN count(*) OVER (PARTITION BY d.name) = 1 THEN d.name
              WHEN count(*) OVER (PARTITION BY d.name, s.id) = 1 THEN d.name || ' · ' || s.name
              ELSE d.name || ' · ' || d.external_id END,
         s.id, s.name, s.time_zone
  FROM monitoring.devices d JOIN reporting.sites() s ON s.id = d.site_id
$$;

-- Those of the devices that add up: a sub-meter is in the energy of its main meter where both are among them (docs/energy.md).
CREATE OR REPLACE FUNCTION reporting.counted(devices uuid[]) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH RECURSIVE chain AS (
    SELECT d.id, d.parent_device_id AS above FROM monitoring.devices d
    WHERE d.parent_device_id IS NOT NULL AND d.id = ANY (devices)
    UNION
    SELECT c.id, d.parent_device_id FROM chain c JOIN monitoring.devices d ON d.id = c.above
    WHERE d.parent_device_id IS NOT NULL
  )
  SELECT coalesce(array_agg(chosen.id), '{}') FROM unnest(devices) AS chosen (id)
  WHERE NOT EXISTS (SELECT FROM chain c WHERE c.id = chosen.id AND c.above = ANY (devices))
$$;

-- Averages of the readings by device and bucket, in the units of the portal's pages. Power factor is that of the sums of P and Q
-- (energy-and-cost.md 6).
CREATE OR REPLACE FUNCTION reporting.measured(devices uuid[], from_time timestamptz, to_time timestamptz, bucket_ms bigint)
RETURNS TABLE (
  "time" timestamptz, device text, samples bigint, power_kw double precision,
  least_power_kw double precision, most_power_kw double precision, reactive_power_kvar double precision,
  power_factor double precision, voltage_v double precision, least_voltage_v double precision,
  most_voltage_v double precision, frequency_hz double precision
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT date_bin(bucket_ms * interval '1 millisecond', m.time, timestamptz 'epoch'), d.label, count(*),
         avg(p.active) / 1e6, min(p.active) / 1e6, max(p.active) / 1e6, avg(m.reactive_power_millivars)::double precision / 1e6,
         sum(p.active) FILTER (WHERE p.reactive IS NOT NULL)
           / nullif(sqrt(power(sum(p.active) FILTER (WHERE p.reactive IS NOT NULL), 2) + power(sum(p.reactive), 2)), 0),
         avg(m.voltage_millivolts)::double precision / 1e3, min(m.voltage_millivolts)::double precision / 1e3,
         max(m.voltage_millivolts)::double precision / 1e3, avg(m.frequency_tenth_millihertz)::double precision / 1e4
  FROM reporting.devices() d
  JOIN monitoring.measurements m ON m.device_number = d.number
  CROSS JOIN LATERAL (
    SELECT m.active_power_milliwatts::double precision AS active,
           coalesce(m.reactive_power_millivars::double precision,
                    abs(m.active_power_milliwatts) * sqrt(greatest(0, 1e12 - power(m.power_factor_millionths::double precision, 2)))
                      / nullif(abs(m.power_factor_millionths), 0)) AS reactive
  ) p
  WHERE d.id = ANY (devices) AND m.time >= from_time AND m.time < to_time
  GROUP BY 1, 2
$$;

-- So many bits of bytes from a bit on, the least significant first; at most 24 (docs/adr/0038).
CREATE OR REPLACE FUNCTION reporting.bits_at(bytes bytea, first_bit integer, bits integer) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ((get_byte(bytes, first_bit >> 3) | (get_byte(bytes, (first_bit >> 3) + 1) << 8)
           | (get_byte(bytes, (first_bit >> 3) + 2) << 16) | (get_byte(bytes, (first_bit >> 3) + 3)::bigint << 24)) >> (first_bit & 7))
         & ((1 << bits) - 1)
$$;

-- A float64 by its bits; what is too small to be normal is 0.
CREATE OR REPLACE FUNCTION reporting.float_of(bits bigint) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN (bits >> 52) & 2047 = 0 THEN 0
              ELSE (CASE WHEN bits < 0 THEN -1 ELSE 1 END) * ((bits & 4503599627370495) | 4503599627370496)::double precision
                   * power(2::double precision, ((bits >> 52) & 2047) - 1075) END
$$;

-- The 96 quarter-hours of a column of monitoring.energy_days in kWh, to the bit as server/db/energy-codec.ts decodes them.
CREATE OR REPLACE FUNCTION reporting.unpack_energy(packed bytea) RETURNS double precision[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  kwh double precision[] := array_fill(0::double precision, ARRAY[96]);
  -- Bits are read four bytes at a time.
  bytes bytea := packed || '\x00000000';
  -- First decimals, then what binary arithmetic is off.
  numbers bigint[] := array_fill(0::bigint, ARRAY[192]);
  place integer := 2;
  per_whole double precision;
  byte integer;
  shift integer;
  unit bigint;
  units bigint;
  coded bigint;
  bits integer;
  piece integer;
  filled integer;
  value double precision := 0;
BEGIN
  IF packed IS NULL THEN RETURN kwh; END IF;
  IF octet_length(packed) = 768 THEN
    FOR slot IN 0..95 LOOP
      kwh[slot + 1] := reporting.float_of(
        reporting.bits_at(bytes, slot * 64, 24) | (reporting.bits_at(bytes, slot * 64 + 24, 24) << 24)
        | (reporting.bits_at(bytes, slot * 64 + 48, 16) << 48));
    END LOOP;
    RETURN kwh;
  END IF;
  IF get_byte(packed, 0) = 17 THEN
    place := 13;
    FOR slot IN 0..95 LOOP
      IF reporting.bits_at(bytes, 8 + slot, 1) = 1 THEN
        value := reporting.float_of(('x' || encode(substr(bytes, place + 1, 8), 'hex'))::bit(64)::bigint);
        place := place + 8;
      END IF;
      kwh[slot + 1] := value;
    END LOOP;
    RETURN kwh;
  END IF;
  per_whole := power(2::double precision, get_byte(packed, 1));
  FOR part IN 0..1 LOOP
    unit := 0;
    shift := 0;
    LOOP
      byte := get_byte(bytes, place);
      place := place + 1;
      unit := unit | ((byte & 127)::bigint << shift);
      shift := shift + 7;
      EXIT WHEN byte < 128;
    END LOOP;
    units := 0;
    FOR block IN 0..2 LOOP
      coded := 0;
      shift := 0;
      LOOP
        byte := get_byte(bytes, place);
        place := place + 1;
        coded := coded | ((byte & 127)::bigint << shift);
        shift := shift + 7;
        EXIT WHEN byte < 128;
      END LOOP;
      units := units + CASE WHEN coded & 1 = 1 THEN -((coded + 1) >> 1) ELSE coded >> 1 END;
      bits := get_byte(bytes, place);
      place := place + 1;
      -- All numbers are the same.
      filled := CASE WHEN bits = 255 THEN 96 ELSE 32 END;
      FOR slot IN part * 96 + block * 32 + 1..part * 96 + block * 32 + filled LOOP
        numbers[slot] := units * unit;
      END LOOP;
      EXIT WHEN bits = 255;
      shift := 0;
      WHILE bits > 0 LOOP
        piece := least(bits, 24);
        FOR slot IN 0..31 LOOP
          numbers[part * 96 + block * 32 + slot + 1] := numbers[part * 96 + block * 32 + slot + 1]
            + (reporting.bits_at(bytes, place * 8 + slot * piece, piece) << shift) * unit;
        END LOOP;
        place := place + 4 * piece;
        bits := bits - 24;
        shift := shift + 24;
      END LOOP;
    END LOOP;
  END LOOP;
  FOR slot IN 1..96 LOOP
    value := numbers[slot]::double precision / 1e6 * per_whole;
    -- Half up, as JavaScript rounds.
    kwh[slot] := (floor(value) + CASE WHEN value - floor(value) >= 0.5 THEN 1 ELSE 0 END + numbers[slot + 96]) / per_whole;
  END LOOP;
  RETURN kwh;
END
$$;

-- The whole quarter-hours of a range in which a device had energy, as they are stored: those of readings that wait to be computed
-- (reporting.pending) are not in them, and neither is the part of a quarter-hour that the range cuts. What is estimated is counted in.
CREATE OR REPLACE FUNCTION reporting.quarter_hours(devices uuid[], from_time timestamptz, to_time timestamptz)
RETURNS TABLE (
  device text, site_id uuid, site_name text, time_zone text, "time" timestamptz, imported_kwh double precision,
  exported_kwh double precision, estimated_imported_kwh double precision, estimated_exported_kwh double precision
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT c.label, c.site_id, c.site_name, c.time_zone, slots.time, slots.imported, slots.exported,
         slots.estimated_imported, slots.estimated_exported
  FROM reporting.devices() c
  CROSS JOIN LATERAL (
    SELECT (e.day::timestamp AT TIME ZONE 'UTC') + (slot.number - 1) * interval '15 minutes' AS time, slot.imported, slot.exported,
           slot.estimated_imported, slot.estimated_exported
    FROM monitoring.energy_days e
    -- OFFSET 0 unpacks a column once, however often it is used.
    CROSS JOIN LATERAL (
      SELECT reporting.unpack_energy(e.imported) AS imported, reporting.unpack_energy(e.exported) AS exported OFFSET 0
    ) day
    CROSS JOIN LATERAL unnest(
      day.imported, day.exported,
      CASE octet_length(e.interpolated_imported) WHEN 0 THEN day.imported ELSE reporting.unpack_energy(e.interpolated_imported) END,
      CASE octet_length(e.interpolated_exported) WHEN 0 THEN day.exported ELSE reporting.unpack_energy(e.interpolated_exported) END
    ) WITH ORDINALITY AS slot (imported, exported, estimated_imported, estimated_exported, number)
    WHERE e.device_number = c.number
      AND e.day >= (from_time AT TIME ZONE 'UTC')::date AND e.day <= (to_time AT TIME ZONE 'UTC')::date
    UNION ALL
    -- Days between two readings far apart have one row for all (docs/adr/0024).
    SELECT slot.time, g.imported_kwh, g.exported_kwh, g.imported_kwh, g.exported_kwh
    FROM monitoring.energy_gaps g
    CROSS JOIN LATERAL generate_series(
      greatest(g.from_day::timestamp AT TIME ZONE 'UTC', date_trunc('day', from_time, 'UTC')),
      least(g.to_day::timestamp AT TIME ZONE 'UTC', to_time) - interval '15 minutes', interval '15 minutes') AS slot (time)
    WHERE g.device_number = c.number AND g.from_day::timestamp AT TIME ZONE 'UTC' < to_time
      AND g.to_day::timestamp AT TIME ZONE 'UTC' > from_time
  ) slots
  WHERE c.id = ANY (devices) AND slots.time >= from_time AND slots.time <= to_time - interval '15 minutes'
    AND (slots.imported <> 0 OR slots.exported <> 0 OR slots.estimated_imported <> 0 OR slots.estimated_exported <> 0)
$$;

-- The greatest power of quarter-hours of all these devices together; those with estimated energy are left out (energy-and-cost.md 6).
CREATE OR REPLACE FUNCTION reporting.peak_demand(devices uuid[], from_time timestamptz, to_time timestamptz)
RETURNS TABLE ("time" timestamptz, peak_kw double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT q.time, sum(q.imported_kwh) * 4 FROM reporting.quarter_hours(reporting.counted(devices), from_time, to_time) q
  GROUP BY q.time
  HAVING sum(q.imported_kwh) > 0 AND NOT bool_or(q.estimated_imported_kwh <> 0 OR q.estimated_exported_kwh <> 0)
  ORDER BY 2 DESC, 1 LIMIT 1
$$;

-- The first instant of a local day; midnight may come twice, and the first counts.
CREATE OR REPLACE FUNCTION reporting.start_of_day(day date, time_zone text) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN (day::timestamp AT TIME ZONE time_zone - interval '1 hour') AT TIME ZONE time_zone = day::timestamp
              THEN day::timestamp AT TIME ZONE time_zone - interval '1 hour' ELSE day::timestamp AT TIME ZONE time_zone END
$$;

-- What the energy costs by site and line (energy-and-cost.md 7), exact and before it is rounded; the portal rounds each total once and
-- shares it out. Energy without a tariff in force has a line without currency.
CREATE OR REPLACE FUNCTION reporting.costs(devices uuid[], from_time timestamptz, to_time timestamptz)
RETURNS TABLE (
  site_id uuid, site_name text, currency text, line text, rate_per_kwh numeric, energy_kwh double precision,
  energy_cost numeric, fixed_charge numeric, vat numeric
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH chosen AS (
    SELECT s.id AS site_id, s.name AS site_name, m.id AS municipality_id, m.time_zone, bool_or(d.is_active) AS pays_fixed_charge
    FROM monitoring.devices d
    JOIN monitoring.sites s ON s.id = d.site_id
    JOIN monitoring.municipalities m ON m.id = s.municipality_id
    WHERE d.id = ANY (devices) GROUP BY 1, 2, 3, 4
  ),
  -- The tariff of each local day, and which share of the day lies in the range.
  days AS MATERIALIZED (
    SELECT z.municipality_id, local.day, t.id AS tariff_id,
           extract(epoch FROM least(edge.ends_at, to_time) - greatest(edge.starts_at, from_time))
             / extract(epoch FROM edge.ends_at - edge.starts_at) AS share
    FROM (SELECT DISTINCT c.municipality_id, c.time_zone FROM chosen c) z
    CROSS JOIN LATERAL (
      SELECT (from_time AT TIME ZONE z.time_zone)::date + n AS day
      FROM generate_series(0, (to_time AT TIME ZONE z.time_zone)::date - (from_time AT TIME ZONE z.time_zone)::date) n
    ) local
    CROSS JOIN LATERAL (
      SELECT reporting.start_of_day(local.day, z.time_zone) AS starts_at, reporting.start_of_day(local.day + 1, z.time_zone) AS ends_at
    ) edge
    LEFT JOIN LATERAL (
      SELECT t.id FROM monitoring.tariffs t
      WHERE t.municipality_id = z.municipality_id AND t.is_active AND t.effective_from <= local.day
        AND (t.effective_to IS NULL OR t.effective_to > local.day)
      ORDER BY t.effective_from DESC LIMIT 1
    ) t ON true
    WHERE least(edge.ends_at, to_time) > greatest(edge.starts_at, from_time)
  ),
  -- The periods of a week, from Monday 0 on; what runs past midnight is two of them.
  periods AS (
    SELECT p.tariff_id, p.id, part.weekday, part.from_minute, part.to_minute
    FROM monitoring.tariff_periods p
    CROSS JOIN generate_series(0, 6) AS starts (weekday)
    CROSS JOIN LATERAL (VALUES
      (starts.weekday, p.start_minute::integer, CASE WHEN p.start_minute < p.end_minute THEN p.end_minute ELSE 1440 END),
      ((starts.weekday + 1) % 7, 0, CASE WHEN p.start_minute < p.end_minute THEN 0 ELSE p.end_minute END)
    ) AS part (weekday, from_minute, to_minute)
    WHERE p.tariff_id IN (SELECT tariff_id FROM days) AND p.days_of_week & (1 << starts.weekday) <> 0
      AND part.from_minute < part.to_minute
  ),
  week AS (
    SELECT t.tariff_id, weekday, quarter * 15 AS minute
    FROM (SELECT DISTINCT tariff_id FROM days WHERE tariff_id IS NOT NULL) t
    CROSS JOIN generate_series(0, 6) AS weekday
    CROSS JOIN generate_series(0, 95) AS quarter
  ),
  -- How many minutes of each quarter-hour of a week a period has; the default rate (no period) has the others.
  quarters AS (
    SELECT w.tariff_id, w.weekday, w.minute, p.id AS period_id,
           sum(least(p.to_minute, w.minute + 15) - greatest(p.from_minute, w.minute)) AS minutes
    FROM week w JOIN periods p ON p.tariff_id = w.tariff_id AND p.weekday = w.weekday
    WHERE p.from_minute < w.minute + 15 AND p.to_minute > w.minute
    GROUP BY 1, 2, 3, 4
  ),
  shares AS MATERIALIZED (
    SELECT tariff_id, weekday, minute, period_id, minutes / 15.0::double precision AS share FROM quarters
    UNION ALL
    SELECT tariff_id, weekday, minute, NULL, (15 - coalesce(sum(q.minutes), 0)) / 15.0::double precision
    FROM week LEFT JOIN quarters q USING (tariff_id, weekday, minute)
    GROUP BY 1, 2, 3 HAVING coalesce(sum(q.minutes), 0) < 15
  ),
  energy AS MATERIALIZED (
    SELECT q.site_id, d.tariff_id, extract(isodow FROM local.time)::integer - 1 AS weekday,
           (extract(hour FROM local.time) * 60 + extract(minute FROM local.time))::integer AS minute,
           sum(q.imported_kwh) AS imported, sum(q.exported_kwh) AS exported
    FROM reporting.quarter_hours(reporting.counted(devices), from_time, to_time) q
    JOIN chosen c ON c.site_id = q.site_id
    CROSS JOIN LATERAL (SELECT q.time AT TIME ZONE c.time_zone AS time) local
    JOIN days d ON d.municipality_id = c.municipality_id AND d.day = local.time::date
    GROUP BY 1, 2, 3, 4
  ),
  lines AS (
    SELECT e.site_id, e.tariff_id, s.period_id, false AS is_export, sum(e.imported * s.share) AS kwh
    FROM energy e JOIN shares s ON s.tariff_id = e.tariff_id AND s.weekday = e.weekday AND s.minute = e.minute
    GROUP BY 1, 2, 3 HAVING sum(e.imported * s.share) <> 0
    UNION ALL
    SELECT e.site_id, e.tariff_id, NULL, true, sum(e.exported) FROM energy e WHERE e.tariff_id IS NOT NULL
    GROUP BY 1, 2 HAVING sum(e.exported) <> 0
  ),
  -- The shortest decimal that reads back as the float64 is what is priced.
  priced AS (
    SELECT l.site_id, t.currency, CASE WHEN l.is_export THEN 'Export' ELSE coalesce(p.name, 'Default') END AS line, l.kwh,
           CASE WHEN l.is_export THEN -t.export_rate_per_kwh ELSE coalesce(p.rate_per_kwh, t.default_rate_per_kwh) END AS rate,
           0::numeric AS fixed, t.vat_percent
    FROM lines l
    JOIN monitoring.tariffs t ON t.id = l.tariff_id
    LEFT JOIN monitoring.tariff_periods p ON p.id = l.period_id
    WHERE NOT l.is_export OR t.export_rate_per_kwh IS NOT NULL
    UNION ALL
    SELECT c.site_id, t.currency, 'Fixed charge', NULL, NULL,
           sum(d.share * t.fixed_charge_per_month / extract(day FROM date_trunc('month', d.day::timestamp) + interval '1 month -1 day')), t.vat_percent
    FROM chosen c
    JOIN days d ON d.municipality_id = c.municipality_id
    JOIN monitoring.tariffs t ON t.id = d.tariff_id
    WHERE c.pays_fixed_charge
    GROUP BY 1, t.id
  )
  SELECT c.site_id, c.site_name, p.currency, p.line, abs(p.rate), p.kwh, cost.energy, p.fixed, (cost.energy + p.fixed) * p.vat_percent / 100
  FROM priced p JOIN chosen c ON c.site_id = p.site_id
  CROSS JOIN LATERAL (SELECT coalesce(p.kwh::text::numeric * p.rate, 0) AS energy) cost
  UNION ALL
  SELECT c.site_id, c.site_name, NULL, 'No tariff', NULL, sum(e.imported), NULL, NULL, NULL
  FROM energy e JOIN chosen c ON c.site_id = e.site_id WHERE e.tariff_id IS NULL GROUP BY 1, 2 HAVING sum(e.imported) <> 0
$$;

-- What was odd (energy-and-cost.md 2 to 4): gaps, resets and the like.
CREATE OR REPLACE FUNCTION reporting.findings(devices uuid[], from_time timestamptz, to_time timestamptz)
RETURNS TABLE ("time" timestamptz, device text, kind text, direction text, until timestamptz, energy_kwh double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT f.time, d.label, f.kind, f.direction, f.until, f.energy_kwh
  FROM reporting.devices() d JOIN monitoring.energy_flags f ON f.device_number = d.number
  WHERE d.id = ANY (devices) AND f.time >= from_time AND f.time < to_time
$$;

-- Ranges of readings that are stored and not in the quarter-hours yet; the portal's own pages compute them when they are asked.
CREATE OR REPLACE FUNCTION reporting.pending(devices uuid[])
RETURNS TABLE (device_id uuid, from_time timestamptz, to_time timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT d.id, r.from_time, r.to_time
  FROM monitoring.devices d JOIN monitoring.energy_dirty_ranges r ON r.device_number = d.number WHERE d.id = ANY (devices)
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA reporting FROM PUBLIC;
GRANT USAGE ON SCHEMA reporting TO portal_grafana;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA reporting TO portal_grafana;
