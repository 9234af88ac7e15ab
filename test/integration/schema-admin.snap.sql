-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.

-- Which customers a RestrictedAdmin sees.
CREATE TABLE fleet.customer_access (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- GUID of the account.
  user_id uuid NOT NULL,
  CONSTRAINT customer_access_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT customer_access_pkey PRIMARY KEY (customer_id, user_id),
  CONSTRAINT customer_access_user_fkey FOREIGN KEY (user_id) REFERENCES portal.accounts(id) ON DELETE CASCADE
);

-- What each batch changes of a customer. Whoever numbers devices or writes a set of the customer locks the row.
CREATE TABLE fleet.customer_state (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- UTC instant of the first batch that was stored; null: none yet.
  first_seen_at timestamp with time zone,
  -- UTC instant of the last batch that was stored.
  last_seen_at timestamp with time zone,
  -- UTC instant of the last batch, stored or refused.
  last_batch_at timestamp with time zone,
  -- What was wrong with it; null: nothing.
  last_error text,
  -- Measurements stored.
  measurement_count bigint NOT NULL DEFAULT 0,
  -- Batches that came: what is known of the customer by this number holds until it changes.
  batch_count bigint NOT NULL DEFAULT 0,
  -- Highest number of a device so far; numbers are never given again.
  last_device_number integer NOT NULL DEFAULT 0,
  -- UTC instant at which the customer's stack last told of its comparison; null: not yet.
  reconciled_at timestamp with time zone,
  -- UTC instant; what was measured before has been compared.
  in_step_to timestamp with time zone,
  -- Days of devices that differed still.
  differing_days integer,
  -- How often the customer's stack pushes, s, as it says.
  push_interval_seconds integer,
  -- UTC instant of the last stored batch that had a measurement.
  last_measured_at timestamp with time zone,
  -- Time between the last of these batches, s, the newest first; at most 20.
  push_gaps_seconds integer[] NOT NULL DEFAULT '{}'::integer[],
  -- UTC instant of the last batch of which something was refused: all of it, or some records.
  last_failed_at timestamp with time zone,
  -- What was wrong with it.
  last_failure text,
  -- Whether all of it was refused.
  is_refused boolean NOT NULL DEFAULT false,
  -- UTC instant of the first such batch of those that followed each other within a day.
  failing_since timestamp with time zone,
  -- UTC instant from which on the token was refused (the customer is switched off, or has a new one); null: a batch was stored since.
  token_refused_since timestamp with time zone,
  -- UTC instant at which it was refused last.
  token_refused_at timestamp with time zone,
  -- Why it was refused.
  token_refusal text,
  -- UTC instant at which a batch last came with the token before the current one, to a minute; null: never.
  previous_token_used_at timestamp with time zone,
  -- What the customer's stack last said of itself: version, backlog, last error.
  client_report jsonb,
  -- UTC instant of the batch that it came with; null: none.
  client_reported_at timestamp with time zone,
  CONSTRAINT customer_state_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT customer_state_pkey PRIMARY KEY (customer_id)
);

-- Customers of the fleet. Rarely written; what each batch changes is in customer_state.
CREATE TABLE fleet.customers (
  -- GUID.
  id uuid NOT NULL,
  -- Short name that never changes; also the name of the customer's stack and subdomain.
  code text NOT NULL,
  -- Shown in the page; need not be unique.
  name text NOT NULL,
  -- False: batches are refused; stored data stay.
  is_active boolean NOT NULL,
  -- SHA-256 of the push token; the token itself is stored nowhere.
  token_hash bytea NOT NULL,
  -- UTC instant.
  token_issued_at timestamp with time zone NOT NULL,
  -- SHA-256 of the token before; null: none.
  previous_token_hash bytea,
  -- UTC instant until which the token before is honoured.
  previous_token_expires_at timestamp with time zone,
  -- UTC instant.
  created_at timestamp with time zone NOT NULL,
  -- A label that customers share; null: none.
  group_name text,
  -- For the people of the fleet; null: none.
  notes text,
  CONSTRAINT customers_code_check CHECK ((code ~ '^[a-z0-9]([a-z0-9-]{0,37}[a-z0-9])$'::text)),
  CONSTRAINT customers_code_key UNIQUE (code),
  CONSTRAINT customers_pkey PRIMARY KEY (id),
  CONSTRAINT customers_previous_token_check CHECK (((previous_token_hash IS NULL) = (previous_token_expires_at IS NULL))),
  CONSTRAINT customers_token_hash_key UNIQUE (token_hash)
);

