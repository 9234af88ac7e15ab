-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.

CREATE TABLE fleet.customer_access (
  customer_id uuid NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT customer_access_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT customer_access_pkey PRIMARY KEY (customer_id, user_id),
  CONSTRAINT customer_access_user_fkey FOREIGN KEY (user_id) REFERENCES portal.accounts(id) ON DELETE CASCADE
);

CREATE TABLE fleet.customer_state (
  customer_id uuid NOT NULL,
  first_seen_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  last_batch_at timestamp with time zone,
  last_error text,
  measurement_count bigint NOT NULL DEFAULT 0,
  batch_count bigint NOT NULL DEFAULT 0,
  last_device_number integer NOT NULL DEFAULT 0,
  reconciled_at timestamp with time zone,
  in_step_to timestamp with time zone,
  differing_days integer,
  push_interval_seconds integer,
  last_measured_at timestamp with time zone,
  push_gaps_seconds integer[] NOT NULL DEFAULT '{}'::integer[],
  last_failed_at timestamp with time zone,
  last_failure text,
  is_refused boolean NOT NULL DEFAULT false,
  failing_since timestamp with time zone,
  token_refused_since timestamp with time zone,
  token_refused_at timestamp with time zone,
  token_refusal text,
  CONSTRAINT customer_state_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT customer_state_pkey PRIMARY KEY (customer_id)
);

CREATE TABLE fleet.customers (
  id uuid NOT NULL,
  code text NOT NULL,
  name text NOT NULL,
  is_active boolean NOT NULL,
  token_hash bytea NOT NULL,
  token_issued_at timestamp with time zone NOT NULL,
  previous_token_hash bytea,
  previous_token_expires_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT customers_code_check CHECK ((code ~ '^[a-z0-9]([a-z0-9-]{0,37}[a-z0-9])$'::text)),
  CONSTRAINT customers_code_key UNIQUE (code),
  CONSTRAINT customers_pkey PRIMARY KEY (id),
  CONSTRAINT customers_previous_token_check CHECK (((previous_token_hash IS NULL) = (previous_token_expires_at IS NULL))),
  CONSTRAINT customers_token_hash_key UNIQUE (token_hash)
);

CREATE TABLE fleet.deleted_customers (
  customer_id uuid NOT NULL,
  deleted_at timestamp with time zone NOT NULL,
  CONSTRAINT deleted_customers_pkey PRIMARY KEY (customer_id)
);

CREATE TABLE fleet.devices (
  customer_id uuid NOT NULL,
  id uuid NOT NULL,
  number integer NOT NULL,
  announced_at timestamp with time zone,
  site_id uuid,
  name text,
  external_id text,
  is_active boolean NOT NULL DEFAULT true,
  energy_source text NOT NULL DEFAULT 'auto'::text,
  rated_power_kw double precision,
  register_max_kwh double precision,
  expected_interval_seconds integer,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  parent_device_id uuid,
  CONSTRAINT devices_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT devices_energy_source_check CHECK ((energy_source = ANY (ARRAY['auto'::text, 'register'::text, 'power'::text]))),
  CONSTRAINT devices_expected_interval_seconds_check CHECK ((expected_interval_seconds > 0)),
  CONSTRAINT devices_number_key UNIQUE (customer_id, number),
  CONSTRAINT devices_pkey PRIMARY KEY (customer_id, id),
  CONSTRAINT devices_rated_power_kw_check CHECK ((rated_power_kw > (0)::double precision)),
  CONSTRAINT devices_register_max_kwh_check CHECK ((register_max_kwh > (0)::double precision))
);

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
);

CREATE TABLE fleet.energy_dirty_ranges (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  id bigint NOT NULL,
  from_time timestamp with time zone NOT NULL,
  to_time timestamp with time zone NOT NULL,
  CONSTRAINT energy_dirty_ranges_pkey PRIMARY KEY (customer_id, device_number, id)
);

CREATE TABLE fleet.energy_failures (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  attempts integer NOT NULL,
  failed_since timestamp with time zone NOT NULL,
  retry_at timestamp with time zone NOT NULL,
  reason text NOT NULL,
  CONSTRAINT energy_failures_pkey PRIMARY KEY (customer_id, device_number)
);

