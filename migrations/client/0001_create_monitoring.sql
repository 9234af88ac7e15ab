-- What a customer's stack keeps: sites, devices, tariffs, measurements, the energy computed from them, and what a push to the
-- fleet needs. Days are UTC unless said otherwise.
CREATE SCHEMA monitoring;
COMMENT ON SCHEMA monitoring IS 'What the stack of one customer keeps: sites, devices, measurements, energy, tariffs, push.';

CREATE TABLE monitoring.municipalities (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  time_zone text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE monitoring.municipalities IS 'Places with one time zone and tariffs of their own.';
COMMENT ON COLUMN monitoring.municipalities.id IS 'GUID.';
COMMENT ON COLUMN monitoring.municipalities.name IS 'Unique whatever its case.';
COMMENT ON COLUMN monitoring.municipalities.time_zone IS
  'IANA name of the zone in which days, months and tariff periods are counted.';
COMMENT ON COLUMN monitoring.municipalities.created_at IS 'UTC instant.';
CREATE UNIQUE INDEX municipalities_name_key ON monitoring.municipalities (lower(name));

CREATE TABLE monitoring.sites (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  municipality_id uuid NOT NULL CONSTRAINT sites_municipality_fkey REFERENCES monitoring.municipalities (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  number integer NOT NULL GENERATED ALWAYS AS IDENTITY
);
COMMENT ON TABLE monitoring.sites IS 'Places with meters, such as a building.';
COMMENT ON COLUMN monitoring.sites.id IS 'GUID.';
COMMENT ON COLUMN monitoring.sites.name IS 'Unique whatever its case.';
COMMENT ON COLUMN monitoring.sites.municipality_id IS 'The municipality whose time zone and tariffs hold.';
COMMENT ON COLUMN monitoring.sites.created_at IS 'UTC instant.';
COMMENT ON COLUMN monitoring.sites.number IS 'Never given again; its color in charts follows from it.';
CREATE UNIQUE INDEX sites_name_key ON monitoring.sites (lower(name));
CREATE INDEX sites_municipality_id ON monitoring.sites (municipality_id);

CREATE TABLE monitoring.devices (
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
  parent_device_id uuid CONSTRAINT devices_parent_check CHECK (parent_device_id <> id),
  end_use text,
  -- A parent is a device of the same site.
  CONSTRAINT devices_id_site_key UNIQUE (id, site_id),
  CONSTRAINT devices_parent_fkey FOREIGN KEY (parent_device_id, site_id) REFERENCES monitoring.devices (id, site_id)
);
COMMENT ON TABLE monitoring.devices IS 'Meters.';
COMMENT ON COLUMN monitoring.devices.number IS 'Stands in every measurement instead of the GUID: four bytes, not sixteen.';
COMMENT ON COLUMN monitoring.devices.id IS 'GUID.';
COMMENT ON COLUMN monitoring.devices.site_id IS 'Where the device is.';
COMMENT ON COLUMN monitoring.devices.name IS 'Shown in the page.';
COMMENT ON COLUMN monitoring.devices.external_id IS 'By which its rows are known at the ingest; unique.';
COMMENT ON COLUMN monitoring.devices.is_active IS 'Whether the device counts as in use; rows of others are stored, too.';
COMMENT ON COLUMN monitoring.devices.energy_source IS
  'Where energy comes from: register, power, or auto for registers where the device sends them.';
COMMENT ON COLUMN monitoring.devices.rated_power_kw IS 'Largest power that is plausible, kW; null: not known.';
COMMENT ON COLUMN monitoring.devices.register_max_kwh IS 'Value at which registers go back to 0, kWh; null: not known.';
COMMENT ON COLUMN monitoring.devices.expected_interval_seconds IS 'Usual time between two readings, s; null: not known.';
COMMENT ON COLUMN monitoring.devices.created_at IS 'UTC instant.';
COMMENT ON COLUMN monitoring.devices.parent_device_id IS
  'Device of the same site whose energy this one measures a part of; null: none.';
COMMENT ON COLUMN monitoring.devices.end_use IS 'What its energy is for, such as lighting; null: not said.';
CREATE INDEX devices_site_id ON monitoring.devices (site_id);
CREATE INDEX devices_parent_device_id ON monitoring.devices (parent_device_id) WHERE parent_device_id IS NOT NULL;

CREATE TABLE monitoring.api_keys (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('ingest')),
  key_hash bytea NOT NULL CONSTRAINT api_keys_key_hash_key UNIQUE,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE monitoring.api_keys IS 'Keys of gateways and other programs.';
COMMENT ON COLUMN monitoring.api_keys.id IS 'GUID.';
COMMENT ON COLUMN monitoring.api_keys.name IS 'Unique whatever its case.';
COMMENT ON COLUMN monitoring.api_keys.scope IS 'What the key may do; ingest is the only scope.';
COMMENT ON COLUMN monitoring.api_keys.key_hash IS 'SHA-256 of the key; the key itself is stored nowhere.';
COMMENT ON COLUMN monitoring.api_keys.last_used_at IS 'UTC instant; null before the first use.';
COMMENT ON COLUMN monitoring.api_keys.created_at IS 'UTC instant.';
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
  effective_to date,
  default_rate_per_kwh numeric(20, 10) NOT NULL CHECK (default_rate_per_kwh >= 0),
  fixed_charge_per_month numeric(20, 10) NOT NULL CHECK (fixed_charge_per_month >= 0),
  vat_percent numeric(13, 10) NOT NULL CHECK (vat_percent >= 0 AND vat_percent <= 100),
  export_rate_per_kwh numeric(20, 10) CHECK (export_rate_per_kwh >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tariffs_window_check CHECK (effective_from < effective_to)
);
COMMENT ON TABLE monitoring.tariffs IS 'Prices of a municipality from a date on.';
COMMENT ON COLUMN monitoring.tariffs.id IS 'GUID.';
COMMENT ON COLUMN monitoring.tariffs.municipality_id IS 'Where it holds.';
COMMENT ON COLUMN monitoring.tariffs.name IS 'Need not be unique.';
COMMENT ON COLUMN monitoring.tariffs.currency IS 'ISO 4217 code of all its amounts.';
COMMENT ON COLUMN monitoring.tariffs.is_active IS 'False: prices nothing.';
COMMENT ON COLUMN monitoring.tariffs.effective_from IS 'First local day on which it holds.';
COMMENT ON COLUMN monitoring.tariffs.effective_to IS 'First local day on which it no longer holds; null: without end.';
COMMENT ON COLUMN monitoring.tariffs.default_rate_per_kwh IS
  'Price of imported energy outside all periods, currency per kWh, without VAT.';
COMMENT ON COLUMN monitoring.tariffs.fixed_charge_per_month IS 'Charge of a site for a month, currency, without VAT.';
COMMENT ON COLUMN monitoring.tariffs.vat_percent IS 'Value-added tax, percent.';
COMMENT ON COLUMN monitoring.tariffs.export_rate_per_kwh IS 'Credit for exported energy, currency per kWh; null: none.';
COMMENT ON COLUMN monitoring.tariffs.created_at IS 'UTC instant.';
-- Which tariff holds on a date is decided by its start, so no two active ones may share it.
CREATE UNIQUE INDEX tariffs_active_from_key ON monitoring.tariffs (municipality_id, effective_from) WHERE is_active;
CREATE INDEX tariffs_municipality_id ON monitoring.tariffs (municipality_id);

CREATE TABLE monitoring.tariff_periods (
  id uuid PRIMARY KEY,
  tariff_id uuid NOT NULL CONSTRAINT tariff_periods_tariff_fkey
    REFERENCES monitoring.tariffs (id) ON DELETE CASCADE,
  position smallint NOT NULL,
  name text NOT NULL,
  days_of_week smallint NOT NULL CHECK (days_of_week >= 1 AND days_of_week <= 127),
  start_minute smallint NOT NULL CHECK (start_minute >= 0 AND start_minute < 1440),
  end_minute smallint NOT NULL CHECK (end_minute >= 0 AND end_minute <= 1440),
  rate_per_kwh numeric(20, 10) NOT NULL CHECK (rate_per_kwh >= 0),
  CONSTRAINT tariff_periods_position_key UNIQUE (tariff_id, position),
  CONSTRAINT tariff_periods_times_check CHECK (start_minute <> end_minute)
);
COMMENT ON TABLE monitoring.tariff_periods IS
  'Times of the week with a price of their own. The command that writes them sees to it that they do not overlap.';
COMMENT ON COLUMN monitoring.tariff_periods.id IS 'GUID.';
COMMENT ON COLUMN monitoring.tariff_periods.tariff_id IS 'The tariff that it belongs to.';
COMMENT ON COLUMN monitoring.tariff_periods.position IS 'Place in the order in which the periods were written.';
COMMENT ON COLUMN monitoring.tariff_periods.name IS 'Shown in statements.';
COMMENT ON COLUMN monitoring.tariff_periods.days_of_week IS 'Days on which it starts: bitmask, Monday 1 to Sunday 64.';
COMMENT ON COLUMN monitoring.tariff_periods.start_minute IS 'Start, minutes since local midnight.';
COMMENT ON COLUMN monitoring.tariff_periods.end_minute IS
  'End, minutes since local midnight, not included; before the start it lies on the next day.';
COMMENT ON COLUMN monitoring.tariff_periods.rate_per_kwh IS 'Price of imported energy, currency per kWh, without VAT.';

-- base/fixed-units.ts converts the quantities.
-- No foreign key to devices: it would cost a lookup a row. An ingest holds the shared lock that deleting a device takes
-- exclusively (sites/devices.sql.ts), which comes to the same.
-- The engine makes it a hypertable where there is TimescaleDB, else its partitions (database/engines/choose-engine.ts).
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
COMMENT ON TABLE monitoring.measurements IS
  'Readings as they were accepted. Quantities are integers in fixed units, so that sums are exact and columns compress.';
COMMENT ON COLUMN monitoring.measurements.time IS 'UTC instant of the reading.';
COMMENT ON COLUMN monitoring.measurements.received_at IS 'UTC instant at which the ingest began that stored it.';
COMMENT ON COLUMN monitoring.measurements.active_power_milliwatts IS 'Active power, mW; negative while energy is exported.';
COMMENT ON COLUMN monitoring.measurements.reactive_power_millivars IS 'Reactive power, mvar; null: not sent.';
COMMENT ON COLUMN monitoring.measurements.apparent_power_millivoltamperes IS 'Apparent power, mVA; null: not sent.';
COMMENT ON COLUMN monitoring.measurements.energy_imported_milliwatthours IS 'Register of imported energy, mWh; null: not sent.';
COMMENT ON COLUMN monitoring.measurements.energy_exported_milliwatthours IS 'Register of exported energy, mWh; null: not sent.';
COMMENT ON COLUMN monitoring.measurements.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.measurements.power_factor_millionths IS 'Power factor, 1e-6; null: not sent.';
COMMENT ON COLUMN monitoring.measurements.voltage_millivolts IS 'Voltage, mV; null: not sent.';
COMMENT ON COLUMN monitoring.measurements.frequency_tenth_millihertz IS 'Frequency, 0.1 mHz; null: not sent.';
-- Makes re-delivery a no-op, and serves every question about some devices and a range.
CREATE UNIQUE INDEX measurements_device_time_key ON monitoring.measurements (device_number, time);
-- Rows arrive in the order of received_at, so a BRIN index finds the newest in no space.
CREATE INDEX measurements_received_at ON monitoring.measurements USING brin (received_at);

-- Energy of intervals, as it came (docs/adr/0081). Those of a device never overlap: an ingest locks its row of energy_state.
CREATE TABLE monitoring.intervals (
  device_number integer NOT NULL,
  from_time timestamptz NOT NULL,
  to_time timestamptz NOT NULL,
  imported_milliwatthours bigint CHECK (imported_milliwatthours >= 0),
  exported_milliwatthours bigint CHECK (exported_milliwatthours >= 0),
  received_at timestamptz NOT NULL DEFAULT now(),
  is_pushed boolean NOT NULL DEFAULT false,
  CONSTRAINT intervals_pkey PRIMARY KEY (device_number, from_time),
  CONSTRAINT intervals_times_check CHECK (from_time < to_time)
);
COMMENT ON TABLE monitoring.intervals IS 'Energy of intervals as it was accepted, such as a load profile of a utility.';
COMMENT ON COLUMN monitoring.intervals.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.intervals.from_time IS 'UTC instant at which the interval begins.';
COMMENT ON COLUMN monitoring.intervals.to_time IS 'UTC instant at which it ends, not included.';
COMMENT ON COLUMN monitoring.intervals.imported_milliwatthours IS 'Imported energy, mWh; null: not sent.';
COMMENT ON COLUMN monitoring.intervals.exported_milliwatthours IS 'Exported energy, mWh; null: not sent.';
COMMENT ON COLUMN monitoring.intervals.received_at IS 'UTC instant at which the ingest began that stored it.';
COMMENT ON COLUMN monitoring.intervals.is_pushed IS 'Whether the fleet has acknowledged it.';
-- Nearly empty where there is a fleet; what the next push takes.
CREATE INDEX intervals_unpushed ON monitoring.intervals (device_number, from_time) WHERE NOT is_pushed;

-- The energy of what was deleted stays, and is never computed anew.
CREATE TABLE monitoring.retention (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  kept_from timestamptz NOT NULL
);
COMMENT ON TABLE monitoring.retention IS
  'How far back measurements are kept (Database__RetentionMonths). No row while everything is kept.';
COMMENT ON COLUMN monitoring.retention.only_row IS 'Always true: there is one row.';
COMMENT ON COLUMN monitoring.retention.kept_from IS
  'UTC instant; older measurements were deleted but for the few that later energy is computed from.';

-- docs/adr/0061.
CREATE TABLE monitoring.delivery_hours (
  sender uuid NOT NULL,
  hour timestamptz NOT NULL,
  deliveries bigint NOT NULL,
  accepted bigint NOT NULL,
  duplicates bigint NOT NULL,
  rejected bigint NOT NULL,
  CONSTRAINT delivery_hours_pkey PRIMARY KEY (sender, hour)
);
COMMENT ON TABLE monitoring.delivery_hours IS
  'What each sender delivered, by hour, for a day. A count for people; measurements do not depend on it.';
COMMENT ON COLUMN monitoring.delivery_hours.sender IS
  'GUID of the API key; all zeros for administrators, who may deliver with their session.';
COMMENT ON COLUMN monitoring.delivery_hours.hour IS 'UTC instant at which the hour starts.';
COMMENT ON COLUMN monitoring.delivery_hours.deliveries IS 'Requests.';
COMMENT ON COLUMN monitoring.delivery_hours.accepted IS 'Rows accepted, known ones included.';
COMMENT ON COLUMN monitoring.delivery_hours.duplicates IS 'Accepted rows that were known.';
COMMENT ON COLUMN monitoring.delivery_hours.rejected IS 'Rows rejected.';

CREATE TABLE monitoring.arrivals (
  sender uuid NOT NULL,
  external_id text NOT NULL,
  field text NOT NULL,
  received_at timestamptz NOT NULL,
  reason text,
  is_known boolean,
  measured_at timestamptz,
  active_power_kw double precision,
  CONSTRAINT arrivals_pkey PRIMARY KEY (sender, external_id, field)
);
COMMENT ON TABLE monitoring.arrivals IS
  'Latest row of each external id, and the latest rejection of it by each field, for a day and in bounded number.';
COMMENT ON COLUMN monitoring.arrivals.sender IS 'As in delivery_hours.';
COMMENT ON COLUMN monitoring.arrivals.external_id IS 'As it was sent; empty if a rejected row had none.';
COMMENT ON COLUMN monitoring.arrivals.field IS 'Field for which the row was rejected; empty if it was accepted.';
COMMENT ON COLUMN monitoring.arrivals.received_at IS 'UTC instant.';
COMMENT ON COLUMN monitoring.arrivals.reason IS 'Why it was rejected; null if it was accepted.';
COMMENT ON COLUMN monitoring.arrivals.is_known IS 'Whether the accepted row was known; null if it was rejected.';
COMMENT ON COLUMN monitoring.arrivals.measured_at IS 'UTC instant of the accepted reading; null if it was rejected.';
COMMENT ON COLUMN monitoring.arrivals.active_power_kw IS 'Active power of the accepted reading, kW; null if it was rejected.';

CREATE TABLE monitoring.arrivals_watched (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  until_time timestamptz NOT NULL
);
COMMENT ON TABLE monitoring.arrivals_watched IS
  'Until when accepted rows are noted in arrivals. One row once somebody has looked at what arrives.';
COMMENT ON COLUMN monitoring.arrivals_watched.only_row IS 'Always true: there is one row.';
COMMENT ON COLUMN monitoring.arrivals_watched.until_time IS 'UTC instant.';

-- The slot store (docs/energy.md): a day in one row, so that years are read at once. Days in a gap have none.
-- Statistics lie out of line, because costs and peaks are asked for more often.
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
  -- With the count of readings, so that those of years are added up from the index alone.
  CONSTRAINT energy_days_pkey PRIMARY KEY (device_number, day) INCLUDE (samples)
) WITH (toast_tuple_target = 256);
COMMENT ON TABLE monitoring.energy_days IS
  'Energy and statistics of the quarter-hours of a device on a UTC day, computed from measurements.';
COMMENT ON COLUMN monitoring.energy_days.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.energy_days.day IS 'UTC day.';
COMMENT ON COLUMN monitoring.energy_days.samples IS 'Number of readings.';
COMMENT ON COLUMN monitoring.energy_days.power_sum IS 'Sum of their active power, mW.';
COMMENT ON COLUMN monitoring.energy_days.factor_active_sum IS
  'Sum of active power over the readings from which a power factor follows, mW.';
COMMENT ON COLUMN monitoring.energy_days.factor_reactive_sum IS 'Sum of reactive power over the same readings, mvar.';
COMMENT ON COLUMN monitoring.energy_days.imported IS
  'Imported energy, 96 values in kWh, in the code of energy/energy-codec.sql.ts; null: all 0.';
COMMENT ON COLUMN monitoring.energy_days.exported IS 'Exported energy, the same.';
COMMENT ON COLUMN monitoring.energy_days.interpolated_imported IS 'The interpolated part of imported, the same; empty: all of it.';
COMMENT ON COLUMN monitoring.energy_days.interpolated_exported IS 'The interpolated part of exported, the same; empty: all of it.';
COMMENT ON COLUMN monitoring.energy_days.power IS
  'Number of readings and sum of active power (mW) by quarter-hour, in the code of energy/energy-codec.sql.ts; null: no reading.';
COMMENT ON COLUMN monitoring.energy_days.quantities IS 'The other columns of energy/statistics.rules.ts by quarter-hour, the same.';
ALTER TABLE monitoring.energy_days
  ALTER COLUMN imported SET STORAGE PLAIN,
  ALTER COLUMN exported SET STORAGE PLAIN,
  ALTER COLUMN interpolated_imported SET STORAGE PLAIN,
  ALTER COLUMN interpolated_exported SET STORAGE PLAIN,
  ALTER COLUMN power SET STORAGE EXTERNAL;

-- One row says it of all days of the gap, however many there are (docs/adr/0015).
CREATE TABLE monitoring.energy_gaps (
  device_number integer NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL CHECK (to_day > from_day),
  imported_kwh double precision NOT NULL,
  exported_kwh double precision NOT NULL,
  CONSTRAINT energy_gaps_pkey PRIMARY KEY (device_number, from_day)
);
COMMENT ON TABLE monitoring.energy_gaps IS
  'Days of a device between two readings far apart: what its registers counted is spread evenly over them.';
COMMENT ON COLUMN monitoring.energy_gaps.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.energy_gaps.from_day IS 'First UTC day.';
COMMENT ON COLUMN monitoring.energy_gaps.to_day IS 'UTC day after the last.';
COMMENT ON COLUMN monitoring.energy_gaps.imported_kwh IS 'Imported energy of each quarter-hour, kWh, all of it interpolated.';
COMMENT ON COLUMN monitoring.energy_gaps.exported_kwh IS 'Exported energy of each quarter-hour, kWh, all of it interpolated.';

-- Only added to and taken away, so that ingests do not wait for each other; written in the ingest's own transaction, so that whoever
-- sees a reading sees its range.
CREATE TABLE monitoring.energy_dirty_ranges (
  device_number integer NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  from_time timestamptz NOT NULL,
  to_time timestamptz NOT NULL,
  CONSTRAINT energy_dirty_ranges_pkey PRIMARY KEY (device_number, id)
);
COMMENT ON TABLE monitoring.energy_dirty_ranges IS 'Ranges in which measurements were stored that energy_days does not have yet.';
COMMENT ON COLUMN monitoring.energy_dirty_ranges.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.energy_dirty_ranges.id IS 'Ascending.';
COMMENT ON COLUMN monitoring.energy_dirty_ranges.from_time IS 'UTC instant of the first of these measurements.';
COMMENT ON COLUMN monitoring.energy_dirty_ranges.to_time IS 'UTC instant of the last of them, included.';

CREATE TABLE monitoring.energy_state (
  device_number integer PRIMARY KEY,
  first_time timestamptz,
  last_time timestamptz,
  imported_first timestamptz,
  imported_last timestamptz,
  exported_first timestamptz,
  exported_last timestamptz,
  intervals_first timestamptz,
  intervals_last timestamptz
);
COMMENT ON TABLE monitoring.energy_state IS
  'First and last reading of each device that energy_days has. Whoever computes a device locks its row.';
COMMENT ON COLUMN monitoring.energy_state.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.energy_state.first_time IS 'UTC instant of the first reading; null: none.';
COMMENT ON COLUMN monitoring.energy_state.last_time IS 'UTC instant of the last reading.';
COMMENT ON COLUMN monitoring.energy_state.imported_first IS
  'UTC instant of the first reading with a register of imported energy; null: none.';
COMMENT ON COLUMN monitoring.energy_state.imported_last IS 'UTC instant of the last one.';
COMMENT ON COLUMN monitoring.energy_state.exported_first IS
  'UTC instant of the first reading with a register of exported energy; null: none.';
COMMENT ON COLUMN monitoring.energy_state.exported_last IS 'UTC instant of the last one.';
COMMENT ON COLUMN monitoring.energy_state.intervals_first IS
  'UTC instant at which the first interval begins, computed or not; null: none.';
COMMENT ON COLUMN monitoring.energy_state.intervals_last IS 'UTC instant at which the last one ends.';

CREATE TABLE monitoring.energy_flags (
  device_number integer NOT NULL,
  time timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('gap', 'interpolated', 'glitch', 'stepBack', 'rollover', 'reset', 'implausible')),
  direction text NOT NULL CHECK (direction IN ('imported', 'exported', 'both')),
  until timestamptz,
  energy_kwh double precision,
  CONSTRAINT energy_flags_pkey PRIMARY KEY (device_number, time, kind, direction)
);
COMMENT ON TABLE monitoring.energy_flags IS 'What was odd about readings, and the gaps over which energy was spread.';
COMMENT ON COLUMN monitoring.energy_flags.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.energy_flags.time IS 'UTC instant of the reading, or of the one before the gap.';
COMMENT ON COLUMN monitoring.energy_flags.kind IS 'What it is (energy-and-cost.md 2 to 4).';
COMMENT ON COLUMN monitoring.energy_flags.direction IS 'The register that it is about.';
COMMENT ON COLUMN monitoring.energy_flags.until IS 'UTC instant of the reading that ends the gap; null: no gap.';
COMMENT ON COLUMN monitoring.energy_flags.energy_kwh IS 'Energy spread over the gap, kWh; null: none.';

