-- The fleet (docs/adr/0040): the customer comes first in every key, so that all but the first three tables can be sharded by it.
-- Ids, numbers and instants are made by the application.
CREATE SCHEMA fleet;

-- Rarely written; what each batch changes is in customer_state.
CREATE TABLE fleet.customers (
  id uuid PRIMARY KEY,
  code text NOT NULL CONSTRAINT customers_code_key UNIQUE CHECK (code ~ '^[a-z0-9]([a-z0-9-]{0,37}[a-z0-9])$'),
  name text NOT NULL,
  is_active boolean NOT NULL,
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash bytea NOT NULL CONSTRAINT customers_token_hash_key UNIQUE,
  token_issued_at timestamptz NOT NULL,
  -- Honoured until it expires.
  previous_token_hash bytea,
  previous_token_expires_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT customers_previous_token_check CHECK ((previous_token_hash IS NULL) = (previous_token_expires_at IS NULL))
);
CREATE INDEX customers_previous_token_hash ON fleet.customers (previous_token_hash);

-- Which customers a RestrictedAdmin sees (AdminCustomerAccess).
CREATE TABLE fleet.customer_access (
  customer_id uuid NOT NULL CONSTRAINT customer_access_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  user_id uuid NOT NULL CONSTRAINT customer_access_user_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  CONSTRAINT customer_access_pkey PRIMARY KEY (customer_id, user_id)
);
CREATE INDEX customer_access_user_id ON fleet.customer_access (user_id);

-- Customers that are gone for everybody, with rows still to be taken away.
CREATE TABLE fleet.deleted_customers (
  customer_id uuid PRIMARY KEY,
  deleted_at timestamptz NOT NULL
);

-- What each batch changes. Whoever numbers devices or writes a set of the customer locks the row.
CREATE TABLE fleet.customer_state (
  customer_id uuid PRIMARY KEY CONSTRAINT customer_state_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  -- Of batches that were stored.
  first_seen_at timestamptz,
  last_seen_at timestamptz,
  -- Of any batch, stored or refused, and what was wrong with it.
  last_batch_at timestamptz,
  last_error text,
  measurement_count bigint NOT NULL DEFAULT 0,
  -- Of batches that came: whatever is known of the customer by this number holds until it changes.
  batch_count bigint NOT NULL DEFAULT 0,
  -- The highest number of a device so far; numbers are never given again.
  last_device_number integer NOT NULL DEFAULT 0,
  -- What the customer's stack says of its last comparison (docs/adr/0045).
  reconciled_at timestamptz,
  -- What was measured before has been compared.
  in_step_to timestamptz,
  differing_days integer,
  push_interval_seconds integer,
  -- What tells whether a customer is in trouble, kept with each batch, so that nobody looks through its events for it.
  -- The last stored batch that had a measurement, and the seconds between the last of these, the newest first.
  last_measured_at timestamptz,
  push_gaps_seconds integer[] NOT NULL DEFAULT '{}',
  -- The last batch of which something was refused: all of it, or some records.
  last_failed_at timestamptz,
  last_failure text,
  is_refused boolean NOT NULL DEFAULT false,
  -- The first of those that followed each other within a day.
  failing_since timestamptz,
  -- The token was refused (the customer was switched off, or has a new one) and no batch was stored since: from when on, when last, why.
  token_refused_since timestamptz,
  token_refused_at timestamptz,
  token_refusal text
);

-- The parts of a full set that have come, until the last one does: what is in none of them was removed. Those of the last whole
-- set stay, so that one of them that is delivered again is known and does not count for the next set.
CREATE TABLE fleet.set_parts (
  customer_id uuid NOT NULL CONSTRAINT set_parts_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  batch_type text NOT NULL,
  part integer NOT NULL,
  parts integer NOT NULL,
  record_ids uuid[] NOT NULL,
  -- Whether a record had no id that could be read, so that nothing can be told to be missing.
  is_incomplete boolean NOT NULL,
  cursor text,
  is_closed boolean NOT NULL DEFAULT false,
  -- Closed, and has come since, which says nothing about what it belongs to where cursors are always the same.
  came_again boolean NOT NULL DEFAULT false,
  CONSTRAINT set_parts_pkey PRIMARY KEY (customer_id, batch_type, part)
);

CREATE TABLE fleet.municipalities (
  customer_id uuid NOT NULL CONSTRAINT municipalities_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  time_zone text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Missing from a newer full set; null while it is current. The same in the tables below.
  removed_at timestamptz,
  CONSTRAINT municipalities_pkey PRIMARY KEY (customer_id, id)
);

