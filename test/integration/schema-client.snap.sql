-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.

CREATE TABLE monitoring.api_keys (
  id uuid NOT NULL,
  name text NOT NULL,
  scope text NOT NULL,
  key_hash bytea NOT NULL,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_scope_check CHECK ((scope = 'ingest'::text))
);

CREATE TABLE monitoring.arrivals (
  sender uuid NOT NULL,
  external_id text NOT NULL,
  field text NOT NULL,
  received_at timestamp with time zone NOT NULL,
  reason text,
  is_known boolean,
  measured_at timestamp with time zone,
  active_power_kw double precision,
  CONSTRAINT arrivals_pkey PRIMARY KEY (sender, external_id, field)
);

CREATE TABLE monitoring.arrivals_watched (
  only_row boolean NOT NULL DEFAULT true,
  until_time timestamp with time zone NOT NULL,
  CONSTRAINT arrivals_watched_only_row_check CHECK (only_row),
  CONSTRAINT arrivals_watched_pkey PRIMARY KEY (only_row)
);

CREATE TABLE monitoring.delivery_hours (
  sender uuid NOT NULL,
  hour timestamp with time zone NOT NULL,
  deliveries bigint NOT NULL,
  accepted bigint NOT NULL,
  duplicates bigint NOT NULL,
  rejected bigint NOT NULL,
  CONSTRAINT delivery_hours_pkey PRIMARY KEY (sender, hour)
);

CREATE TABLE monitoring.demo (
  only_row boolean NOT NULL DEFAULT true,
  seed integer NOT NULL,
  first_day integer NOT NULL,
  CONSTRAINT demo_only_row_check CHECK (only_row),
  CONSTRAINT demo_pkey PRIMARY KEY (only_row)
);

CREATE TABLE monitoring.demo_gaps (
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  CONSTRAINT demo_gaps_check CHECK ((starts_at < ends_at)),
  CONSTRAINT demo_gaps_pkey PRIMARY KEY (starts_at)
);

CREATE TABLE monitoring.devices (
  number integer GENERATED ALWAYS AS IDENTITY NOT NULL,
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  name text NOT NULL,
  external_id text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  energy_source text NOT NULL DEFAULT 'auto'::text,
  rated_power_kw double precision,
  register_max_kwh double precision,
  expected_interval_seconds integer,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  parent_device_id uuid,
  end_use text,
  CONSTRAINT devices_energy_source_check CHECK ((energy_source = ANY (ARRAY['auto'::text, 'register'::text, 'power'::text]))),
  CONSTRAINT devices_expected_interval_seconds_check CHECK ((expected_interval_seconds > 0)),
  CONSTRAINT devices_external_id_key UNIQUE (external_id),
  CONSTRAINT devices_id_key UNIQUE (id),
  CONSTRAINT devices_id_site_key UNIQUE (id, site_id),
  CONSTRAINT devices_parent_check CHECK ((parent_device_id <> id)),
  CONSTRAINT devices_parent_fkey FOREIGN KEY (parent_device_id, site_id) REFERENCES monitoring.devices(id, site_id),
  CONSTRAINT devices_pkey PRIMARY KEY (number),
  CONSTRAINT devices_rated_power_kw_check CHECK ((rated_power_kw > (0)::double precision)),
  CONSTRAINT devices_register_max_kwh_check CHECK ((register_max_kwh > (0)::double precision)),
  CONSTRAINT devices_site_fkey FOREIGN KEY (site_id) REFERENCES monitoring.sites(id)
);

CREATE TABLE monitoring.energy_days (
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
  CONSTRAINT energy_days_pkey PRIMARY KEY (device_number, day) INCLUDE (samples)
);

CREATE TABLE monitoring.energy_dirty_ranges (
  device_number integer NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  from_time timestamp with time zone NOT NULL,
  to_time timestamp with time zone NOT NULL,
  CONSTRAINT energy_dirty_ranges_pkey PRIMARY KEY (device_number, id)
);

CREATE TABLE monitoring.energy_failures (
  device_number integer NOT NULL,
  attempts integer NOT NULL,
  failed_since timestamp with time zone NOT NULL,
  retry_at timestamp with time zone NOT NULL,
  reason text NOT NULL,
  CONSTRAINT energy_failures_pkey PRIMARY KEY (device_number)
);

