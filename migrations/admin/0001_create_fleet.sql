-- The fleet (docs/adr/0040): the customer comes first in every key, so that all but the first three tables can be sharded by it.
-- Ids, numbers and instants are made by the application.
CREATE SCHEMA fleet;
COMMENT ON SCHEMA fleet IS 'What the fleet keeps: customers, copies of what their stacks sent, and the energy computed from it.';

CREATE TABLE fleet.customers (
  id uuid PRIMARY KEY,
  code text NOT NULL CONSTRAINT customers_code_key UNIQUE CHECK (code ~ '^[a-z0-9]([a-z0-9-]{0,37}[a-z0-9])$'),
  name text NOT NULL,
  is_active boolean NOT NULL,
  token_hash bytea NOT NULL CONSTRAINT customers_token_hash_key UNIQUE,
  token_issued_at timestamptz NOT NULL,
  previous_token_hash bytea,
  previous_token_expires_at timestamptz,
  created_at timestamptz NOT NULL,
  group_name text,
  notes text,
  CONSTRAINT customers_previous_token_check CHECK ((previous_token_hash IS NULL) = (previous_token_expires_at IS NULL))
);
COMMENT ON TABLE fleet.customers IS 'Customers of the fleet. Rarely written; what each batch changes is in customer_state.';
COMMENT ON COLUMN fleet.customers.id IS 'GUID.';
COMMENT ON COLUMN fleet.customers.code IS 'Short name that never changes; also the name of the customer''s stack and subdomain.';
COMMENT ON COLUMN fleet.customers.name IS 'Shown in the page; need not be unique.';
COMMENT ON COLUMN fleet.customers.is_active IS 'False: batches are refused; stored data stay.';
COMMENT ON COLUMN fleet.customers.token_hash IS 'SHA-256 of the push token; the token itself is stored nowhere.';
COMMENT ON COLUMN fleet.customers.token_issued_at IS 'UTC instant.';
COMMENT ON COLUMN fleet.customers.previous_token_hash IS 'SHA-256 of the token before; null: none.';
COMMENT ON COLUMN fleet.customers.previous_token_expires_at IS 'UTC instant until which the token before is honoured.';
COMMENT ON COLUMN fleet.customers.created_at IS 'UTC instant.';
COMMENT ON COLUMN fleet.customers.group_name IS 'A label that customers share; null: none.';
COMMENT ON COLUMN fleet.customers.notes IS 'For the people of the fleet; null: none.';
CREATE INDEX customers_previous_token_hash ON fleet.customers (previous_token_hash);

-- AdminCustomerAccess of the specification.
CREATE TABLE fleet.customer_access (
  customer_id uuid NOT NULL CONSTRAINT customer_access_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  user_id uuid NOT NULL CONSTRAINT customer_access_user_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  CONSTRAINT customer_access_pkey PRIMARY KEY (customer_id, user_id)
);
COMMENT ON TABLE fleet.customer_access IS 'Which customers a RestrictedAdmin sees.';
COMMENT ON COLUMN fleet.customer_access.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.customer_access.user_id IS 'GUID of the account.';
CREATE INDEX customer_access_user_id ON fleet.customer_access (user_id);

CREATE TABLE fleet.deleted_customers (
  customer_id uuid PRIMARY KEY,
  deleted_at timestamptz NOT NULL
);
COMMENT ON TABLE fleet.deleted_customers IS 'Customers that are gone for everybody, with rows still to be deleted.';
COMMENT ON COLUMN fleet.deleted_customers.customer_id IS 'GUID of the former customer.';
COMMENT ON COLUMN fleet.deleted_customers.deleted_at IS 'UTC instant.';

