-- Comparing with the fleet (docs/adr/0045). An entry of the outbox that sends a day of a device again: all its rows, whatever
-- received them.
ALTER TABLE monitoring.push_outbox ADD COLUMN is_resend boolean NOT NULL DEFAULT false;

-- Its row is there once a comparison has begun.
CREATE TABLE monitoring.push_reconciliation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- The run under way, or the last one.
  is_running boolean NOT NULL,
  is_full boolean NOT NULL,
  is_requested boolean NOT NULL,
  began_at timestamptz NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  -- Its position: all before window_from is compared, and of the window (window_to exclusive) the devices up to this number.
  window_from date NOT NULL,
  window_to date NOT NULL,
  device_number integer NOT NULL,
  -- What differed of the next devices, up to this one, was sent again; they are compared once more.
  resent_to_number integer,
  -- Days of devices.
  compared_days integer NOT NULL,
  resent_days integer NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  last_error_kind text,
  last_error text,
  last_error_at timestamptz,
  finished_at timestamptz,
  finished_compared_days integer,
  finished_resent_days integer,
  full_finished_at timestamptz,
  -- What was measured before has been compared.
  in_step_to timestamptz
);

-- Days that differed still when they had been sent again.
CREATE TABLE monitoring.push_differences (
  device_number integer NOT NULL,
  day date NOT NULL,
  own_count integer NOT NULL,
  fleet_count integer NOT NULL,
  own_checksum text NOT NULL,
  fleet_checksum text NOT NULL,
  CONSTRAINT push_differences_pkey PRIMARY KEY (device_number, day)
);