CREATE TABLE monitoring.energy_flags (
  device_number integer NOT NULL,
  "time" timestamp with time zone NOT NULL,
  kind text NOT NULL,
  direction text NOT NULL,
  until timestamp with time zone,
  energy_kwh double precision,
  CONSTRAINT energy_flags_direction_check CHECK ((direction = ANY (ARRAY['imported'::text, 'exported'::text, 'both'::text]))),
  CONSTRAINT energy_flags_kind_check CHECK ((kind = ANY (ARRAY['gap'::text, 'interpolated'::text, 'glitch'::text, 'stepBack'::text, 'rollover'::text, 'reset'::text, 'implausible'::text]))),
  CONSTRAINT energy_flags_pkey PRIMARY KEY (device_number, "time", kind, direction)
);

CREATE TABLE monitoring.energy_gaps (
  device_number integer NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  imported_kwh double precision NOT NULL,
  exported_kwh double precision NOT NULL,
  CONSTRAINT energy_gaps_check CHECK ((to_day > from_day)),
  CONSTRAINT energy_gaps_pkey PRIMARY KEY (device_number, from_day)
);

CREATE TABLE monitoring.energy_state (
  device_number integer NOT NULL,
  first_time timestamp with time zone,
  last_time timestamp with time zone,
  imported_first timestamp with time zone,
  imported_last timestamp with time zone,
  exported_first timestamp with time zone,
  exported_last timestamp with time zone,
  CONSTRAINT energy_state_pkey PRIMARY KEY (device_number)
);

CREATE TABLE monitoring.energy_sums (
  key bytea NOT NULL,
  sums bytea NOT NULL,
  kept_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT energy_sums_pkey PRIMARY KEY (key)
);

CREATE TABLE monitoring.energy_weeks (
  device_number integer NOT NULL,
  week date NOT NULL,
  version uuid NOT NULL,
  CONSTRAINT energy_weeks_pkey PRIMARY KEY (device_number, week)
);

CREATE TABLE monitoring.municipalities (
  id uuid NOT NULL,
  name text NOT NULL,
  time_zone text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT municipalities_pkey PRIMARY KEY (id)
);

CREATE TABLE monitoring.push_differences (
  device_number integer NOT NULL,
  day date NOT NULL,
  own_count integer NOT NULL,
  fleet_count integer NOT NULL,
  own_checksum text NOT NULL,
  fleet_checksum text NOT NULL,
  CONSTRAINT push_differences_pkey PRIMARY KEY (device_number, day)
);

CREATE TABLE monitoring.push_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  row_count integer NOT NULL,
  device_numbers integer[] NOT NULL,
  from_micros bigint[] NOT NULL,
  to_micros bigint[] NOT NULL,
  sent_time timestamp with time zone,
  sent_device_id uuid,
  is_resend boolean NOT NULL DEFAULT false,
  CONSTRAINT push_outbox_pkey PRIMARY KEY (id)
);

CREATE TABLE monitoring.push_reconciliation (
  only_row boolean NOT NULL DEFAULT true,
  is_running boolean NOT NULL,
  is_full boolean NOT NULL,
  is_requested boolean NOT NULL,
  began_at timestamp with time zone NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  window_from date NOT NULL,
  window_to date NOT NULL,
  device_number integer NOT NULL,
  resent_to_number integer,
  compared_days integer NOT NULL,
  resent_days integer NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone,
  last_error_kind text,
  last_error text,
  last_error_at timestamp with time zone,
  finished_at timestamp with time zone,
  finished_compared_days integer,
  finished_resent_days integer,
  full_finished_at timestamp with time zone,
  in_step_to timestamp with time zone,
  CONSTRAINT push_reconciliation_only_row_check CHECK (only_row),
  CONSTRAINT push_reconciliation_pkey PRIMARY KEY (only_row)
);

CREATE TABLE monitoring.push_recording (
  only_row boolean NOT NULL DEFAULT true,
  target text NOT NULL,
  began_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone NOT NULL,
  walk_device_number integer,
  walk_time timestamp with time zone,
  CONSTRAINT push_recording_only_row_check CHECK (only_row),
  CONSTRAINT push_recording_pkey PRIMARY KEY (only_row)
);

