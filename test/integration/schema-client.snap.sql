-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.

-- Keys of gateways and other programs.
CREATE TABLE monitoring.api_keys (
  -- GUID.
  id uuid NOT NULL,
  -- Unique whatever its case.
  name text NOT NULL,
  -- What the key may do; ingest is the only scope.
  scope text NOT NULL,
  -- SHA-256 of the key; the key itself is stored nowhere.
  key_hash bytea NOT NULL,
  -- UTC instant; null before the first use.
  last_used_at timestamp with time zone,
  -- UTC instant.
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_scope_check CHECK ((scope = 'ingest'::text))
);

-- Latest row of each external id, and the latest rejection of it by each field, for a day and in bounded number.
CREATE TABLE monitoring.arrivals (
  -- As in delivery_hours.
  sender uuid NOT NULL,
  -- As it was sent; empty if a rejected row had none.
  external_id text NOT NULL,
  -- Field for which the row was rejected; empty if it was accepted.
  field text NOT NULL,
  -- UTC instant.
  received_at timestamp with time zone NOT NULL,
  -- Why it was rejected; null if it was accepted.
  reason text,
  -- Whether the accepted row was known; null if it was rejected.
  is_known boolean,
  -- UTC instant of the accepted reading; null if it was rejected.
  measured_at timestamp with time zone,
  -- Active power of the accepted reading, kW; null if it was rejected.
  active_power_kw double precision,
  CONSTRAINT arrivals_pkey PRIMARY KEY (sender, external_id, field)
);

-- Until when accepted rows are noted in arrivals. One row once somebody has looked at what arrives.
CREATE TABLE monitoring.arrivals_watched (
  -- Always true: there is one row.
  only_row boolean NOT NULL DEFAULT true,
  -- UTC instant.
  until_time timestamp with time zone NOT NULL,
  CONSTRAINT arrivals_watched_only_row_check CHECK (only_row),
  CONSTRAINT arrivals_watched_pkey PRIMARY KEY (only_row)
);

-- What each sender delivered, by hour, for a day. A count for people; measurements do not depend on it.
CREATE TABLE monitoring.delivery_hours (
  -- GUID of the API key; all zeros for administrators, who may deliver with their session.
  sender uuid NOT NULL,
  -- UTC instant at which the hour starts.
  hour timestamp with time zone NOT NULL,
  -- Requests.
  deliveries bigint NOT NULL,
  -- Rows accepted, known ones included.
  accepted bigint NOT NULL,
  -- Accepted rows that were known.
  duplicates bigint NOT NULL,
  -- Rows rejected.
  rejected bigint NOT NULL,
  CONSTRAINT delivery_hours_pkey PRIMARY KEY (sender, hour)
);

-- What generated readings are a function of. One row where this database was filled with demo data.
CREATE TABLE monitoring.demo (
  -- Always true: there is one row.
  only_row boolean NOT NULL DEFAULT true,
  -- Of the generator.
  seed integer NOT NULL,
  -- UTC day on which the demo began, days since 1970-01-01.
  first_day integer NOT NULL,
  CONSTRAINT demo_only_row_check CHECK (only_row),
  CONSTRAINT demo_pkey PRIMARY KEY (only_row)
);

-- Stretches of time whose demo readings are still to be written, so that a demo that was stopped goes on.
CREATE TABLE monitoring.demo_gaps (
  -- UTC instant.
  starts_at timestamp with time zone NOT NULL,
  -- UTC instant, not included.
  ends_at timestamp with time zone NOT NULL,
  CONSTRAINT demo_gaps_check CHECK ((starts_at < ends_at)),
  CONSTRAINT demo_gaps_pkey PRIMARY KEY (starts_at)
);

