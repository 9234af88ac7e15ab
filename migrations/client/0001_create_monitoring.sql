-- What a customer's stack keeps: sites, devices, tariffs, measurements, the energy computed from them, and what a push to the
-- fleet needs. Instants are timestamptz, days are UTC unless said otherwise.
CREATE SCHEMA monitoring;

CREATE TABLE monitoring.municipalities (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  time_zone text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX municipalities_name_key ON monitoring.municipalities (lower(name));

CREATE TABLE monitoring.sites (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  municipality_id uuid NOT NULL CONSTRAINT sites_municipality_fkey REFERENCES monitoring.municipalities (id),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX sites_name_key ON monitoring.sites (lower(name));
CREATE INDEX sites_municipality_id ON monitoring.sites (municipality_id);

CREATE TABLE monitoring.devices (
  -- The number stands in every measurement instead of the GUID: four bytes, not sixteen.
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL CONSTRAINT devices_id_key UNIQUE,
  site_id uuid NOT NULL CONSTRAINT devices_site_fkey REFERENCES monitoring.sites (id),
  name text NOT NULL,
  external_id text NOT NULL CONSTRAINT devices_external_id_key UNIQUE,
  is_active boolean NOT NULL DEFAULT true,
  energy_source text NOT NULL DEFAULT 'auto' CHECK (energy_source IN ('auto', 'register', 'power')),
  rated_power_kw double precision CHECK (rated_power_kw > 0),
  register_max_kwh double precision CHECK (register_max_kwh > 0),
  expected_interval_seconds integer CHECK (expected_interval_seconds > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The device whose energy this one measures a part of (docs/adr/0060).
  parent_device_id uuid CONSTRAINT devices_parent_check CHECK (parent_device_id <> id),
  -- What its energy is for, such as lighting.
  end_use text,
  -- A parent is a device of the same site.
  CONSTRAINT devices_id_site_key UNIQUE (id, site_id),
  CONSTRAINT devices_parent_fkey FOREIGN KEY (parent_device_id, site_id) REFERENCES monitoring.devices (id, site_id)
);
CREATE INDEX devices_site_id ON monitoring.devices (site_id);
CREATE INDEX devices_parent_device_id ON monitoring.devices (parent_device_id) WHERE parent_device_id IS NOT NULL;

CREATE TABLE monitoring.api_keys (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('ingest')),
  -- SHA-256 of the key; the key itself is nowhere.
  key_hash bytea NOT NULL CONSTRAINT api_keys_key_hash_key UNIQUE,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX api_keys_name_key ON monitoring.api_keys (lower(name));

-- Money and rates are numeric, never binary floats; shared/rates.ts says how many digits they may have.
CREATE TABLE monitoring.tariffs (
  id uuid PRIMARY KEY,
  -- A tariff prices nothing but the sites of its municipality, so it goes with it.
  municipality_id uuid NOT NULL CONSTRAINT tariffs_municipality_fkey
    REFERENCES monitoring.municipalities (id) ON DELETE CASCADE,
  name text NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  is_active boolean NOT NULL,
  effective_from date NOT NULL,
  -- The first day on which it no longer holds; null is without end.
  effective_to date,
  default_rate_per_kwh numeric(20, 10) NOT NULL CHECK (default_rate_per_kwh >= 0),
  fixed_charge_per_month numeric(20, 10) NOT NULL CHECK (fixed_charge_per_month >= 0),
  vat_percent numeric(13, 10) NOT NULL CHECK (vat_percent >= 0 AND vat_percent <= 100),
  export_rate_per_kwh numeric(20, 10) CHECK (export_rate_per_kwh >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tariffs_window_check CHECK (effective_from < effective_to)
);
-- Which tariff holds on a date is decided by its start, so no two active ones may share it.
CREATE UNIQUE INDEX tariffs_active_from_key ON monitoring.tariffs (municipality_id, effective_from) WHERE is_active;
CREATE INDEX tariffs_municipality_id ON monitoring.tariffs (municipality_id);

-- That periods do not overlap is kept by the one command that writes them (domain/tariff-rules.ts).
CREATE TABLE monitoring.tariff_periods (
  id uuid PRIMARY KEY,
  tariff_id uuid NOT NULL CONSTRAINT tariff_periods_tariff_fkey
    REFERENCES monitoring.tariffs (id) ON DELETE CASCADE,
  -- They are shown in the order in which they were written.
  position smallint NOT NULL,
  name text NOT NULL,
  -- Bitmask, Monday 1 to Sunday 64.
  days_of_week smallint NOT NULL CHECK (days_of_week >= 1 AND days_of_week <= 127),
  -- Minutes since local midnight; an end before the start lies on the next day.
  start_minute smallint NOT NULL CHECK (start_minute >= 0 AND start_minute < 1440),
  end_minute smallint NOT NULL CHECK (end_minute >= 0 AND end_minute <= 1440),
  rate_per_kwh numeric(20, 10) NOT NULL CHECK (rate_per_kwh >= 0),
  CONSTRAINT tariff_periods_position_key UNIQUE (tariff_id, position),
  CONSTRAINT tariff_periods_times_check CHECK (start_minute <> end_minute)
);

-- Quantities are integers in fixed units, so that sums are exact and columns compress; domain/fixed-units.ts converts.
-- No foreign key to devices: it would cost a lookup a row. An ingest holds the shared lock that deleting a device takes
-- exclusively (db/devices.ts), which comes to the same.
-- The engine makes it a hypertable where there is TimescaleDB, else its partitions (db/choose-engine.ts).
CREATE TABLE monitoring.measurements (
  time timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  active_power_milliwatts bigint NOT NULL,
  reactive_power_millivars bigint,
  apparent_power_millivoltamperes bigint,
  energy_imported_milliwatthours bigint,
  energy_exported_milliwatthours bigint,
  device_number integer NOT NULL,
  power_factor_millionths integer,
  voltage_millivolts integer,
  frequency_tenth_millihertz integer
) PARTITION BY RANGE (time);
-- Makes re-delivery a no-op, and serves every question about some devices and a range.
CREATE UNIQUE INDEX measurements_device_time_key ON monitoring.measurements (device_number, time);
-- Rows arrive in the order of received_at, so a BRIN index finds the newest in no space.
CREATE INDEX measurements_received_at ON monitoring.measurements USING brin (received_at);

-- Measurements before kept_from have been taken away (Database__RetentionMonths), but for the few that later slots are
-- computed from; their slots stay, and are never computed anew. No row while everything is kept.
CREATE TABLE monitoring.retention (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  kept_from timestamptz NOT NULL
);

-- What came lately from each API key (docs/adr/0061): kept for a day, bounded, and of no worth to the measurements.
CREATE TABLE monitoring.delivery_hours (
  -- The API key; all zeros for administrators, who may deliver with their session.
  sender uuid NOT NULL,
  hour timestamptz NOT NULL,
  deliveries bigint NOT NULL,
  accepted bigint NOT NULL,
  duplicates bigint NOT NULL,
  rejected bigint NOT NULL,
  CONSTRAINT delivery_hours_pkey PRIMARY KEY (sender, hour)
);

-- The latest row of each external id, and the latest rejection of it by each field.
CREATE TABLE monitoring.arrivals (
  sender uuid NOT NULL,
  -- Empty where a rejected row had none.
  external_id text NOT NULL,
  -- The field for which it was rejected; empty where it was accepted.
  field text NOT NULL,
  received_at timestamptz NOT NULL,
  -- Of a rejected row the reason, of an accepted one the rest.
  reason text,
  is_known boolean,
  measured_at timestamptz,
  active_power_kw double precision,
  CONSTRAINT arrivals_pkey PRIMARY KEY (sender, external_id, field)
);

-- Its row is there once somebody has looked at what arrives: accepted rows are written down as long as somebody does.
CREATE TABLE monitoring.arrivals_watched (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  until_time timestamptz NOT NULL
);

-- The slot store (docs/energy.md): the quarter-hours of a device and UTC day in one row, so that years are read at once.
CREATE TABLE monitoring.energy_days (
  device_number integer NOT NULL,
  day date NOT NULL,
  samples integer NOT NULL,
  power_sum double precision NOT NULL,
  factor_active_sum double precision NOT NULL,
  factor_reactive_sum double precision NOT NULL,
  -- 96 numbers each in the code of db/energy-codec.ts, kWh; null where all are 0. An empty interpolated one is the same as the
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

-- Days of a device between two readings far apart (docs/adr/0015): what its registers counted is spread evenly over them, so
-- one row says it of all, however many there are. Such days have no row in energy_days.
CREATE TABLE monitoring.energy_gaps (
  device_number integer NOT NULL,
  from_day date NOT NULL,
  -- Not included.
  to_day date NOT NULL CHECK (to_day > from_day),
  -- Of each quarter-hour, all of it interpolated.
  imported_kwh double precision NOT NULL,
  exported_kwh double precision NOT NULL,
  CONSTRAINT energy_gaps_pkey PRIMARY KEY (device_number, from_day)
);

-- What ingests have touched and nobody has absorbed yet. Only added to and taken away, so that ingests do not wait for each
-- other; written in the ingest's own transaction, so that whoever sees a reading sees its mark.
CREATE TABLE monitoring.energy_dirty_ranges (
  device_number integer NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  from_time timestamptz NOT NULL,
  -- Included.
  to_time timestamptz NOT NULL,
  CONSTRAINT energy_dirty_ranges_pkey PRIMARY KEY (device_number, id)
);

-- First and last reading of all and of each register as far as absorbed; whoever absorbs the dirty ranges of a device locks its row.
CREATE TABLE monitoring.energy_state (
  device_number integer PRIMARY KEY,
  first_time timestamptz,
  last_time timestamptz,
  imported_first timestamptz,
  imported_last timestamptz,
  exported_first timestamptz,
  exported_last timestamptz
);

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

-- Devices whose quarter-hours could not be computed, and when that is tried again; no row while it succeeds.
CREATE TABLE monitoring.energy_failures (
  device_number integer PRIMARY KEY,
  attempts integer NOT NULL,
  failed_since timestamptz NOT NULL,
  retry_at timestamptz NOT NULL,
  -- For whoever looks into it; no answer tells it.
  reason text NOT NULL
);

-- What is stored of a week (Monday to Sunday, UTC) of a device: another version each time that one of its energy_days is written
-- or deleted (docs/adr/0037). Random, so that a version never comes back, whatever is restored.
CREATE TABLE monitoring.energy_weeks (
  device_number integer NOT NULL,
  -- Its Monday.
  week date NOT NULL,
  version uuid NOT NULL,
  CONSTRAINT energy_weeks_pkey PRIMARY KEY (device_number, week)
);

-- What weeks add up to, by a hash of all that it depends on, the versions among it; so nothing here can be out of date, and all of
-- it may be deleted at any time.
CREATE TABLE monitoring.energy_sums (
  key bytea NOT NULL,
  -- float64, least significant byte first, as domain/energy-pieces.ts writes them.
  sums bytea NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT energy_sums_pkey PRIMARY KEY (key)
);
ALTER TABLE monitoring.energy_sums ALTER COLUMN sums SET STORAGE EXTERNAL;

-- What somebody remarks about a month or a year, printed in its energy report.
CREATE TABLE monitoring.report_remarks (
  -- A local month, YYYY-MM, or year, YYYY.
  period text NOT NULL,
  -- SHA-256 of the ids of the sites and devices that the report is about; empty for all.
  scope text NOT NULL,
  remark text NOT NULL,
  -- The sites and devices that the remark is about, with the last of which it goes; none for all of them.
  subject_ids uuid[] NOT NULL DEFAULT '{}',
  CONSTRAINT report_remarks_pkey PRIMARY KEY (period, scope)
);

-- What ingests have stored and the fleet does not have yet (docs/adr/0042): one row an ingest transaction, written in it, taken away
-- once the fleet has acknowledged its rows. So nothing can be passed over, however late a transaction commits.
CREATE TABLE monitoring.push_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- That of its measurements.
  received_at timestamptz NOT NULL DEFAULT now(),
  -- So many, or somewhat more.
  row_count integer NOT NULL,
  -- A device and UTC day each: first and last instant stored, epoch microseconds.
  device_numbers integer[] NOT NULL,
  from_micros bigint[] NOT NULL,
  to_micros bigint[] NOT NULL,
  -- The last row that was acknowledged, where a batch ended in the middle.
  sent_time timestamptz,
  sent_device_id uuid,
  -- Sends a day of a device again after a comparison: all its rows, whatever received them.
  is_resend boolean NOT NULL DEFAULT false
-- A queue: vacuum comes with the number of its dead rows, however large it is.
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE INDEX push_outbox_received_at ON monitoring.push_outbox (received_at, id) INCLUDE (row_count);

-- Its row is there while ingests record. Set and taken away under the exclusive ingest lock, so that every later ingest sees it.
-- What was stored before is sent in the order of devices and time, up to the position.
CREATE TABLE monitoring.push_recording (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- To whom, as a hash of the address: another fleet has nothing yet.
  target text NOT NULL,
  began_at timestamptz NOT NULL,
  -- When the outbox was last found empty or made shorter; an outbox that nobody empties is given up.
  used_at timestamptz NOT NULL,
  -- Null once all that was stored before has been sent.
  walk_device_number integer,
  walk_time timestamptz
);

-- The state of each resource. Its rows are made by whoever pushes first: a backup is restored into tables that have none.
CREATE TABLE monitoring.push_state (
  resource text PRIMARY KEY CHECK (resource IN ('sites', 'devices', 'municipalities', 'tariffs', 'measurements')),
  -- Of the last batch that was acknowledged.
  cursor text,
  -- Null: as configured.
  batch_size integer,
  failures integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  last_success_at timestamptz,
  last_error_kind text,
  last_error text,
  last_error_at timestamptz,
  rejected_rows bigint NOT NULL DEFAULT 0,
  -- Whether a set was sent after that of the cursor: nobody knows which of the two the fleet has.
  is_unanswered boolean NOT NULL DEFAULT false
);

-- Comparing with the fleet (docs/adr/0045). Its row is there once a comparison has begun.
CREATE TABLE monitoring.push_reconciliation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- The run under way, or the last one.
  is_running boolean NOT NULL,
  is_full boolean NOT NULL,
  is_requested boolean NOT NULL,
  began_at timestamptz NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  -- Its position: all before window_from is compared, and of the window (window_to exclusive) the devices up to this number.
  window_from date NOT NULL,
  window_to date NOT NULL,
  device_number integer NOT NULL,
  -- What differed of the next devices, up to this one, was sent again; they are compared once more.
  resent_to_number integer,
  -- Days of devices.
  compared_days integer NOT NULL,
  resent_days integer NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  last_error_kind text,
  last_error text,
  last_error_at timestamptz,
  finished_at timestamptz,
  finished_compared_days integer,
  finished_resent_days integer,
  full_finished_at timestamptz,
  -- What was measured before has been compared.
  in_step_to timestamptz
);

-- Days that differed still when they had been sent again.
CREATE TABLE monitoring.push_differences (
  device_number integer NOT NULL,
  day date NOT NULL,
  own_count integer NOT NULL,
  fleet_count integer NOT NULL,
  own_checksum text NOT NULL,
  fleet_checksum text NOT NULL,
  CONSTRAINT push_differences_pkey PRIMARY KEY (device_number, day)
);

-- One row where this database was filled with demo data: what the generated readings are a function of.
CREATE TABLE monitoring.demo (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  seed integer NOT NULL,
  -- Days since 1970-01-01; the demo began on this day in UTC.
  first_day integer NOT NULL
);

-- The stretches of time whose readings are still to be written, so that a demo that was stopped goes on where it was.
CREATE TABLE monitoring.demo_gaps (
  starts_at timestamptz PRIMARY KEY,
  ends_at timestamptz NOT NULL,
  CHECK (starts_at < ends_at)
);
