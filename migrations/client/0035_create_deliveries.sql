-- What came lately from each API key (docs/adr/0061): kept for a day, bounded, and of no worth to the measurements.
CREATE TABLE monitoring.delivery_hours (
  -- The API key; all zeros for administrators, who may deliver with their session.
  sender uuid NOT NULL,
  hour timestamptz NOT NULL,
  deliveries bigint NOT NULL,
  accepted bigint NOT NULL,
  duplicates bigint NOT NULL,
  rejected bigint NOT NULL,
  CONSTRAINT delivery_hours_pkey PRIMARY KEY (sender, hour)
);

-- The latest row of each external id, and the latest rejection of it by each field.
CREATE TABLE monitoring.arrivals (
  sender uuid NOT NULL,
  -- Empty where a rejected row had none.
  external_id text NOT NULL,
  -- The field for which it was rejected; empty where it was accepted.
  field text NOT NULL,
  received_at timestamptz NOT NULL,
  -- Of a rejected row the reason, of an accepted one the rest.
  reason text,
  is_known boolean,
  measured_at timestamptz,
  active_power_kw double precision,
  CONSTRAINT arrivals_pkey PRIMARY KEY (sender, external_id, field)
);

-- Its row is there once somebody has looked at what arrives: accepted rows are written down as long as somebody does.
CREATE TABLE monitoring.arrivals_watched (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  until_time timestamptz NOT NULL
);