CREATE TABLE monitoring.energy_failures (
  device_number integer PRIMARY KEY,
  attempts integer NOT NULL,
  failed_since timestamptz NOT NULL,
  retry_at timestamptz NOT NULL,
  reason text NOT NULL
);
COMMENT ON TABLE monitoring.energy_failures IS 'Devices whose quarter-hours could not be computed; no row while it succeeds.';
COMMENT ON COLUMN monitoring.energy_failures.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.energy_failures.attempts IS 'Failed attempts in a row.';
COMMENT ON COLUMN monitoring.energy_failures.failed_since IS 'UTC instant of the first of them.';
COMMENT ON COLUMN monitoring.energy_failures.retry_at IS 'UTC instant of the next attempt.';
COMMENT ON COLUMN monitoring.energy_failures.reason IS 'The error, for whoever looks into it; no answer of the API tells it.';

-- docs/adr/0037. Weeks are from Monday to Sunday, UTC.
CREATE TABLE monitoring.energy_weeks (
  device_number integer NOT NULL,
  week date NOT NULL,
  version uuid NOT NULL,
  CONSTRAINT energy_weeks_pkey PRIMARY KEY (device_number, week)
);
COMMENT ON TABLE monitoring.energy_weeks IS
  'What is stored of a device in a week: another version each time that one of its energy_days changes.';
