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
