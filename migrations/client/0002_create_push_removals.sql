-- docs/adr/0084.
CREATE TABLE monitoring.push_removals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  device_number integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('readings', 'intervals')),
  from_time timestamptz NOT NULL,
  to_time timestamptz NOT NULL,
  CONSTRAINT push_removals_times_check CHECK (from_time < to_time)
);
COMMENT ON TABLE monitoring.push_removals IS
  'What an administrator has removed and the fleet has not: written by the removal, deleted once the fleet has acknowledged it.';
COMMENT ON COLUMN monitoring.push_removals.id IS 'Ascending.';
COMMENT ON COLUMN monitoring.push_removals.device_number IS 'monitoring.devices.number.';
COMMENT ON COLUMN monitoring.push_removals.kind IS 'What was removed: readings, or intervals that begin in the range.';
COMMENT ON COLUMN monitoring.push_removals.from_time IS 'UTC instant from which on it was removed.';
COMMENT ON COLUMN monitoring.push_removals.to_time IS 'UTC instant before which it was removed.';

ALTER TABLE monitoring.push_state DROP CONSTRAINT push_state_resource_check;
ALTER TABLE monitoring.push_state ADD CONSTRAINT push_state_resource_check
  CHECK (resource IN ('sites', 'devices', 'municipalities', 'tariffs', 'removals', 'measurements', 'intervals'));
COMMENT ON COLUMN monitoring.push_state.resource IS 'sites, devices, municipalities, tariffs, removals, measurements or intervals.';