COMMENT ON COLUMN monitoring.energy_weeks.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.energy_weeks.week IS 'UTC day of its Monday.';
COMMENT ON COLUMN monitoring.energy_weeks.version IS 'Random GUID, so that a version never comes back, whatever is restored.';

CREATE TABLE monitoring.energy_sums (
  key bytea NOT NULL,
  sums bytea NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT energy_sums_pkey PRIMARY KEY (key)
);
COMMENT ON TABLE monitoring.energy_sums IS 'What weeks add up to. Never out of date, and may be deleted at any time.';
COMMENT ON COLUMN monitoring.energy_sums.key IS 'Hash of all that the sums depend on, the versions of the weeks among it.';
COMMENT ON COLUMN monitoring.energy_sums.sums IS 'float64, least significant byte first, as rates/energy-pieces.rules.ts writes them.';
COMMENT ON COLUMN monitoring.energy_sums.kept_at IS 'UTC instant.';
ALTER TABLE monitoring.energy_sums ALTER COLUMN sums SET STORAGE EXTERNAL;

CREATE TABLE monitoring.report_remarks (
  period text NOT NULL,
  scope text NOT NULL,
  remark text NOT NULL,
  subject_ids uuid[] NOT NULL DEFAULT '{}',
  CONSTRAINT report_remarks_pkey PRIMARY KEY (period, scope)
);
COMMENT ON TABLE monitoring.report_remarks IS 'What somebody remarks about a month or a year, printed in its energy report.';
COMMENT ON COLUMN monitoring.report_remarks.period IS 'Local month, YYYY-MM, or year, YYYY.';
COMMENT ON COLUMN monitoring.report_remarks.scope IS
  'SHA-256 of the ids of the sites and devices that the report is about; empty: all of them.';