-- Sets come in parts and in any order, so what they refer to may come later.
CREATE TABLE fleet.sites (
  customer_id uuid NOT NULL CONSTRAINT sites_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  municipality_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  CONSTRAINT sites_pkey PRIMARY KEY (customer_id, id)
);

CREATE TABLE fleet.devices (
  customer_id uuid NOT NULL CONSTRAINT devices_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  id uuid NOT NULL,
  -- Stands in measurements, and is one only within the customer.
  number integer NOT NULL,
  -- Null, as site, name and external id, while only measurements of the device have come.
  announced_at timestamptz,
  site_id uuid,
  name text,
  external_id text,
  is_active boolean NOT NULL DEFAULT true,
  energy_source text NOT NULL DEFAULT 'auto' CHECK (energy_source IN ('auto', 'register', 'power')),
  rated_power_kw double precision CHECK (rated_power_kw > 0),
  register_max_kwh double precision CHECK (register_max_kwh > 0),
  expected_interval_seconds integer CHECK (expected_interval_seconds > 0),
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  -- As the Client says; a set may come in parts, so that the parent may be missing for a while.
  parent_device_id uuid,
  CONSTRAINT devices_pkey PRIMARY KEY (customer_id, id),
  CONSTRAINT devices_number_key UNIQUE (customer_id, number)
);
CREATE INDEX devices_parent_device_id ON fleet.devices (customer_id) WHERE parent_device_id IS NOT NULL;

CREATE TABLE fleet.tariffs (
  customer_id uuid NOT NULL CONSTRAINT tariffs_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  id uuid NOT NULL,
  municipality_id uuid NOT NULL,
  name text NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  is_active boolean NOT NULL,
  effective_from date NOT NULL,
  effective_to date,
  default_rate_per_kwh numeric(20, 10) NOT NULL CHECK (default_rate_per_kwh >= 0),
  fixed_charge_per_month numeric(20, 10) NOT NULL CHECK (fixed_charge_per_month >= 0),
  vat_percent numeric(13, 10) NOT NULL CHECK (vat_percent >= 0 AND vat_percent <= 100),
  export_rate_per_kwh numeric(20, 10) CHECK (export_rate_per_kwh >= 0),
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  CONSTRAINT tariffs_pkey PRIMARY KEY (customer_id, id),
  CONSTRAINT tariffs_municipality_fkey FOREIGN KEY (customer_id, municipality_id) REFERENCES fleet.municipalities,
  CONSTRAINT tariffs_window_check CHECK (effective_from < effective_to)
);
CREATE INDEX tariffs_municipality_id ON fleet.tariffs (customer_id, municipality_id);

CREATE TABLE fleet.tariff_periods (
  customer_id uuid NOT NULL,
  id uuid NOT NULL,
  tariff_id uuid NOT NULL,
  position smallint NOT NULL,
  name text NOT NULL,
  days_of_week smallint NOT NULL CHECK (days_of_week >= 1 AND days_of_week <= 127),
  start_minute smallint NOT NULL CHECK (start_minute >= 0 AND start_minute < 1440),
  end_minute smallint NOT NULL CHECK (end_minute >= 0 AND end_minute <= 1440),
  rate_per_kwh numeric(20, 10) NOT NULL CHECK (rate_per_kwh >= 0),
  CONSTRAINT tariff_periods_pkey PRIMARY KEY (customer_id, id),
  CONSTRAINT tariff_periods_position_key UNIQUE (customer_id, tariff_id, position),
  CONSTRAINT tariff_periods_tariff_fkey FOREIGN KEY (customer_id, tariff_id) REFERENCES fleet.tariffs ON DELETE CASCADE,
  CONSTRAINT tariff_periods_times_check CHECK (start_minute <> end_minute)
);

-- As monitoring.measurements. A plain table: the engine makes it a hypertable or partitions it (db/choose-engine.ts).
CREATE TABLE fleet.measurements (
  time timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  active_power_milliwatts bigint NOT NULL,
  reactive_power_millivars bigint,
  apparent_power_millivoltamperes bigint,
  energy_imported_milliwatthours bigint,
  energy_exported_milliwatthours bigint,
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  power_factor_millionths integer,
  voltage_millivolts integer,
  frequency_tenth_millihertz integer
);
CREATE UNIQUE INDEX measurements_device_time_key ON fleet.measurements (customer_id, device_number, time);
CREATE INDEX measurements_received_at ON fleet.measurements USING brin (received_at);