-- Customers that are gone for everybody, with rows still to be deleted.
CREATE TABLE fleet.deleted_customers (
  -- GUID of the former customer.
  customer_id uuid NOT NULL,
  -- UTC instant.
  deleted_at timestamp with time zone NOT NULL,
  CONSTRAINT deleted_customers_pkey PRIMARY KEY (customer_id)
);

-- Meters of customers, as their stacks sent them.
CREATE TABLE fleet.devices (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- GUID that the customer's stack gave.
  id uuid NOT NULL,
  -- Stands in every measurement instead of the GUID; one device of the customer has it.
  number integer NOT NULL,
  -- UTC instant at which it came in a set; null while only measurements of it have come.
  announced_at timestamp with time zone,
  -- Where the device is; may come later. Null until it is announced.
  site_id uuid,
  -- Shown in the page. Null until it is announced.
  name text,
  -- By which the customer's ingest knows it. Null until it is announced.
  external_id text,
  -- Whether the device counts as in use.
  is_active boolean NOT NULL DEFAULT true,
  -- Where energy comes from: register, power, or auto for registers where the device sends them.
  energy_source text NOT NULL DEFAULT 'auto'::text,
  -- Largest power that is plausible, kW; null: not known.
  rated_power_kw double precision,
  -- Value at which registers go back to 0, kWh; null: not known.
  register_max_kwh double precision,
  -- Usual time between two readings, s; null: not known.
  expected_interval_seconds integer,
  -- UTC instant at which something of it came first.
  created_at timestamp with time zone NOT NULL,
  -- UTC instant at which a full set came without it; null: current.
  removed_at timestamp with time zone,
  -- Device whose energy this one measures a part of, as the customer says; may come later. Null: none.
  parent_device_id uuid,
  CONSTRAINT devices_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT devices_energy_source_check CHECK ((energy_source = ANY (ARRAY['auto'::text, 'register'::text, 'power'::text]))),
  CONSTRAINT devices_expected_interval_seconds_check CHECK ((expected_interval_seconds > 0)),
  CONSTRAINT devices_number_key UNIQUE (customer_id, number),
  CONSTRAINT devices_pkey PRIMARY KEY (customer_id, id),
  CONSTRAINT devices_rated_power_kw_check CHECK ((rated_power_kw > (0)::double precision)),
  CONSTRAINT devices_register_max_kwh_check CHECK ((register_max_kwh > (0)::double precision))
);

-- Energy and statistics of the quarter-hours of a device on a UTC day, computed from measurements.
CREATE TABLE fleet.energy_days (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- fleet.devices.number, of the customer.
  device_number integer NOT NULL,
  -- UTC day.
  day date NOT NULL,
  -- Number of readings.
  samples integer NOT NULL,
  -- Sum of their active power, mW.
  power_sum double precision NOT NULL,
  -- Sum of active power over the readings from which a power factor follows, mW.
  factor_active_sum double precision NOT NULL,
  -- Sum of reactive power over the same readings, mvar.
  factor_reactive_sum double precision NOT NULL,
  -- Imported energy, 96 values in kWh, in the code of energy/energy-codec.sql.ts; null: all 0.
  imported bytea,
  -- Exported energy, the same.
  exported bytea,
  -- The interpolated part of imported, the same; empty: all of it.
  interpolated_imported bytea,
  -- The interpolated part of exported, the same; empty: all of it.
  interpolated_exported bytea,
  -- Number of readings and sum of active power (mW) by quarter-hour, in the code of energy/energy-codec.sql.ts; null: no reading.
  power bytea,
  -- The other columns of energy/statistics.rules.ts by quarter-hour, the same.
  quantities bytea,
  CONSTRAINT energy_days_pkey PRIMARY KEY (customer_id, device_number, day) INCLUDE (samples)
);

-- Ranges in which measurements were stored that energy_days does not have yet.
CREATE TABLE fleet.energy_dirty_ranges (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- fleet.devices.number, of the customer.
  device_number integer NOT NULL,
  -- Ascending in time; made by the application.
  id bigint NOT NULL,
  -- UTC instant of the first of these measurements.
  from_time timestamp with time zone NOT NULL,
  -- UTC instant of the last of them, included.
  to_time timestamp with time zone NOT NULL,
  CONSTRAINT energy_dirty_ranges_pkey PRIMARY KEY (customer_id, device_number, id)
);