-- Rhythm and trouble are kept with each batch, so that nobody looks through the events for them.
CREATE TABLE fleet.customer_state (
  customer_id uuid PRIMARY KEY CONSTRAINT customer_state_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  first_seen_at timestamptz,
  last_seen_at timestamptz,
  last_batch_at timestamptz,
  last_error text,
  measurement_count bigint NOT NULL DEFAULT 0,
  batch_count bigint NOT NULL DEFAULT 0,
  last_device_number integer NOT NULL DEFAULT 0,
  reconciled_at timestamptz,
  in_step_to timestamptz,
  differing_days integer,
  push_interval_seconds integer,
  last_measured_at timestamptz,
  push_gaps_seconds integer[] NOT NULL DEFAULT '{}',
  last_failed_at timestamptz,
  last_failure text,
  is_refused boolean NOT NULL DEFAULT false,
  failing_since timestamptz,
  token_refused_since timestamptz,
  token_refused_at timestamptz,
  token_refusal text,
  previous_token_used_at timestamptz,
  client_report jsonb,
  client_reported_at timestamptz
);
COMMENT ON TABLE fleet.customer_state IS
  'What each batch changes of a customer. Whoever numbers devices or writes a set of the customer locks the row.';
COMMENT ON COLUMN fleet.customer_state.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.customer_state.first_seen_at IS 'UTC instant of the first batch that was stored; null: none yet.';
COMMENT ON COLUMN fleet.customer_state.last_seen_at IS 'UTC instant of the last batch that was stored.';
COMMENT ON COLUMN fleet.customer_state.last_batch_at IS 'UTC instant of the last batch, stored or refused.';
COMMENT ON COLUMN fleet.customer_state.last_error IS 'What was wrong with it; null: nothing.';
COMMENT ON COLUMN fleet.customer_state.measurement_count IS 'Measurements stored.';
COMMENT ON COLUMN fleet.customer_state.batch_count IS
  'Batches that came: what is known of the customer by this number holds until it changes.';
COMMENT ON COLUMN fleet.customer_state.last_device_number IS 'Highest number of a device so far; numbers are never given again.';
COMMENT ON COLUMN fleet.customer_state.reconciled_at IS
  'UTC instant at which the customer''s stack last told of its comparison; null: not yet.';
COMMENT ON COLUMN fleet.customer_state.in_step_to IS 'UTC instant; what was measured before has been compared.';
COMMENT ON COLUMN fleet.customer_state.differing_days IS 'Days of devices that differed still.';
COMMENT ON COLUMN fleet.customer_state.push_interval_seconds IS 'How often the customer''s stack pushes, s, as it says.';
COMMENT ON COLUMN fleet.customer_state.last_measured_at IS 'UTC instant of the last stored batch that had a measurement.';
COMMENT ON COLUMN fleet.customer_state.push_gaps_seconds IS
  'Time between the last of these batches, s, the newest first; at most 20.';
COMMENT ON COLUMN fleet.customer_state.last_failed_at IS
  'UTC instant of the last batch of which something was refused: all of it, or some records.';
COMMENT ON COLUMN fleet.customer_state.last_failure IS 'What was wrong with it.';
COMMENT ON COLUMN fleet.customer_state.is_refused IS 'Whether all of it was refused.';
COMMENT ON COLUMN fleet.customer_state.failing_since IS
  'UTC instant of the first such batch of those that followed each other within a day.';
COMMENT ON COLUMN fleet.customer_state.token_refused_since IS
  'UTC instant from which on the token was refused (the customer is switched off, or has a new one); null: a batch was stored since.';
COMMENT ON COLUMN fleet.customer_state.token_refused_at IS 'UTC instant at which it was refused last.';
COMMENT ON COLUMN fleet.customer_state.token_refusal IS 'Why it was refused.';
COMMENT ON COLUMN fleet.customer_state.previous_token_used_at IS
  'UTC instant at which a batch last came with the token before the current one, to a minute; null: never.';
COMMENT ON COLUMN fleet.customer_state.client_report IS 'What the customer''s stack last said of itself: version, backlog, last error.';
COMMENT ON COLUMN fleet.customer_state.client_reported_at IS 'UTC instant of the batch that it came with; null: none.';

