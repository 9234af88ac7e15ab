-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.

CREATE TABLE fleet.measurements (
  "time" timestamp with time zone NOT NULL,
  received_at timestamp with time zone NOT NULL,
  active_power_milliwatts bigint NOT NULL,
  reactive_power_millivars bigint,
  apparent_power_millivoltamperes bigint,
  energy_imported_milliwatthours bigint,
  energy_exported_milliwatthours bigint,
  customer_id uuid NOT NULL,
  device_number integer NOT NULL,
  power_factor_millionths integer,
  voltage_millivolts integer,
  frequency_tenth_millihertz integer
) PARTITION BY RANGE ("time");

CREATE INDEX measurements_received_at ON ONLY fleet.measurements USING brin (received_at);

CREATE UNIQUE INDEX measurements_device_time_key ON ONLY fleet.measurements USING btree (customer_id, device_number, "time");