COMMENT ON COLUMN monitoring.report_remarks.remark IS 'The text.';
COMMENT ON COLUMN monitoring.report_remarks.subject_ids IS
  'GUIDs of these sites and devices, with the last of which the remark goes; none: all of them.';

-- Written in the ingest transaction (docs/adr/0042), so nothing can be passed over, however late it commits.
CREATE TABLE monitoring.push_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  received_at timestamptz NOT NULL DEFAULT now(),
  row_count integer NOT NULL,
  device_numbers integer[] NOT NULL,
  from_micros bigint[] NOT NULL,
  to_micros bigint[] NOT NULL,
  sent_time timestamptz,
  sent_device_id uuid,
  is_resend boolean NOT NULL DEFAULT false
-- A queue: vacuum comes with the number of its dead rows, however large it is.
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
COMMENT ON TABLE monitoring.push_outbox IS
  'What ingests have stored and the fleet does not have yet: one row an ingest transaction, until the fleet has acknowledged its rows.';
COMMENT ON COLUMN monitoring.push_outbox.id IS 'Ascending.';
COMMENT ON COLUMN monitoring.push_outbox.received_at IS 'UTC instant, that of its measurements.';
COMMENT ON COLUMN monitoring.push_outbox.row_count IS 'Measurements, or somewhat more.';
COMMENT ON COLUMN monitoring.push_outbox.device_numbers IS 'monitoring.devices.number: one item for each device and UTC day.';
COMMENT ON COLUMN monitoring.push_outbox.from_micros IS 'First instant stored of each item, epoch microseconds.';
COMMENT ON COLUMN monitoring.push_outbox.to_micros IS 'Last instant stored of each item, epoch microseconds.';
COMMENT ON COLUMN monitoring.push_outbox.sent_time IS
  'UTC instant of the last measurement that was acknowledged, where a batch ended in the middle; null: none.';
