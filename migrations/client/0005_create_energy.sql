-- The slot store (docs/energy.md): the quarter-hours of a device and UTC day in one row, so that years are read at once.
CREATE TABLE monitoring.energy_days (
  device_number integer NOT NULL,
  day date NOT NULL,
  samples integer NOT NULL,
  power_sum double precision NOT NULL,
  factor_active_sum double precision NOT NULL,
  factor_reactive_sum double precision NOT NULL,
  -- 96 float64 each, least significant byte first, kWh; null where all are 0. An empty interpolated one is the same as the
  -- energy it is part of.
  imported bytea,
  exported bytea,
  interpolated_imported bytea,
  interpolated_exported bytea,
  -- Columns of domain/statistics.ts in the code of db/energy-codec.ts; null where there is no reading. Out of line, because
  -- costs and peaks are asked for more often.
  power bytea,
  quantities bytea,
  -- With the count of readings, so that those of years are added up from the index alone.
  CONSTRAINT energy_days_pkey PRIMARY KEY (device_number, day) INCLUDE (samples)
) WITH (toast_tuple_target = 256);
ALTER TABLE monitoring.energy_days
  ALTER COLUMN imported SET STORAGE PLAIN,
  ALTER COLUMN exported SET STORAGE PLAIN,
  ALTER COLUMN interpolated_imported SET STORAGE PLAIN,
  ALTER COLUMN interpolated_exported SET STORAGE PLAIN,
  ALTER COLUMN power SET STORAGE EXTERNAL;

-- What ingests have touched and nobody has absorbed yet. Only added to and taken away, so that ingests do not wait for each
-- other; written in the ingest's own transaction, so that whoever sees a reading sees its mark.
CREATE TABLE monitoring.energy_marks (
  device_number integer NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  from_time timestamptz NOT NULL,
  -- Included.
  to_time timestamptz NOT NULL,
  CONSTRAINT energy_marks_pkey PRIMARY KEY (device_number, id)
);

-- First and last reading of all and of each register as far as absorbed; whoever absorbs the marks of a device locks its row.
CREATE TABLE monitoring.energy_state (
  device_number integer PRIMARY KEY,
  first_time timestamptz,
  last_time timestamptz,
  imported_first timestamptz,
  imported_last timestamptz,
  exported_first timestamptz,
  exported_last timestamptz
);

INSERT INTO monitoring.energy_state (device_number) SELECT number FROM monitoring.devices;

-- What was odd (energy-and-cost.md 2 to 4), and the gaps over which energy was spread.
CREATE TABLE monitoring.energy_flags (
  device_number integer NOT NULL,
  time timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('gap', 'interpolated', 'glitch', 'stepBack', 'rollover', 'reset', 'implausible')),
  direction text NOT NULL CHECK (direction IN ('imported', 'exported', 'both')),
  until timestamptz,
  energy_kwh double precision,
  CONSTRAINT energy_flags_pkey PRIMARY KEY (device_number, time, kind, direction)
);

INSERT INTO monitoring.energy_marks (device_number, from_time, to_time)
SELECT device_number, min(time), max(time) FROM monitoring.measurements
GROUP BY device_number, date_trunc('day', time, 'UTC');