-- Meters.
CREATE TABLE monitoring.devices (
  -- Stands in every measurement instead of the GUID: four bytes, not sixteen.
  number integer GENERATED ALWAYS AS IDENTITY NOT NULL,
  -- GUID.
  id uuid NOT NULL,
  -- Where the device is.
  site_id uuid NOT NULL,
  -- Shown in the page.
  name text NOT NULL,
  -- By which its rows are known at the ingest; unique.
  external_id text NOT NULL,
  -- Whether the device counts as in use; rows of others are stored, too.
  is_active boolean NOT NULL DEFAULT true,
  -- Where energy comes from: register, power, or auto for registers where the device sends them.
  energy_source text NOT NULL DEFAULT 'auto'::text,
  -- Largest power that is plausible, kW; null: not known.
  rated_power_kw double precision,
  -- Value at which registers go back to 0, kWh; null: not known.
  register_max_kwh double precision,
  -- Usual time between two readings, s; null: not known.
  expected_interval_seconds integer,
  -- UTC instant.
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  -- Device of the same site whose energy this one measures a part of; null: none.
  parent_device_id uuid,
  -- What its energy is for, such as lighting; null: not said.
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

-- Energy and statistics of the quarter-hours of a device on a UTC day, computed from measurements.
CREATE TABLE monitoring.energy_days (
  -- monitoring.devices.number.
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
  CONSTRAINT energy_days_pkey PRIMARY KEY (device_number, day) INCLUDE (samples)
);

-- Ranges in which measurements were stored that energy_days does not have yet.
CREATE TABLE monitoring.energy_dirty_ranges (
  -- monitoring.devices.number.
  device_number integer NOT NULL,
  -- Ascending.
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  -- UTC instant of the first of these measurements.
  from_time timestamp with time zone NOT NULL,
  -- UTC instant of the last of them, included.
  to_time timestamp with time zone NOT NULL,
  CONSTRAINT energy_dirty_ranges_pkey PRIMARY KEY (device_number, id)
);

-- Devices whose quarter-hours could not be computed; no row while it succeeds.
CREATE TABLE monitoring.energy_failures (
  -- monitoring.devices.number.
  device_number integer NOT NULL,
  -- Failed attempts in a row.
  attempts integer NOT NULL,
  -- UTC instant of the first of them.
  failed_since timestamp with time zone NOT NULL,
  -- UTC instant of the next attempt.
  retry_at timestamp with time zone NOT NULL,
  -- The error, for whoever looks into it; no answer of the API tells it.
  reason text NOT NULL,
  CONSTRAINT energy_failures_pkey PRIMARY KEY (device_number)
);

-- What was odd about readings, and the gaps over which energy was spread.
CREATE TABLE monitoring.energy_flags (
  -- monitoring.devices.number.
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
  CONSTRAINT energy_flags_pkey PRIMARY KEY (device_number, "time", kind, direction)
);

-- Days of a device between two readings far apart: what its registers counted is spread evenly over them.
CREATE TABLE monitoring.energy_gaps (
  -- monitoring.devices.number.
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
  CONSTRAINT energy_gaps_pkey PRIMARY KEY (device_number, from_day)
);

-- First and last reading of each device that energy_days has. Whoever computes a device locks its row.
CREATE TABLE monitoring.energy_state (
  -- monitoring.devices.number.
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
  CONSTRAINT energy_state_pkey PRIMARY KEY (device_number)
);

-- What weeks add up to. Never out of date, and may be deleted at any time.
CREATE TABLE monitoring.energy_sums (
  -- Hash of all that the sums depend on, the versions of the weeks among it.
  key bytea NOT NULL,
  -- float64, least significant byte first, as rates/energy-pieces.rules.ts writes them.
  sums bytea NOT NULL,
  -- UTC instant.
  kept_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT energy_sums_pkey PRIMARY KEY (key)
);

-- What is stored of a device in a week: another version each time that one of its energy_days changes.
CREATE TABLE monitoring.energy_weeks (
  -- monitoring.devices.number.
  device_number integer NOT NULL,
  -- UTC day of its Monday.
  week date NOT NULL,
  -- Random GUID, so that a version never comes back, whatever is restored.
  version uuid NOT NULL,
  CONSTRAINT energy_weeks_pkey PRIMARY KEY (device_number, week)
);

-- Energy of intervals as it was accepted, such as a load profile of a utility.
CREATE TABLE monitoring.intervals (
  -- monitoring.devices.number.
  device_number integer NOT NULL,
  -- UTC instant at which the interval begins.
  from_time timestamp with time zone NOT NULL,
  -- UTC instant at which it ends, not included.
  to_time timestamp with time zone NOT NULL,
  -- Imported energy, mWh; null: not sent.
  imported_milliwatthours bigint,
  -- Exported energy, mWh; null: not sent.
  exported_milliwatthours bigint,
  -- UTC instant at which the ingest began that stored it.
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  -- Whether the fleet has acknowledged it.
  is_pushed boolean NOT NULL DEFAULT false,
  CONSTRAINT intervals_exported_milliwatthours_check CHECK ((exported_milliwatthours >= 0)),
  CONSTRAINT intervals_imported_milliwatthours_check CHECK ((imported_milliwatthours >= 0)),
  CONSTRAINT intervals_pkey PRIMARY KEY (device_number, from_time),
  CONSTRAINT intervals_times_check CHECK ((from_time < to_time))
);

-- Places with one time zone and tariffs of their own.
CREATE TABLE monitoring.municipalities (
  -- GUID.
  id uuid NOT NULL,
  -- Unique whatever its case.
  name text NOT NULL,
  -- IANA name of the zone in which days, months and tariff periods are counted.
  time_zone text NOT NULL,
  -- UTC instant.
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT municipalities_pkey PRIMARY KEY (id)
);

-- Days of devices that differed still when they had been sent again.
CREATE TABLE monitoring.push_differences (
  -- monitoring.devices.number.
  device_number integer NOT NULL,
  -- UTC day.
  day date NOT NULL,
  -- Measurements here.
  own_count integer NOT NULL,
  -- Measurements in the fleet.
  fleet_count integer NOT NULL,
  -- MD5 of the measurements here; empty: none.
  own_checksum text NOT NULL,
  -- MD5 of the measurements in the fleet; empty: none.
  fleet_checksum text NOT NULL,
  CONSTRAINT push_differences_pkey PRIMARY KEY (device_number, day)
);

-- What ingests have stored and the fleet does not have yet: one row an ingest transaction, until the fleet has acknowledged its rows.
CREATE TABLE monitoring.push_outbox (
  -- Ascending.
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  -- UTC instant, that of its measurements.
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  -- Measurements, or somewhat more.
  row_count integer NOT NULL,
  -- monitoring.devices.number: one item for each device and UTC day.
  device_numbers integer[] NOT NULL,
  -- First instant stored of each item, epoch microseconds.
  from_micros bigint[] NOT NULL,
  -- Last instant stored of each item, epoch microseconds.
  to_micros bigint[] NOT NULL,
  -- UTC instant of the last measurement that was acknowledged, where a batch ended in the middle; null: none.
  sent_time timestamp with time zone,
  -- GUID of the device of that measurement.
  sent_device_id uuid,
  -- Sends a day of a device again after a comparison: all its rows, whatever received them.
  is_resend boolean NOT NULL DEFAULT false,
  CONSTRAINT push_outbox_pkey PRIMARY KEY (id)
);

-- The comparison with the fleet. One row once a comparison has begun.
CREATE TABLE monitoring.push_reconciliation (
  -- Always true: there is one row.
  only_row boolean NOT NULL DEFAULT true,
  -- Whether the run that the row tells of is under way.
  is_running boolean NOT NULL,
  -- Whether it compares all that is stored.
  is_full boolean NOT NULL,
  -- Whether somebody asked for it.
  is_requested boolean NOT NULL,
  -- UTC instant.
  began_at timestamp with time zone NOT NULL,
  -- First UTC day that is compared.
  from_day date NOT NULL,
  -- UTC day after the last.
  to_day date NOT NULL,
  -- UTC day: everything before it has been compared.
  window_from date NOT NULL,
  -- UTC day after the last one of the window.
  window_to date NOT NULL,
  -- Devices up to this number have been compared in the window.
  device_number integer NOT NULL,
  -- What differed of the next devices, up to this one, was sent again, and is compared once more; null: nothing.
  resent_to_number integer,
  -- Days of devices compared so far.
  compared_days integer NOT NULL,
  -- Days of devices sent again so far.
  resent_days integer NOT NULL,
  -- Failures in a row.
  failures integer NOT NULL DEFAULT 0,
  -- UTC instant before which it does not go on; null: at once.
  next_attempt_at timestamp with time zone,
  -- What kind of failure the last one was; null: none yet.
  last_error_kind text,
  -- A sentence for the person who looks into it.
  last_error text,
  -- UTC instant.
  last_error_at timestamp with time zone,
  -- UTC instant at which the last run ended that came to its end; null: none yet.
  finished_at timestamp with time zone,
  -- Days of devices that it compared.
  finished_compared_days integer,
  -- Days of devices that it sent again.
  finished_resent_days integer,
  -- UTC instant at which the last full run ended; null: none yet.
  full_finished_at timestamp with time zone,
  -- UTC instant; what was measured before has been compared.
  in_step_to timestamp with time zone,
  CONSTRAINT push_reconciliation_only_row_check CHECK (only_row),
  CONSTRAINT push_reconciliation_pkey PRIMARY KEY (only_row)
);

-- One row while ingests write to push_outbox. What was stored before is sent in the order of devices and time.
CREATE TABLE monitoring.push_recording (
  -- Always true: there is one row.
  only_row boolean NOT NULL DEFAULT true,
  -- To whom: a hash of the address, and the customer once the fleet has told it. Another fleet has nothing yet.
  target text NOT NULL,
  -- UTC instant; measurements received before are not in the outbox.
  began_at timestamp with time zone NOT NULL,
  -- UTC instant at which the outbox was last empty or made shorter; one that nobody empties is given up.
  used_at timestamp with time zone NOT NULL,
  -- Number of the device up to which earlier measurements were sent; null: all were.
  walk_device_number integer,
  -- UTC instant of the last one sent of that device.
  walk_time timestamp with time zone,
  CONSTRAINT push_recording_only_row_check CHECK (only_row),
  CONSTRAINT push_recording_pkey PRIMARY KEY (only_row)
);

-- What an administrator has removed and the fleet has not: written by the removal, deleted once the fleet has acknowledged it.
CREATE TABLE monitoring.push_removals (
  -- Ascending.
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  -- monitoring.devices.number.
  device_number integer NOT NULL,
  -- What was removed: readings, or intervals that begin in the range.
  kind text NOT NULL,
  -- UTC instant from which on it was removed.
  from_time timestamp with time zone NOT NULL,
  -- UTC instant before which it was removed.
  to_time timestamp with time zone NOT NULL,
  CONSTRAINT push_removals_kind_check CHECK ((kind = ANY (ARRAY['readings'::text, 'intervals'::text]))),
  CONSTRAINT push_removals_pkey PRIMARY KEY (id),
  CONSTRAINT push_removals_times_check CHECK ((from_time < to_time))
);

-- How the push of each resource goes. Its rows are made by whoever pushes first.
CREATE TABLE monitoring.push_state (
  -- sites, devices, municipalities, tariffs, removals, measurements or intervals.
  resource text NOT NULL,
  -- Of the last batch that was acknowledged; null: none.
  cursor text,
  -- Rows in a batch; null: as configured.
  batch_size integer,
  -- Failures in a row.
  failures integer NOT NULL DEFAULT 0,
  -- UTC instant before which nothing is sent; null: at once.
  next_attempt_at timestamp with time zone,
  -- UTC instant; null: none yet.
  last_success_at timestamp with time zone,
  -- What kind of failure the last one was; null: none yet.
  last_error_kind text,
  -- A sentence for the person who looks into it.
  last_error text,
  -- UTC instant.
  last_error_at timestamp with time zone,
  -- Rows that the fleet has rejected so far.
  rejected_rows bigint NOT NULL DEFAULT 0,
  -- Whether a set was sent after that of the cursor, so that nobody knows which of the two the fleet has.
  is_unanswered boolean NOT NULL DEFAULT false,
  CONSTRAINT push_state_pkey PRIMARY KEY (resource),
  CONSTRAINT push_state_resource_check CHECK ((resource = ANY (ARRAY['sites'::text, 'devices'::text, 'municipalities'::text, 'tariffs'::text, 'removals'::text, 'measurements'::text, 'intervals'::text])))
);

-- What somebody remarks about a month or a year, printed in its energy report.
CREATE TABLE monitoring.report_remarks (
  -- Local month, YYYY-MM, or year, YYYY.
  period text NOT NULL,
  -- SHA-256 of the ids of the sites and devices that the report is about; empty: all of them.
  scope text NOT NULL,
  -- The text.
  remark text NOT NULL,
  -- GUIDs of these sites and devices, with the last of which the remark goes; none: all of them.
  subject_ids uuid[] NOT NULL DEFAULT '{}'::uuid[],
  CONSTRAINT report_remarks_pkey PRIMARY KEY (period, scope)
);

-- How far back measurements are kept (Database__RetentionMonths). No row while everything is kept.
CREATE TABLE monitoring.retention (
  -- Always true: there is one row.
  only_row boolean NOT NULL DEFAULT true,
  -- UTC instant; older measurements were deleted but for the few that later energy is computed from.
  kept_from timestamp with time zone NOT NULL,
  CONSTRAINT retention_only_row_check CHECK (only_row),
  CONSTRAINT retention_pkey PRIMARY KEY (only_row)
);

-- Places with meters, such as a building.
CREATE TABLE monitoring.sites (
  -- GUID.
  id uuid NOT NULL,
  -- Unique whatever its case.
  name text NOT NULL,
  -- The municipality whose time zone and tariffs hold.
  municipality_id uuid NOT NULL,
  -- UTC instant.
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  -- Never given again; its color in charts follows from it.
  number integer GENERATED ALWAYS AS IDENTITY NOT NULL,
  CONSTRAINT sites_municipality_fkey FOREIGN KEY (municipality_id) REFERENCES monitoring.municipalities(id),
  CONSTRAINT sites_pkey PRIMARY KEY (id)
);

-- Times of the week with a price of their own. The command that writes them sees to it that they do not overlap.
CREATE TABLE monitoring.tariff_periods (
  -- GUID.
  id uuid NOT NULL,
  -- The tariff that it belongs to.
  tariff_id uuid NOT NULL,
  -- Place in the order in which the periods were written.
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
  CONSTRAINT tariff_periods_pkey PRIMARY KEY (id),
  CONSTRAINT tariff_periods_position_key UNIQUE (tariff_id, "position"),
  CONSTRAINT tariff_periods_rate_per_kwh_check CHECK ((rate_per_kwh >= (0)::numeric)),
  CONSTRAINT tariff_periods_start_minute_check CHECK (((start_minute >= 0) AND (start_minute < 1440))),
  CONSTRAINT tariff_periods_tariff_fkey FOREIGN KEY (tariff_id) REFERENCES monitoring.tariffs(id) ON DELETE CASCADE,
  CONSTRAINT tariff_periods_times_check CHECK ((start_minute <> end_minute))
);

-- Prices of a municipality from a date on.
CREATE TABLE monitoring.tariffs (
  -- GUID.
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
  -- UTC instant.
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

CREATE INDEX intervals_unpushed ON monitoring.intervals USING btree (device_number, from_time) WHERE (NOT is_pushed);

CREATE INDEX push_outbox_received_at ON monitoring.push_outbox USING btree (received_at, id) INCLUDE (row_count);

CREATE INDEX sites_municipality_id ON monitoring.sites USING btree (municipality_id);

CREATE INDEX tariffs_municipality_id ON monitoring.tariffs USING btree (municipality_id);

CREATE UNIQUE INDEX api_keys_name_key ON monitoring.api_keys USING btree (lower(name));

CREATE UNIQUE INDEX municipalities_name_key ON monitoring.municipalities USING btree (lower(name));

CREATE UNIQUE INDEX sites_name_key ON monitoring.sites USING btree (lower(name));

CREATE UNIQUE INDEX tariffs_active_from_key ON monitoring.tariffs USING btree (municipality_id, effective_from) WHERE is_active;
