-- What is stored of a week (Monday to Sunday, UTC) of a device: another version each time that one of its energy_days is written
-- or deleted (docs/adr/0037). Random, so that a version never comes back, whatever is restored.
CREATE TABLE monitoring.energy_weeks (
  device_number integer NOT NULL,
  -- Its Monday.
  week date NOT NULL,
  version uuid NOT NULL,
  CONSTRAINT energy_weeks_pkey PRIMARY KEY (device_number, week)
);
INSERT INTO monitoring.energy_weeks (device_number, week, version)
SELECT device_number, day - (extract(isodow FROM day)::integer - 1), gen_random_uuid()
FROM monitoring.energy_days GROUP BY 1, 2;

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