COMMENT ON COLUMN monitoring.push_outbox.sent_device_id IS 'GUID of the device of that measurement.';
COMMENT ON COLUMN monitoring.push_outbox.is_resend IS
  'Sends a day of a device again after a comparison: all its rows, whatever received them.';
CREATE INDEX push_outbox_received_at ON monitoring.push_outbox (received_at, id) INCLUDE (row_count);

-- Set and taken away under the exclusive ingest lock, so that every later ingest sees it.
CREATE TABLE monitoring.push_recording (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  target text NOT NULL,
  began_at timestamptz NOT NULL,
  used_at timestamptz NOT NULL,
  walk_device_number integer,
  walk_time timestamptz
);
COMMENT ON TABLE monitoring.push_recording IS
  'One row while ingests write to push_outbox. What was stored before is sent in the order of devices and time.';
COMMENT ON COLUMN monitoring.push_recording.only_row IS 'Always true: there is one row.';
COMMENT ON COLUMN monitoring.push_recording.target IS
  'To whom: a hash of the address, and the customer once the fleet has told it. Another fleet has nothing yet.';
COMMENT ON COLUMN monitoring.push_recording.began_at IS 'UTC instant; measurements received before are not in the outbox.';
COMMENT ON COLUMN monitoring.push_recording.used_at IS
  'UTC instant at which the outbox was last empty or made shorter; one that nobody empties is given up.';