-- Devices whose quarter-hours could not be computed; no row while it succeeds.
CREATE TABLE fleet.energy_failures (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- fleet.devices.number, of the customer.
  device_number integer NOT NULL,
  -- Failed attempts in a row.
  attempts integer NOT NULL,
  -- UTC instant of the first of them.
  failed_since timestamp with time zone NOT NULL,
  -- UTC instant of the next attempt.
  retry_at timestamp with time zone NOT NULL,
  -- The error, for whoever looks into it; no answer of the API tells it.
  reason text NOT NULL,
  CONSTRAINT energy_failures_pkey PRIMARY KEY (customer_id, device_number)
);

-- What was odd about readings, and the gaps over which energy was spread.
CREATE TABLE fleet.energy_flags (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- fleet.devices.number, of the customer.
  device_number integer NOT NULL,
  -- UTC instant of the reading, or of the one before the gap.
  "time" timestamp with time zone NOT NULL,
  -- What it is (energy-and-cost.md 2 to 4).
  kind text NOT NULL,
  -- The register that it is about.
  direction text NOT NULL,
  -- UTC instant of the reading that ends the gap; null: no gap.
  until timestamp with time zone,
  -- Energy spread over the gap, kWh; null: none.
  energy_kwh double precision,
  CONSTRAINT energy_flags_direction_check CHECK ((direction = ANY (ARRAY['imported'::text, 'exported'::text, 'both'::text]))),
  CONSTRAINT energy_flags_kind_check CHECK ((kind = ANY (ARRAY['gap'::text, 'interpolated'::text, 'glitch'::text, 'stepBack'::text, 'rollover'::text, 'reset'::text, 'implausible'::text]))),
  CONSTRAINT energy_flags_pkey PRIMARY KEY (customer_id, device_number, "time", kind, direction)
);

-- Days of a device between two readings far apart: what its registers counted is spread evenly over them.
CREATE TABLE fleet.energy_gaps (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- fleet.devices.number, of the customer.
  device_number integer NOT NULL,
  -- First UTC day.
  from_day date NOT NULL,
  -- UTC day after the last.
  to_day date NOT NULL,
  -- Imported energy of each quarter-hour, kWh, all of it interpolated.
  imported_kwh double precision NOT NULL,
  -- Exported energy of each quarter-hour, kWh, all of it interpolated.
  exported_kwh double precision NOT NULL,
  CONSTRAINT energy_gaps_check CHECK ((to_day > from_day)),
  CONSTRAINT energy_gaps_pkey PRIMARY KEY (customer_id, device_number, from_day)
);

-- First and last reading of each device that energy_days has. Whoever computes a device locks its row.
CREATE TABLE fleet.energy_state (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- fleet.devices.number, of the customer.
  device_number integer NOT NULL,
  -- UTC instant of the first reading; null: none.
  first_time timestamp with time zone,
  -- UTC instant of the last reading.
  last_time timestamp with time zone,
  -- UTC instant of the first reading with a register of imported energy; null: none.
  imported_first timestamp with time zone,
  -- UTC instant of the last one.
  imported_last timestamp with time zone,
  -- UTC instant of the first reading with a register of exported energy; null: none.
  exported_first timestamp with time zone,
  -- UTC instant of the last one.
  exported_last timestamp with time zone,
  -- UTC instant at which the first interval begins, computed or not; null: none.
  intervals_first timestamp with time zone,
  -- UTC instant at which the last one ends.
  intervals_last timestamp with time zone,
  CONSTRAINT energy_state_pkey PRIMARY KEY (customer_id, device_number)
);

-- What weeks add up to. Never out of date, and may be deleted at any time.
CREATE TABLE fleet.energy_sums (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- Hash of all that the sums depend on, the versions of the weeks among it.
  key bytea NOT NULL,
  -- float64, least significant byte first, as rates/energy-pieces.rules.ts writes them.
  sums bytea NOT NULL,
  -- UTC instant.
  kept_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT energy_sums_pkey PRIMARY KEY (customer_id, key)
);

-- What is stored of a device in a week: another version each time that one of its energy_days changes.
CREATE TABLE fleet.energy_weeks (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- fleet.devices.number, of the customer.
  device_number integer NOT NULL,
  -- UTC day of its Monday.
  week date NOT NULL,
  -- Random GUID, so that a version never comes back, whatever is restored.
  version uuid NOT NULL,
  CONSTRAINT energy_weeks_pkey PRIMARY KEY (customer_id, device_number, week)
);