CREATE TABLE fleet.set_parts (
  customer_id uuid NOT NULL CONSTRAINT set_parts_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  batch_type text NOT NULL,
  part integer NOT NULL,
  parts integer NOT NULL,
  record_ids uuid[] NOT NULL,
  is_incomplete boolean NOT NULL,
  cursor text,
  is_closed boolean NOT NULL DEFAULT false,
  came_again boolean NOT NULL DEFAULT false,
  CONSTRAINT set_parts_pkey PRIMARY KEY (customer_id, batch_type, part)
);
COMMENT ON TABLE fleet.set_parts IS
  'Parts of a full set that have come, until the last one does: what is in none of them was removed.';
COMMENT ON COLUMN fleet.set_parts.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.set_parts.batch_type IS 'sites, devices, municipalities or tariffs.';
COMMENT ON COLUMN fleet.set_parts.part IS 'Number of the part, from 1.';
COMMENT ON COLUMN fleet.set_parts.parts IS 'Parts of the set.';
COMMENT ON COLUMN fleet.set_parts.record_ids IS 'GUIDs of the records in the part.';
COMMENT ON COLUMN fleet.set_parts.is_incomplete IS
  'Whether a record had no id that could be read, so that nothing can be told to be missing.';
COMMENT ON COLUMN fleet.set_parts.cursor IS 'Cursor of the batch, as the customer''s stack sent it.';
COMMENT ON COLUMN fleet.set_parts.is_closed IS
  'Whether the set is whole. Its parts stay, so that one that is delivered again does not count for the next set.';
COMMENT ON COLUMN fleet.set_parts.came_again IS
  'Closed, and has come since, which says nothing about what it belongs to where cursors are always the same.';

CREATE TABLE fleet.municipalities (
  customer_id uuid NOT NULL CONSTRAINT municipalities_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  time_zone text NOT NULL,
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  CONSTRAINT municipalities_pkey PRIMARY KEY (customer_id, id)
);
COMMENT ON TABLE fleet.municipalities IS 'Municipalities of customers, as their stacks sent them.';
COMMENT ON COLUMN fleet.municipalities.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.municipalities.id IS 'GUID that the customer''s stack gave.';
COMMENT ON COLUMN fleet.municipalities.name IS 'Shown in the page.';
COMMENT ON COLUMN fleet.municipalities.time_zone IS 'IANA name of the zone in which days, months and tariff periods are counted.';
COMMENT ON COLUMN fleet.municipalities.created_at IS 'UTC instant at which it came first.';
COMMENT ON COLUMN fleet.municipalities.removed_at IS 'UTC instant at which a full set came without it; null: current.';

-- Sets come in parts and in any order, so what they refer to may come later.
CREATE TABLE fleet.sites (
  customer_id uuid NOT NULL CONSTRAINT sites_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  municipality_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  number integer NOT NULL,
  CONSTRAINT sites_pkey PRIMARY KEY (customer_id, id)
);
COMMENT ON TABLE fleet.sites IS 'Sites of customers, as their stacks sent them.';
COMMENT ON COLUMN fleet.sites.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.sites.id IS 'GUID that the customer''s stack gave.';
COMMENT ON COLUMN fleet.sites.name IS 'Shown in the page.';
COMMENT ON COLUMN fleet.sites.municipality_id IS 'The municipality whose time zone and tariffs hold; may come later.';
COMMENT ON COLUMN fleet.sites.created_at IS 'UTC instant at which it came first.';
COMMENT ON COLUMN fleet.sites.removed_at IS 'UTC instant at which a full set came without it; null: current.';
COMMENT ON COLUMN fleet.sites.number IS 'Never given again within the customer; its color in charts follows from it.';