-- One row a batch that came, stored or refused, but of many that were refused the first stands for those after it; kept for 30 days.
CREATE TABLE fleet.ingest_events (
  customer_id uuid NOT NULL,
  id uuid NOT NULL,
  received_at timestamptz NOT NULL,
  batch_type text NOT NULL,
  rows_accepted integer NOT NULL,
  rows_rejected integer NOT NULL,
  payload_bytes bigint NOT NULL,
  cursor text,
  -- The earliest and the latest time of its measurements.
  from_time timestamptz,
  to_time timestamptz,
  error text,
  -- How many batches it stands for.
  batches integer NOT NULL DEFAULT 1,
  CONSTRAINT ingest_events_pkey PRIMARY KEY (customer_id, id)
);
CREATE INDEX ingest_events_received_at ON fleet.ingest_events (customer_id, received_at DESC);

-- The quarter-hour rollup as in schema monitoring, where its tables are explained (docs/adr/0040).
CREATE TABLE fleet.energy_days (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  day date NOT NULL,
  samples integer NOT NULL,
  power_sum double precision NOT NULL,
  factor_active_sum double precision NOT NULL,
  factor_reactive_sum double precision NOT NULL,
  imported bytea,
  exported bytea,
  interpolated_imported bytea,
  interpolated_exported bytea,
  power bytea,
  quantities bytea,
  CONSTRAINT energy_days_pkey PRIMARY KEY (customer_id, device_number, day) INCLUDE (samples)
) WITH (toast_tuple_target = 256);
ALTER TABLE fleet.energy_days
  ALTER COLUMN imported SET STORAGE PLAIN,
  ALTER COLUMN exported SET STORAGE PLAIN,
  ALTER COLUMN interpolated_imported SET STORAGE PLAIN,
  ALTER COLUMN interpolated_exported SET STORAGE PLAIN,
  ALTER COLUMN power SET STORAGE EXTERNAL;

CREATE TABLE fleet.energy_dirty_ranges (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  -- Made by the application, in the order of time (db/energy-layout.ts).
  id bigint NOT NULL,
  from_time timestamptz NOT NULL,
  to_time timestamptz NOT NULL,
  CONSTRAINT energy_dirty_ranges_pkey PRIMARY KEY (customer_id, device_number, id)
);

CREATE TABLE fleet.energy_state (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  first_time timestamptz,
  last_time timestamptz,
  imported_first timestamptz,
  imported_last timestamptz,
  exported_first timestamptz,
  exported_last timestamptz,
  CONSTRAINT energy_state_pkey PRIMARY KEY (customer_id, device_number)
);

CREATE TABLE fleet.energy_flags (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  time timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('gap', 'interpolated', 'glitch', 'stepBack', 'rollover', 'reset', 'implausible')),
  direction text NOT NULL CHECK (direction IN ('imported', 'exported', 'both')),
  until timestamptz,
  energy_kwh double precision,
  CONSTRAINT energy_flags_pkey PRIMARY KEY (customer_id, device_number, time, kind, direction)
);

CREATE TABLE fleet.energy_gaps (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL CHECK (to_day > from_day),
  imported_kwh double precision NOT NULL,
  exported_kwh double precision NOT NULL,
  CONSTRAINT energy_gaps_pkey PRIMARY KEY (customer_id, device_number, from_day)
);

CREATE TABLE fleet.energy_failures (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  attempts integer NOT NULL,
  failed_since timestamptz NOT NULL,
  retry_at timestamptz NOT NULL,
  reason text NOT NULL,
  CONSTRAINT energy_failures_pkey PRIMARY KEY (customer_id, device_number)
);

-- What weeks add up to, as in schema monitoring (docs/adr/0040, 0037).
CREATE TABLE fleet.energy_weeks (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  week date NOT NULL,
  version uuid NOT NULL,
  CONSTRAINT energy_weeks_pkey PRIMARY KEY (customer_id, device_number, week)
);

CREATE TABLE fleet.energy_sums (
  customer_id uuid NOT NULL,
  key bytea NOT NULL,
  sums bytea NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT energy_sums_pkey PRIMARY KEY (customer_id, key)
);
ALTER TABLE fleet.energy_sums ALTER COLUMN sums SET STORAGE EXTERNAL;

-- Of all customers together (docs/adr/0040).
CREATE TABLE fleet.retention (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  kept_from timestamptz NOT NULL
);