COMMENT ON COLUMN monitoring.push_recording.walk_device_number IS
  'Number of the device up to which earlier measurements were sent; null: all were.';
COMMENT ON COLUMN monitoring.push_recording.walk_time IS 'UTC instant of the last one sent of that device.';

-- Without rows, because a backup is restored into tables that have none.
CREATE TABLE monitoring.push_state (
  resource text PRIMARY KEY CHECK (
    resource IN ('sites', 'devices', 'municipalities', 'tariffs', 'removals', 'measurements', 'intervals')
  ),
  cursor text,
  batch_size integer,
  failures integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  last_success_at timestamptz,
  last_error_kind text,
  last_error text,
  last_error_at timestamptz,
  rejected_rows bigint NOT NULL DEFAULT 0,
  is_unanswered boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE monitoring.push_state IS 'How the push of each resource goes. Its rows are made by whoever pushes first.';
COMMENT ON COLUMN monitoring.push_state.resource IS 'sites, devices, municipalities, tariffs, removals, measurements or intervals.';
COMMENT ON COLUMN monitoring.push_state.cursor IS 'Of the last batch that was acknowledged; null: none.';
COMMENT ON COLUMN monitoring.push_state.batch_size IS 'Rows in a batch; null: as configured.';
COMMENT ON COLUMN monitoring.push_state.failures IS 'Failures in a row.';
COMMENT ON COLUMN monitoring.push_state.next_attempt_at IS 'UTC instant before which nothing is sent; null: at once.';
COMMENT ON COLUMN monitoring.push_state.last_success_at IS 'UTC instant; null: none yet.';
COMMENT ON COLUMN monitoring.push_state.last_error_kind IS 'What kind of failure the last one was; null: none yet.';
COMMENT ON COLUMN monitoring.push_state.last_error IS 'A sentence for the person who looks into it.';
COMMENT ON COLUMN monitoring.push_state.last_error_at IS 'UTC instant.';
COMMENT ON COLUMN monitoring.push_state.rejected_rows IS 'Rows that the fleet has rejected so far.';
COMMENT ON COLUMN monitoring.push_state.is_unanswered IS
  'Whether a set was sent after that of the cursor, so that nobody knows which of the two the fleet has.';

-- docs/adr/0084.
CREATE TABLE monitoring.push_removals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  device_number integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('readings', 'intervals')),
  from_time timestamptz NOT NULL,
  to_time timestamptz NOT NULL,
  CONSTRAINT push_removals_times_check CHECK (from_time < to_time)
);
COMMENT ON TABLE monitoring.push_removals IS
  'What an administrator has removed and the fleet has not: written by the removal, deleted once the fleet has acknowledged it.';