CREATE TABLE fleet.devices (
  customer_id uuid NOT NULL CONSTRAINT devices_customer_fkey REFERENCES fleet.customers ON DELETE CASCADE,
  id uuid NOT NULL,
  number integer NOT NULL,
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
  parent_device_id uuid,
  CONSTRAINT devices_pkey PRIMARY KEY (customer_id, id),
  CONSTRAINT devices_number_key UNIQUE (customer_id, number)
);
COMMENT ON TABLE fleet.devices IS 'Meters of customers, as their stacks sent them.';
COMMENT ON COLUMN fleet.devices.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.devices.id IS 'GUID that the customer''s stack gave.';
COMMENT ON COLUMN fleet.devices.number IS 'Stands in every measurement instead of the GUID; one device of the customer has it.';
COMMENT ON COLUMN fleet.devices.announced_at IS
  'UTC instant at which it came in a set; null while only measurements of it have come.';
COMMENT ON COLUMN fleet.devices.site_id IS 'Where the device is; may come later. Null until it is announced.';
COMMENT ON COLUMN fleet.devices.name IS 'Shown in the page. Null until it is announced.';
COMMENT ON COLUMN fleet.devices.external_id IS 'By which the customer''s ingest knows it. Null until it is announced.';
COMMENT ON COLUMN fleet.devices.is_active IS 'Whether the device counts as in use.';
COMMENT ON COLUMN fleet.devices.energy_source IS
  'Where energy comes from: register, power, or auto for registers where the device sends them.';
COMMENT ON COLUMN fleet.devices.rated_power_kw IS 'Largest power that is plausible, kW; null: not known.';
COMMENT ON COLUMN fleet.devices.register_max_kwh IS 'Value at which registers go back to 0, kWh; null: not known.';
COMMENT ON COLUMN fleet.devices.expected_interval_seconds IS 'Usual time between two readings, s; null: not known.';
COMMENT ON COLUMN fleet.devices.created_at IS 'UTC instant at which something of it came first.';
COMMENT ON COLUMN fleet.devices.removed_at IS 'UTC instant at which a full set came without it; null: current.';
COMMENT ON COLUMN fleet.devices.parent_device_id IS
  'Device whose energy this one measures a part of, as the customer says; may come later. Null: none.';
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
COMMENT ON TABLE fleet.tariffs IS 'Tariffs of customers, as their stacks sent them.';
COMMENT ON COLUMN fleet.tariffs.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.tariffs.id IS 'GUID that the customer''s stack gave.';
COMMENT ON COLUMN fleet.tariffs.municipality_id IS 'Where it holds.';
COMMENT ON COLUMN fleet.tariffs.name IS 'Need not be unique.';
COMMENT ON COLUMN fleet.tariffs.currency IS 'ISO 4217 code of all its amounts.';
COMMENT ON COLUMN fleet.tariffs.is_active IS 'False: prices nothing.';
COMMENT ON COLUMN fleet.tariffs.effective_from IS 'First local day on which it holds.';
COMMENT ON COLUMN fleet.tariffs.effective_to IS 'First local day on which it no longer holds; null: without end.';
COMMENT ON COLUMN fleet.tariffs.default_rate_per_kwh IS
  'Price of imported energy outside all periods, currency per kWh, without VAT.';
COMMENT ON COLUMN fleet.tariffs.fixed_charge_per_month IS 'Charge of a site for a month, currency, without VAT.';
COMMENT ON COLUMN fleet.tariffs.vat_percent IS 'Value-added tax, percent.';
COMMENT ON COLUMN fleet.tariffs.export_rate_per_kwh IS 'Credit for exported energy, currency per kWh; null: none.';
COMMENT ON COLUMN fleet.tariffs.created_at IS 'UTC instant at which it came first.';
COMMENT ON COLUMN fleet.tariffs.removed_at IS 'UTC instant at which a full set came without it; null: current.';
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
COMMENT ON TABLE fleet.tariff_periods IS 'Times of the week with a price of their own, as the customer''s stack sent them.';
COMMENT ON COLUMN fleet.tariff_periods.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.tariff_periods.id IS 'GUID that the customer''s stack gave.';
COMMENT ON COLUMN fleet.tariff_periods.tariff_id IS 'The tariff that it belongs to.';
COMMENT ON COLUMN fleet.tariff_periods.position IS 'Place in the order in which the periods were sent.';
COMMENT ON COLUMN fleet.tariff_periods.name IS 'Shown in statements.';
COMMENT ON COLUMN fleet.tariff_periods.days_of_week IS 'Days on which it starts: bitmask, Monday 1 to Sunday 64.';
COMMENT ON COLUMN fleet.tariff_periods.start_minute IS 'Start, minutes since local midnight.';
COMMENT ON COLUMN fleet.tariff_periods.end_minute IS
  'End, minutes since local midnight, not included; before the start it lies on the next day.';
