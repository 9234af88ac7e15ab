-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.

-- Readings of customers as they were accepted. Quantities are integers in fixed units, so that sums are exact and columns compress.
CREATE TABLE fleet.measurements (
  -- UTC instant of the reading.
  "time" timestamp with time zone NOT NULL,
  -- UTC instant at which the batch came that brought it.
  received_at timestamp with time zone NOT NULL,
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
  -- fleet.customers.id.
  customer_id uuid NOT NULL,
  -- fleet.devices.number, of the customer.
  device_number integer NOT NULL,
  -- Power factor, 1e-6; null: not sent.
  power_factor_millionths integer,
  -- Voltage, mV; null: not sent.
  voltage_millivolts integer,
  -- Frequency, 0.1 mHz; null: not sent.
  frequency_tenth_millihertz integer
);

CREATE INDEX measurements_received_at ON fleet.measurements USING brin (received_at);

CREATE UNIQUE INDEX measurements_device_time_key ON fleet.measurements USING btree (customer_id, device_number, "time");

-- Measurements of each device by hour (specification, Startup 3).
--   customer_id: fleet.customers.id.
--   device_number: fleet.devices.number, of the customer.
--   hour: UTC instant at which the hour starts.
--   samples: Number of measurements.
--   power_sum: Sum of their active power, mW.
--   power_min: Least active power, mW.
--   power_max: Greatest active power, mW.
CREATE VIEW fleet.device_hours AS
 SELECT _materialized_hypertable_3.customer_id,
    _materialized_hypertable_3.device_number,
    _materialized_hypertable_3.hour,
    _materialized_hypertable_3.samples,
    _materialized_hypertable_3.power_sum,
    _materialized_hypertable_3.power_min,
    _materialized_hypertable_3.power_max
   FROM _timescaledb_internal._materialized_hypertable_3
  WHERE (_materialized_hypertable_3.hour < COALESCE(_timescaledb_functions.to_timestamp(_timescaledb_functions.cagg_watermark(3)), '-infinity'::timestamp with time zone))
UNION ALL
 SELECT measurements.customer_id,
    measurements.device_number,
    time_bucket('01:00:00'::interval, measurements."time") AS hour,
    count(*) AS samples,
    sum(measurements.active_power_milliwatts) AS power_sum,
    min(measurements.active_power_milliwatts) AS power_min,
    max(measurements.active_power_milliwatts) AS power_max
   FROM fleet.measurements
  WHERE (measurements."time" >= COALESCE(_timescaledb_functions.to_timestamp(_timescaledb_functions.cagg_watermark(3)), '-infinity'::timestamp with time zone))
  GROUP BY measurements.customer_id, measurements.device_number, (time_bucket('01:00:00'::interval, measurements."time"));

-- hypertable _timescaledb_internal._materialized_hypertable_3 by hour in chunks of 70 days, compressed by  in the order of , 

-- hypertable fleet.measurements by time in chunks of 7 days, compressed by customer_id,device_number in the order of "time" DESC, policy_compression 7 days
