-- As in schema monitoring, where the tables are explained (docs/adr/0032, 0037).
CREATE TABLE fleet.energy_weeks (
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  week date NOT NULL,
  version uuid NOT NULL,
  CONSTRAINT energy_weeks_pkey PRIMARY KEY (customer_id, device_number, week)
);
INSERT INTO fleet.energy_weeks (customer_id, device_number, week, version)
SELECT customer_id, device_number, day - (extract(isodow FROM day)::integer - 1), gen_random_uuid()
FROM fleet.energy_days GROUP BY 1, 2, 3;

CREATE TABLE fleet.energy_sums (
  customer_id uuid NOT NULL,
  key bytea NOT NULL,
  sums bytea NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT energy_sums_pkey PRIMARY KEY (customer_id, key)
);
ALTER TABLE fleet.energy_sums ALTER COLUMN sums SET STORAGE EXTERNAL;