COMMENT ON COLUMN fleet.tariff_periods.rate_per_kwh IS 'Price of imported energy, currency per kWh, without VAT.';

-- As monitoring.measurements. A plain table: the engine makes it a hypertable or partitions it (database/engines/choose-engine.ts).
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
COMMENT ON TABLE fleet.measurements IS
  'Readings of customers as they were accepted. Quantities are integers in fixed units, so that sums are exact and columns compress.';
COMMENT ON COLUMN fleet.measurements.time IS 'UTC instant of the reading.';
COMMENT ON COLUMN fleet.measurements.received_at IS 'UTC instant at which the batch came that brought it.';
COMMENT ON COLUMN fleet.measurements.active_power_milliwatts IS 'Active power, mW; negative while energy is exported.';
COMMENT ON COLUMN fleet.measurements.reactive_power_millivars IS 'Reactive power, mvar; null: not sent.';
COMMENT ON COLUMN fleet.measurements.apparent_power_millivoltamperes IS 'Apparent power, mVA; null: not sent.';
COMMENT ON COLUMN fleet.measurements.energy_imported_milliwatthours IS 'Register of imported energy, mWh; null: not sent.';
COMMENT ON COLUMN fleet.measurements.energy_exported_milliwatthours IS 'Register of exported energy, mWh; null: not sent.';
COMMENT ON COLUMN fleet.measurements.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.measurements.device_number IS 'fleet.devices.number, of the customer.';
COMMENT ON COLUMN fleet.measurements.power_factor_millionths IS 'Power factor, 1e-6; null: not sent.';
COMMENT ON COLUMN fleet.measurements.voltage_millivolts IS 'Voltage, mV; null: not sent.';
COMMENT ON COLUMN fleet.measurements.frequency_tenth_millihertz IS 'Frequency, 0.1 mHz; null: not sent.';
CREATE UNIQUE INDEX measurements_device_time_key ON fleet.measurements (customer_id, device_number, time);
CREATE INDEX measurements_received_at ON fleet.measurements USING brin (received_at);

-- As in schema monitoring (docs/adr/0081).
CREATE TABLE fleet.intervals (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  from_time timestamptz NOT NULL,
  to_time timestamptz NOT NULL,
  imported_milliwatthours bigint CHECK (imported_milliwatthours >= 0),
  exported_milliwatthours bigint CHECK (exported_milliwatthours >= 0),
  received_at timestamptz NOT NULL,
  CONSTRAINT intervals_pkey PRIMARY KEY (customer_id, device_number, from_time),
  CONSTRAINT intervals_times_check CHECK (from_time < to_time)
);
COMMENT ON TABLE fleet.intervals IS 'Energy of intervals as it was pushed, such as a load profile of a utility.';
COMMENT ON COLUMN fleet.intervals.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.intervals.device_number IS 'fleet.devices.number, of the customer.';
COMMENT ON COLUMN fleet.intervals.from_time IS 'UTC instant at which the interval begins.';
COMMENT ON COLUMN fleet.intervals.to_time IS 'UTC instant at which it ends, not included.';
COMMENT ON COLUMN fleet.intervals.imported_milliwatthours IS 'Imported energy, mWh; null: not sent.';
COMMENT ON COLUMN fleet.intervals.exported_milliwatthours IS 'Exported energy, mWh; null: not sent.';
COMMENT ON COLUMN fleet.intervals.received_at IS 'UTC instant at which the fleet received it.';