CREATE TABLE monitoring.push_state (
  resource text NOT NULL,
  cursor text,
  batch_size integer,
  failures integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone,
  last_success_at timestamp with time zone,
  last_error_kind text,
  last_error text,
  last_error_at timestamp with time zone,
  rejected_rows bigint NOT NULL DEFAULT 0,
  is_unanswered boolean NOT NULL DEFAULT false,
  CONSTRAINT push_state_pkey PRIMARY KEY (resource),
  CONSTRAINT push_state_resource_check CHECK ((resource = ANY (ARRAY['sites'::text, 'devices'::text, 'municipalities'::text, 'tariffs'::text, 'measurements'::text])))
);

CREATE TABLE monitoring.report_remarks (
  period text NOT NULL,
  scope text NOT NULL,
  remark text NOT NULL,
  subject_ids uuid[] NOT NULL DEFAULT '{}'::uuid[],
  CONSTRAINT report_remarks_pkey PRIMARY KEY (period, scope)
);

CREATE TABLE monitoring.retention (
  only_row boolean NOT NULL DEFAULT true,
  kept_from timestamp with time zone NOT NULL,
  CONSTRAINT retention_only_row_check CHECK (only_row),
  CONSTRAINT retention_pkey PRIMARY KEY (only_row)
);

CREATE TABLE monitoring.sites (
  id uuid NOT NULL,
  name text NOT NULL,
  municipality_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT sites_municipality_fkey FOREIGN KEY (municipality_id) REFERENCES monitoring.municipalities(id),
  CONSTRAINT sites_pkey PRIMARY KEY (id)
);

CREATE TABLE monitoring.tariff_periods (
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
  CONSTRAINT tariff_periods_pkey PRIMARY KEY (id),
  CONSTRAINT tariff_periods_position_key UNIQUE (tariff_id, "position"),
  CONSTRAINT tariff_periods_rate_per_kwh_check CHECK ((rate_per_kwh >= (0)::numeric)),
  CONSTRAINT tariff_periods_start_minute_check CHECK (((start_minute >= 0) AND (start_minute < 1440))),
  CONSTRAINT tariff_periods_tariff_fkey FOREIGN KEY (tariff_id) REFERENCES monitoring.tariffs(id) ON DELETE CASCADE,
  CONSTRAINT tariff_periods_times_check CHECK ((start_minute <> end_minute))
);

CREATE TABLE monitoring.tariffs (
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
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT tariffs_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT tariffs_default_rate_per_kwh_check CHECK ((default_rate_per_kwh >= (0)::numeric)),
  CONSTRAINT tariffs_export_rate_per_kwh_check CHECK ((export_rate_per_kwh >= (0)::numeric)),
  CONSTRAINT tariffs_fixed_charge_per_month_check CHECK ((fixed_charge_per_month >= (0)::numeric)),
  CONSTRAINT tariffs_municipality_fkey FOREIGN KEY (municipality_id) REFERENCES monitoring.municipalities(id) ON DELETE CASCADE,
  CONSTRAINT tariffs_pkey PRIMARY KEY (id),
  CONSTRAINT tariffs_vat_percent_check CHECK (((vat_percent >= (0)::numeric) AND (vat_percent <= (100)::numeric))),
  CONSTRAINT tariffs_window_check CHECK ((effective_from < effective_to))
);

CREATE INDEX devices_parent_device_id ON monitoring.devices USING btree (parent_device_id) WHERE (parent_device_id IS NOT NULL);

CREATE INDEX devices_site_id ON monitoring.devices USING btree (site_id);

CREATE INDEX push_outbox_received_at ON monitoring.push_outbox USING btree (received_at, id) INCLUDE (row_count);

CREATE INDEX sites_municipality_id ON monitoring.sites USING btree (municipality_id);

CREATE INDEX tariffs_municipality_id ON monitoring.tariffs USING btree (municipality_id);

CREATE UNIQUE INDEX api_keys_name_key ON monitoring.api_keys USING btree (lower(name));

CREATE UNIQUE INDEX municipalities_name_key ON monitoring.municipalities USING btree (lower(name));

CREATE UNIQUE INDEX sites_name_key ON monitoring.sites USING btree (lower(name));

CREATE UNIQUE INDEX tariffs_active_from_key ON monitoring.tariffs USING btree (municipality_id, effective_from) WHERE is_active;