CREATE TABLE fleet.energy_flags (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  "time" timestamp with time zone NOT NULL,
  kind text NOT NULL,
  direction text NOT NULL,
  until timestamp with time zone,
  energy_kwh double precision,
  CONSTRAINT energy_flags_direction_check CHECK ((direction = ANY (ARRAY['imported'::text, 'exported'::text, 'both'::text]))),
  CONSTRAINT energy_flags_kind_check CHECK ((kind = ANY (ARRAY['gap'::text, 'interpolated'::text, 'glitch'::text, 'stepBack'::text, 'rollover'::text, 'reset'::text, 'implausible'::text]))),
  CONSTRAINT energy_flags_pkey PRIMARY KEY (customer_id, device_number, "time", kind, direction)
);

CREATE TABLE fleet.energy_gaps (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  imported_kwh double precision NOT NULL,
  exported_kwh double precision NOT NULL,
  CONSTRAINT energy_gaps_check CHECK ((to_day > from_day)),
  CONSTRAINT energy_gaps_pkey PRIMARY KEY (customer_id, device_number, from_day)
);

CREATE TABLE fleet.energy_state (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  first_time timestamp with time zone,
  last_time timestamp with time zone,
  imported_first timestamp with time zone,
  imported_last timestamp with time zone,
  exported_first timestamp with time zone,
  exported_last timestamp with time zone,
  CONSTRAINT energy_state_pkey PRIMARY KEY (customer_id, device_number)
);

CREATE TABLE fleet.energy_sums (
  customer_id uuid NOT NULL,
  key bytea NOT NULL,
  sums bytea NOT NULL,
  kept_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT energy_sums_pkey PRIMARY KEY (customer_id, key)
);

CREATE TABLE fleet.energy_weeks (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  week date NOT NULL,
  version uuid NOT NULL,
  CONSTRAINT energy_weeks_pkey PRIMARY KEY (customer_id, device_number, week)
);

CREATE TABLE fleet.ingest_events (
  customer_id uuid NOT NULL,
  id uuid NOT NULL,
  received_at timestamp with time zone NOT NULL,
  batch_type text NOT NULL,
  rows_accepted integer NOT NULL,
  rows_rejected integer NOT NULL,
  payload_bytes bigint NOT NULL,
  cursor text,
  from_time timestamp with time zone,
  to_time timestamp with time zone,
  error text,
  batches integer NOT NULL DEFAULT 1,
  CONSTRAINT ingest_events_pkey PRIMARY KEY (customer_id, id)
);

CREATE TABLE fleet.municipalities (
  customer_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  time_zone text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT municipalities_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT municipalities_pkey PRIMARY KEY (customer_id, id)
);

CREATE TABLE fleet.retention (
  only_row boolean NOT NULL DEFAULT true,
  kept_from timestamp with time zone NOT NULL,
  CONSTRAINT retention_only_row_check CHECK (only_row),
  CONSTRAINT retention_pkey PRIMARY KEY (only_row)
);

CREATE TABLE fleet.set_parts (
  customer_id uuid NOT NULL,
  batch_type text NOT NULL,
  part integer NOT NULL,
  parts integer NOT NULL,
  record_ids uuid[] NOT NULL,
  is_incomplete boolean NOT NULL,
  cursor text,
  is_closed boolean NOT NULL DEFAULT false,
  came_again boolean NOT NULL DEFAULT false,
  CONSTRAINT set_parts_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT set_parts_pkey PRIMARY KEY (customer_id, batch_type, part)
);

CREATE TABLE fleet.sites (
  customer_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  municipality_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT sites_customer_fkey FOREIGN KEY (customer_id) REFERENCES fleet.customers(id) ON DELETE CASCADE,
  CONSTRAINT sites_pkey PRIMARY KEY (customer_id, id)
);

CREATE TABLE fleet.tariff_periods (
  customer_id uuid NOT NULL,
  id uuid NOT NULL,
  tariff_id uuid NOT NULL,
  "position" smallint NOT NULL,
  name text NOT NULL,
  days_of_week smallint NOT NULL,
  start_minute smallint NOT NULL,
  end_minute smallint NOT NULL,
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

CREATE TABLE fleet.tariffs (
  customer_id uuid NOT NULL,
  id uuid NOT NULL,
  municipality_id uuid NOT NULL,
  name text NOT NULL,
  currency text NOT NULL,
  is_active boolean NOT NULL,
  effective_from date NOT NULL,
  effective_to date,
  default_rate_per_kwh numeric(20,10) NOT NULL,
  fixed_charge_per_month numeric(20,10) NOT NULL,
  vat_percent numeric(13,10) NOT NULL,
  export_rate_per_kwh numeric(20,10),
  created_at timestamp with time zone NOT NULL,
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