CREATE TABLE fleet.ingest_events (
  customer_id uuid NOT NULL,
  id uuid NOT NULL,
  received_at timestamptz NOT NULL,
  batch_type text NOT NULL,
  rows_accepted integer NOT NULL,
  rows_rejected integer NOT NULL,
  payload_bytes bigint NOT NULL,
  cursor text,
  from_time timestamptz,
  to_time timestamptz,
  error text,
  batches integer NOT NULL DEFAULT 1,
  CONSTRAINT ingest_events_pkey PRIMARY KEY (customer_id, id)
);
COMMENT ON TABLE fleet.ingest_events IS
  'One row a batch that came, stored or refused; of many that were refused the first stands for those after it. Kept for 30 days.';
COMMENT ON COLUMN fleet.ingest_events.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.ingest_events.id IS 'GUID.';
COMMENT ON COLUMN fleet.ingest_events.received_at IS 'UTC instant.';
COMMENT ON COLUMN fleet.ingest_events.batch_type IS
  'sites, devices, municipalities, tariffs, measurements or intervals; of a refused batch what it said.';
COMMENT ON COLUMN fleet.ingest_events.rows_accepted IS 'Records.';
COMMENT ON COLUMN fleet.ingest_events.rows_rejected IS 'Records.';
COMMENT ON COLUMN fleet.ingest_events.payload_bytes IS 'Size of the body, bytes.';
COMMENT ON COLUMN fleet.ingest_events.cursor IS 'Cursor of the batch, as the customer''s stack sent it; null: none.';
COMMENT ON COLUMN fleet.ingest_events.from_time IS 'UTC instant of the earliest of its measurements; null: none.';
COMMENT ON COLUMN fleet.ingest_events.to_time IS 'UTC instant of the latest of its measurements.';
COMMENT ON COLUMN fleet.ingest_events.error IS 'What was wrong with it; null: nothing.';
COMMENT ON COLUMN fleet.ingest_events.batches IS 'Batches that the row stands for.';
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
COMMENT ON TABLE fleet.energy_days IS
  'Energy and statistics of the quarter-hours of a device on a UTC day, computed from measurements.';
COMMENT ON COLUMN fleet.energy_days.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.energy_days.device_number IS 'fleet.devices.number, of the customer.';
COMMENT ON COLUMN fleet.energy_days.day IS 'UTC day.';
COMMENT ON COLUMN fleet.energy_days.samples IS 'Number of readings.';
COMMENT ON COLUMN fleet.energy_days.power_sum IS 'Sum of their active power, mW.';
COMMENT ON COLUMN fleet.energy_days.factor_active_sum IS
  'Sum of active power over the readings from which a power factor follows, mW.';
COMMENT ON COLUMN fleet.energy_days.factor_reactive_sum IS 'Sum of reactive power over the same readings, mvar.';
COMMENT ON COLUMN fleet.energy_days.imported IS
  'Imported energy, 96 values in kWh, in the code of energy/energy-codec.sql.ts; null: all 0.';
COMMENT ON COLUMN fleet.energy_days.exported IS 'Exported energy, the same.';
COMMENT ON COLUMN fleet.energy_days.interpolated_imported IS 'The interpolated part of imported, the same; empty: all of it.';
COMMENT ON COLUMN fleet.energy_days.interpolated_exported IS 'The interpolated part of exported, the same; empty: all of it.';
COMMENT ON COLUMN fleet.energy_days.power IS
  'Number of readings and sum of active power (mW) by quarter-hour, in the code of energy/energy-codec.sql.ts; null: no reading.';
