-- One row where this database was filled with demo data: what the generated readings are a function of.
CREATE TABLE monitoring.demo (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  seed integer NOT NULL,
  -- Days since 1970-01-01; the demo began on this day in UTC.
  first_day integer NOT NULL,
  -- Energy of each meter up to the start of a later day, to spare adding it up again at each start; null until there is one.
  checkpoint jsonb
);

-- The stretches of time whose readings are still to be written, so that a demo that was stopped goes on where it was.
CREATE TABLE monitoring.demo_gaps (
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- The readings that a gateway kept while it was offline; they come after all others.
  is_late boolean NOT NULL,
  PRIMARY KEY (is_late, starts_at),
  CHECK (starts_at < ends_at)
);