-- One row a batch that came, stored or refused; of many that were refused the first stands for those after it. Kept for 30 days.
CREATE TABLE fleet.ingest_events (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- GUID.
  id uuid NOT NULL,
  -- UTC instant.
  received_at timestamp with time zone NOT NULL,
  -- sites, devices, municipalities, tariffs, measurements or intervals; of a refused batch what it said.
  batch_type text NOT NULL,
  -- Records.
  rows_accepted integer NOT NULL,
  -- Records.
  rows_rejected integer NOT NULL,
  -- Size of the body, bytes.
  payload_bytes bigint NOT NULL,
  -- Cursor of the batch, as the customer's stack sent it; null: none.
  cursor text,
  -- UTC instant of the earliest of its measurements; null: none.
  from_time timestamp with time zone,
  -- UTC instant of the latest of its measurements.
  to_time timestamp with time zone,
  -- What was wrong with it; null: nothing.
  error text,
  -- Batches that the row stands for.
  batches integer NOT NULL DEFAULT 1,
  CONSTRAINT ingest_events_pkey PRIMARY KEY (customer_id, id)
);

-- Energy of intervals as it was pushed, such as a load profile of a utility.
CREATE TABLE fleet.intervals (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- fleet.devices.number, of the customer.
  device_number integer NOT NULL,
  -- UTC instant at which the interval begins.
  from_time timestamp with time zone NOT NULL,
  -- UTC instant at which it ends, not included.
  to_time timestamp with time zone NOT NULL,
  -- Imported energy, mWh; null: not sent.
  imported_milliwatthours bigint,
  -- Exported energy, mWh; null: not sent.
  exported_milliwatthours bigint,
  -- UTC instant at which the fleet received it.
  received_at timestamp with time zone NOT NULL,
  CONSTRAINT intervals_exported_milliwatthours_check CHECK ((exported_milliwatthours >= 0)),
  CONSTRAINT intervals_imported_milliwatthours_check CHECK ((imported_milliwatthours >= 0)),
  CONSTRAINT intervals_pkey PRIMARY KEY (customer_id, device_number, from_time),
  CONSTRAINT intervals_times_check CHECK ((from_time < to_time))
);

-- Municipalities of customers, as their stacks sent them.
CREATE TABLE fleet.municipalities (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- GUID that the customer's stack gave.
  id uuid NOT NULL,
  -- Shown in the page.
  name text NOT NULL,
  -- IANA name of the zone in which days, months and tariff periods are counted.
  time_zone text NOT NULL,
  -- UTC instant at which it came first.
  created_at timestamp with time zone NOT NULL,
  -- UTC instant at which a full set came without it; null: current.
  removed_at timestamp with time zone,
  CONSTRAINT municipalities_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT municipalities_pkey PRIMARY KEY (customer_id, id)
);

-- How far back measurements are kept, of all customers together. No row while everything is kept.
CREATE TABLE fleet.retention (
  -- Always true: there is one row.
  only_row boolean NOT NULL DEFAULT true,
  -- UTC instant; older measurements were deleted but for the few that later energy is computed from.
  kept_from timestamp with time zone NOT NULL,
  CONSTRAINT retention_only_row_check CHECK (only_row),
  CONSTRAINT retention_pkey PRIMARY KEY (only_row)
);

-- Parts of a full set that have come, until the last one does: what is in none of them was removed.
CREATE TABLE fleet.set_parts (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- sites, devices, municipalities or tariffs.
  batch_type text NOT NULL,
  -- Number of the part, from 1.
  part integer NOT NULL,
  -- Parts of the set.
  parts integer NOT NULL,
  -- GUIDs of the records in the part.
  record_ids uuid[] NOT NULL,
  -- Whether a record had no id that could be read, so that nothing can be told to be missing.
  is_incomplete boolean NOT NULL,
  -- Cursor of the batch, as the customer's stack sent it.
  cursor text,
  -- Whether the set is whole. Its parts stay, so that one that is delivered again does not count for the next set.
  is_closed boolean NOT NULL DEFAULT false,
  -- Closed, and has come since, which says nothing about what it belongs to where cursors are always the same.
  came_again boolean NOT NULL DEFAULT false,
  CONSTRAINT set_parts_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT set_parts_pkey PRIMARY KEY (customer_id, batch_type, part)
);

-- Sites of customers, as their stacks sent them.
CREATE TABLE fleet.sites (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- GUID that the customer's stack gave.
  id uuid NOT NULL,
  -- Shown in the page.
  name text NOT NULL,
  -- The municipality whose time zone and tariffs hold; may come later.
  municipality_id uuid NOT NULL,
  -- UTC instant at which it came first.
  created_at timestamp with time zone NOT NULL,
  -- UTC instant at which a full set came without it; null: current.
  removed_at timestamp with time zone,
  -- Never given again within the customer; its color in charts follows from it.
  number integer NOT NULL,
  CONSTRAINT sites_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT sites_pkey PRIMARY KEY (customer_id, id)
);