COMMENT ON COLUMN fleet.energy_days.quantities IS 'The other columns of energy/statistics.rules.ts by quarter-hour, the same.';
ALTER TABLE fleet.energy_days
  ALTER COLUMN imported SET STORAGE PLAIN,
  ALTER COLUMN exported SET STORAGE PLAIN,
  ALTER COLUMN interpolated_imported SET STORAGE PLAIN,
  ALTER COLUMN interpolated_exported SET STORAGE PLAIN,
  ALTER COLUMN power SET STORAGE EXTERNAL;

CREATE TABLE fleet.energy_dirty_ranges (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  id bigint NOT NULL,
  from_time timestamptz NOT NULL,
  to_time timestamptz NOT NULL,
  CONSTRAINT energy_dirty_ranges_pkey PRIMARY KEY (customer_id, device_number, id)
);
COMMENT ON TABLE fleet.energy_dirty_ranges IS 'Ranges in which measurements were stored that energy_days does not have yet.';
COMMENT ON COLUMN fleet.energy_dirty_ranges.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.energy_dirty_ranges.device_number IS 'fleet.devices.number, of the customer.';
COMMENT ON COLUMN fleet.energy_dirty_ranges.id IS 'Ascending in time; made by the application.';
COMMENT ON COLUMN fleet.energy_dirty_ranges.from_time IS 'UTC instant of the first of these measurements.';
COMMENT ON COLUMN fleet.energy_dirty_ranges.to_time IS 'UTC instant of the last of them, included.';

CREATE TABLE fleet.energy_state (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  first_time timestamptz,
  last_time timestamptz,
  imported_first timestamptz,
  imported_last timestamptz,
  exported_first timestamptz,
  exported_last timestamptz,
  intervals_first timestamptz,
  intervals_last timestamptz,
  CONSTRAINT energy_state_pkey PRIMARY KEY (customer_id, device_number)
);
COMMENT ON TABLE fleet.energy_state IS
  'First and last reading of each device that energy_days has. Whoever computes a device locks its row.';
COMMENT ON COLUMN fleet.energy_state.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.energy_state.device_number IS 'fleet.devices.number, of the customer.';
COMMENT ON COLUMN fleet.energy_state.first_time IS 'UTC instant of the first reading; null: none.';
COMMENT ON COLUMN fleet.energy_state.last_time IS 'UTC instant of the last reading.';
COMMENT ON COLUMN fleet.energy_state.imported_first IS
  'UTC instant of the first reading with a register of imported energy; null: none.';
COMMENT ON COLUMN fleet.energy_state.imported_last IS 'UTC instant of the last one.';
COMMENT ON COLUMN fleet.energy_state.exported_first IS
  'UTC instant of the first reading with a register of exported energy; null: none.';
COMMENT ON COLUMN fleet.energy_state.exported_last IS 'UTC instant of the last one.';
COMMENT ON COLUMN fleet.energy_state.intervals_first IS
  'UTC instant at which the first interval begins, computed or not; null: none.';
COMMENT ON COLUMN fleet.energy_state.intervals_last IS 'UTC instant at which the last one ends.';

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
COMMENT ON TABLE fleet.energy_flags IS 'What was odd about readings, and the gaps over which energy was spread.';
COMMENT ON COLUMN fleet.energy_flags.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.energy_flags.device_number IS 'fleet.devices.number, of the customer.';
COMMENT ON COLUMN fleet.energy_flags.time IS 'UTC instant of the reading, or of the one before the gap.';
COMMENT ON COLUMN fleet.energy_flags.kind IS 'What it is (energy-and-cost.md 2 to 4).';
COMMENT ON COLUMN fleet.energy_flags.direction IS 'The register that it is about.';
COMMENT ON COLUMN fleet.energy_flags.until IS 'UTC instant of the reading that ends the gap; null: no gap.';
COMMENT ON COLUMN fleet.energy_flags.energy_kwh IS 'Energy spread over the gap, kWh; null: none.';

CREATE TABLE fleet.energy_gaps (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL CHECK (to_day > from_day),
  imported_kwh double precision NOT NULL,
  exported_kwh double precision NOT NULL,
  CONSTRAINT energy_gaps_pkey PRIMARY KEY (customer_id, device_number, from_day)
);
COMMENT ON TABLE fleet.energy_gaps IS
  'Days of a device between two readings far apart: what its registers counted is spread evenly over them.';
