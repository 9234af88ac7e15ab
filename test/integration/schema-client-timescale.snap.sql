-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.

-- Readings as they were accepted. Quantities are integers in fixed units, so that sums are exact and columns compress.
CREATE TABLE monitoring.measurements (
  -- UTC instant of the reading.
  "time" timestamp with time zone NOT NULL,
  -- UTC instant at which the ingest began that stored it.
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  -- Active power, mW; negative while energy is exported.
  active_power_milliwatts bigint NOT NULL,
  -- Reactive power, mvar; null: not sent.
  reactive_power_millivars bigint,
  -- Apparent power, mVA; null: not sent.
  apparent_power_millivoltamperes bigint,
  -- Register of imported energy, mWh; null: not sent.
  energy_imported_milliwatthours bigint,
  -- Register of exported energy, mWh; null: not sent.
  energy_exported_milliwatthours bigint,
  -- monitoring.devices.number.
  device_number integer NOT NULL,
  -- Power factor, 1e-6; null: not sent.
  power_factor_millionths integer,
  -- Voltage, mV; null: not sent.
  voltage_millivolts integer,
  -- Frequency, 0.1 mHz; null: not sent.
  frequency_tenth_millihertz integer
);

CREATE INDEX measurements_received_at ON monitoring.measurements USING brin (received_at);

CREATE UNIQUE INDEX measurements_device_time_key ON monitoring.measurements USING btree (device_number, "time");

-- hypertable monitoring.measurements by time in chunks of 30 days, compressed by device_number in the order of "time" DESC, policy_compression 7 days
