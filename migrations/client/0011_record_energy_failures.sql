-- Devices whose quarter-hours could not be computed, and when that is tried again; no row while it succeeds.
CREATE TABLE monitoring.energy_failures (
  device_number integer PRIMARY KEY,
  attempts integer NOT NULL,
  failed_since timestamptz NOT NULL,
  retry_at timestamptz NOT NULL,
  -- For whoever looks into it; no answer tells it.
  reason text NOT NULL
);
