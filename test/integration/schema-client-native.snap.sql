-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.

CREATE TABLE monitoring.measurements (
  "time" timestamp with time zone NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  active_power_milliwatts bigint NOT NULL,
  reactive_power_millivars bigint,
  apparent_power_millivoltamperes bigint,
  energy_imported_milliwatthours bigint,
  energy_exported_milliwatthours bigint,
  device_number integer NOT NULL,
  power_factor_millionths integer,
  voltage_millivolts integer,
  frequency_tenth_millihertz integer
) PARTITION BY RANGE ("time");

CREATE INDEX measurements_received_at ON ONLY monitoring.measurements USING brin (received_at);

CREATE UNIQUE INDEX measurements_device_time_key ON ONLY monitoring.measurements USING btree (device_number, "time");