-- Times of the week with a price of their own, as the customer's stack sent them.
CREATE TABLE fleet.tariff_periods (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- GUID that the customer's stack gave.
  id uuid NOT NULL,
  -- The tariff that it belongs to.
  tariff_id uuid NOT NULL,
  -- Place in the order in which the periods were sent.
  "position" smallint NOT NULL,
  -- Shown in statements.
  name text NOT NULL,
  -- Days on which it starts: bitmask, Monday 1 to Sunday 64.
  days_of_week smallint NOT NULL,
  -- Start, minutes since local midnight.
  start_minute smallint NOT NULL,
  -- End, minutes since local midnight, not included; before the start it lies on the next day.
  end_minute smallint NOT NULL,
  -- Price of imported energy, currency per kWh, without VAT.
  rate_per_kwh numeric(20,10) NOT NULL,
  CONSTRAINT tariff_periods_days_of_week_check CHECK (((days_of_week >= 1) AND (days_of_week <= 127))),
  CONSTRAINT tariff_periods_end_minute_check CHECK (((end_minute >= 0) AND (end_minute <= 1440))),
  CONSTRAINT tariff_periods_pkey PRIMARY KEY (customer_id, id),
  CONSTRAINT tariff_periods_position_key UNIQUE (customer_id, tariff_id, "position"),
  CONSTRAINT tariff_periods_rate_per_kwh_check CHECK ((rate_per_kwh >= (0)::numeric)),
  CONSTRAINT tariff_periods_start_minute_check CHECK (((start_minute >= 0) AND (start_minute < 1440))),
  CONSTRAINT tariff_periods_tariff_fkey FOREIGN KEY (customer_id, tariff_id) REFERENCES fleet.tariffs(customer_id, id) ON DELETE CASCADE,
  CONSTRAINT tariff_periods_times_check CHECK ((start_minute <> end_minute))
);

-- Tariffs of customers, as their stacks sent them.
CREATE TABLE fleet.tariffs (
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- GUID that the customer's stack gave.
  id uuid NOT NULL,
  -- Where it holds.
  municipality_id uuid NOT NULL,
  -- Need not be unique.
  name text NOT NULL,
  -- ISO 4217 code of all its amounts.
  currency text NOT NULL,
  -- False: prices nothing.
  is_active boolean NOT NULL,
  -- First local day on which it holds.
  effective_from date NOT NULL,
  -- First local day on which it no longer holds; null: without end.
  effective_to date,
  -- Price of imported energy outside all periods, currency per kWh, without VAT.
  default_rate_per_kwh numeric(20,10) NOT NULL,
  -- Charge of a site for a month, currency, without VAT.
  fixed_charge_per_month numeric(20,10) NOT NULL,
  -- Value-added tax, percent.
  vat_percent numeric(13,10) NOT NULL,
  -- Credit for exported energy, currency per kWh; null: none.
  export_rate_per_kwh numeric(20,10),
  -- UTC instant at which it came first.
  created_at timestamp with time zone NOT NULL,
  -- UTC instant at which a full set came without it; null: current.
  removed_at timestamp with time zone,
  CONSTRAINT tariffs_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT tariffs_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT tariffs_default_rate_per_kwh_check CHECK ((default_rate_per_kwh >= (0)::numeric)),
  CONSTRAINT tariffs_export_rate_per_kwh_check CHECK ((export_rate_per_kwh >= (0)::numeric)),
  CONSTRAINT tariffs_fixed_charge_per_month_check CHECK ((fixed_charge_per_month >= (0)::numeric)),
  CONSTRAINT tariffs_municipality_fkey FOREIGN KEY (customer_id, municipality_id) REFERENCES fleet.municipalities(customer_id, id),
  CONSTRAINT tariffs_pkey PRIMARY KEY (customer_id, id),
  CONSTRAINT tariffs_vat_percent_check CHECK (((vat_percent >= (0)::numeric) AND (vat_percent <= (100)::numeric))),
  CONSTRAINT tariffs_window_check CHECK ((effective_from < effective_to))
);

CREATE INDEX customer_access_user_id ON fleet.customer_access USING btree (user_id);

CREATE INDEX customers_previous_token_hash ON fleet.customers USING btree (previous_token_hash);

CREATE INDEX devices_parent_device_id ON fleet.devices USING btree (customer_id) WHERE (parent_device_id IS NOT NULL);

CREATE INDEX ingest_events_received_at ON fleet.ingest_events USING btree (customer_id, received_at DESC);

CREATE INDEX tariffs_municipality_id ON fleet.tariffs USING btree (customer_id, municipality_id);