COMMENT ON COLUMN monitoring.push_removals.id IS 'Ascending.';
COMMENT ON COLUMN monitoring.push_removals.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.push_removals.kind IS 'What was removed: readings, or intervals that begin in the range.';
COMMENT ON COLUMN monitoring.push_removals.from_time IS 'UTC instant from which on it was removed.';
COMMENT ON COLUMN monitoring.push_removals.to_time IS 'UTC instant before which it was removed.';

-- docs/adr/0045.
CREATE TABLE monitoring.push_reconciliation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  is_running boolean NOT NULL,
  is_full boolean NOT NULL,
  is_requested boolean NOT NULL,
  began_at timestamptz NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  window_from date NOT NULL,
  window_to date NOT NULL,
  device_number integer NOT NULL,
  resent_to_number integer,
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
  in_step_to timestamptz
);
COMMENT ON TABLE monitoring.push_reconciliation IS 'The comparison with the fleet. One row once a comparison has begun.';
COMMENT ON COLUMN monitoring.push_reconciliation.only_row IS 'Always true: there is one row.';
COMMENT ON COLUMN monitoring.push_reconciliation.is_running IS 'Whether the run that the row tells of is under way.';
COMMENT ON COLUMN monitoring.push_reconciliation.is_full IS 'Whether it compares all that is stored.';
COMMENT ON COLUMN monitoring.push_reconciliation.is_requested IS 'Whether somebody asked for it.';
COMMENT ON COLUMN monitoring.push_reconciliation.began_at IS 'UTC instant.';
COMMENT ON COLUMN monitoring.push_reconciliation.from_day IS 'First UTC day that is compared.';
COMMENT ON COLUMN monitoring.push_reconciliation.to_day IS 'UTC day after the last.';
COMMENT ON COLUMN monitoring.push_reconciliation.window_from IS 'UTC day: everything before it has been compared.';
COMMENT ON COLUMN monitoring.push_reconciliation.window_to IS 'UTC day after the last one of the window.';
COMMENT ON COLUMN monitoring.push_reconciliation.device_number IS 'Devices up to this number have been compared in the window.';
COMMENT ON COLUMN monitoring.push_reconciliation.resent_to_number IS
  'What differed of the next devices, up to this one, was sent again, and is compared once more; null: nothing.';