COMMENT ON COLUMN fleet.energy_gaps.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.energy_gaps.device_number IS 'fleet.devices.number, of the customer.';
COMMENT ON COLUMN fleet.energy_gaps.from_day IS 'First UTC day.';
COMMENT ON COLUMN fleet.energy_gaps.to_day IS 'UTC day after the last.';
COMMENT ON COLUMN fleet.energy_gaps.imported_kwh IS 'Imported energy of each quarter-hour, kWh, all of it interpolated.';
COMMENT ON COLUMN fleet.energy_gaps.exported_kwh IS 'Exported energy of each quarter-hour, kWh, all of it interpolated.';

CREATE TABLE fleet.energy_failures (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  attempts integer NOT NULL,
  failed_since timestamptz NOT NULL,
  retry_at timestamptz NOT NULL,
  reason text NOT NULL,
  CONSTRAINT energy_failures_pkey PRIMARY KEY (customer_id, device_number)
);
COMMENT ON TABLE fleet.energy_failures IS 'Devices whose quarter-hours could not be computed; no row while it succeeds.';
COMMENT ON COLUMN fleet.energy_failures.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.energy_failures.device_number IS 'fleet.devices.number, of the customer.';
COMMENT ON COLUMN fleet.energy_failures.attempts IS 'Failed attempts in a row.';
COMMENT ON COLUMN fleet.energy_failures.failed_since IS 'UTC instant of the first of them.';
COMMENT ON COLUMN fleet.energy_failures.retry_at IS 'UTC instant of the next attempt.';
COMMENT ON COLUMN fleet.energy_failures.reason IS 'The error, for whoever looks into it; no answer of the API tells it.';

CREATE TABLE fleet.energy_weeks (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  week date NOT NULL,
  version uuid NOT NULL,
  CONSTRAINT energy_weeks_pkey PRIMARY KEY (customer_id, device_number, week)
);
COMMENT ON TABLE fleet.energy_weeks IS
  'What is stored of a device in a week: another version each time that one of its energy_days changes.';
COMMENT ON COLUMN fleet.energy_weeks.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.energy_weeks.device_number IS 'fleet.devices.number, of the customer.';
COMMENT ON COLUMN fleet.energy_weeks.week IS 'UTC day of its Monday.';
COMMENT ON COLUMN fleet.energy_weeks.version IS 'Random GUID, so that a version never comes back, whatever is restored.';

CREATE TABLE fleet.energy_sums (
  customer_id uuid NOT NULL,
  key bytea NOT NULL,
  sums bytea NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT energy_sums_pkey PRIMARY KEY (customer_id, key)
);
COMMENT ON TABLE fleet.energy_sums IS 'What weeks add up to. Never out of date, and may be deleted at any time.';
COMMENT ON COLUMN fleet.energy_sums.customer_id IS 'fleet.customers.id.';
COMMENT ON COLUMN fleet.energy_sums.key IS 'Hash of all that the sums depend on, the versions of the weeks among it.';
COMMENT ON COLUMN fleet.energy_sums.sums IS 'float64, least significant byte first, as rates/energy-pieces.rules.ts writes them.';
COMMENT ON COLUMN fleet.energy_sums.kept_at IS 'UTC instant.';
ALTER TABLE fleet.energy_sums ALTER COLUMN sums SET STORAGE EXTERNAL;

CREATE TABLE fleet.retention (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  kept_from timestamptz NOT NULL
);
COMMENT ON TABLE fleet.retention IS
  'How far back measurements are kept, of all customers together. No row while everything is kept.';
COMMENT ON COLUMN fleet.retention.only_row IS 'Always true: there is one row.';
COMMENT ON COLUMN fleet.retention.kept_from IS
  'UTC instant; older measurements were deleted but for the few that later energy is computed from.';
