-- Quantities are integers in fixed units, so that sums are exact and columns compress; db/measurement-units.ts converts.
-- No foreign key to devices: it would cost a lookup a row. An ingest holds the shared lock that deleting a device takes
-- exclusively (db/devices.ts), which comes to the same.
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

-- Makes re-delivery a no-op, and serves every question about some devices and a range.
CREATE UNIQUE INDEX measurements_device_time_key ON monitoring.measurements (device_number, time);
-- Rows arrive in the order of received_at, so a BRIN index finds the newest in no space.
CREATE INDEX measurements_received_at ON monitoring.measurements USING brin (received_at);