COMMENT ON COLUMN monitoring.push_reconciliation.compared_days IS 'Days of devices compared so far.';
COMMENT ON COLUMN monitoring.push_reconciliation.resent_days IS 'Days of devices sent again so far.';
COMMENT ON COLUMN monitoring.push_reconciliation.failures IS 'Failures in a row.';
COMMENT ON COLUMN monitoring.push_reconciliation.next_attempt_at IS 'UTC instant before which it does not go on; null: at once.';
COMMENT ON COLUMN monitoring.push_reconciliation.last_error_kind IS 'What kind of failure the last one was; null: none yet.';
COMMENT ON COLUMN monitoring.push_reconciliation.last_error IS 'A sentence for the person who looks into it.';
COMMENT ON COLUMN monitoring.push_reconciliation.last_error_at IS 'UTC instant.';
COMMENT ON COLUMN monitoring.push_reconciliation.finished_at IS
  'UTC instant at which the last run ended that came to its end; null: none yet.';
COMMENT ON COLUMN monitoring.push_reconciliation.finished_compared_days IS 'Days of devices that it compared.';
COMMENT ON COLUMN monitoring.push_reconciliation.finished_resent_days IS 'Days of devices that it sent again.';
COMMENT ON COLUMN monitoring.push_reconciliation.full_finished_at IS
  'UTC instant at which the last full run ended; null: none yet.';
COMMENT ON COLUMN monitoring.push_reconciliation.in_step_to IS 'UTC instant; what was measured before has been compared.';

CREATE TABLE monitoring.push_differences (
  device_number integer NOT NULL,
  day date NOT NULL,
  own_count integer NOT NULL,
  fleet_count integer NOT NULL,
  own_checksum text NOT NULL,
  fleet_checksum text NOT NULL,
  CONSTRAINT push_differences_pkey PRIMARY KEY (device_number, day)
);
COMMENT ON TABLE monitoring.push_differences IS 'Days of devices that differed still when they had been sent again.';
COMMENT ON COLUMN monitoring.push_differences.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.push_differences.day IS 'UTC day.';
COMMENT ON COLUMN monitoring.push_differences.own_count IS 'Measurements here.';
COMMENT ON COLUMN monitoring.push_differences.fleet_count IS 'Measurements in the fleet.';
COMMENT ON COLUMN monitoring.push_differences.own_checksum IS 'MD5 of the measurements here; empty: none.';
COMMENT ON COLUMN monitoring.push_differences.fleet_checksum IS 'MD5 of the measurements in the fleet; empty: none.';

CREATE TABLE monitoring.demo (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  seed integer NOT NULL,
  first_day integer NOT NULL
);
COMMENT ON TABLE monitoring.demo IS
  'What generated readings are a function of. One row where this database was filled with demo data.';
COMMENT ON COLUMN monitoring.demo.only_row IS 'Always true: there is one row.';
COMMENT ON COLUMN monitoring.demo.seed IS 'Of the generator.';
COMMENT ON COLUMN monitoring.demo.first_day IS 'UTC day on which the demo began, days since 1970-01-01.';

CREATE TABLE monitoring.demo_gaps (
  starts_at timestamptz PRIMARY KEY,
  ends_at timestamptz NOT NULL,
  CHECK (starts_at < ends_at)
);
COMMENT ON TABLE monitoring.demo_gaps IS
  'Stretches of time whose demo readings are still to be written, so that a demo that was stopped goes on.';
COMMENT ON COLUMN monitoring.demo_gaps.starts_at IS 'UTC instant.';
COMMENT ON COLUMN monitoring.demo_gaps.ends_at IS 'UTC instant, not included.';
