-- What ingests have stored and the fleet does not have yet (docs/adr/0042): one row an ingest transaction, written in it, taken away
-- once the fleet has acknowledged its rows. So nothing can be passed over, however late a transaction commits.
CREATE TABLE monitoring.push_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- That of its measurements.
  received_at timestamptz NOT NULL DEFAULT now(),
  -- So many, or somewhat more.
  row_count integer NOT NULL,
  -- A device and UTC day each: first and last instant stored, epoch microseconds.
  device_numbers integer[] NOT NULL,
  from_micros bigint[] NOT NULL,
  to_micros bigint[] NOT NULL,
  -- The last row that was acknowledged, where a batch ended in the middle.
  sent_time timestamptz,
  sent_device_id uuid
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE INDEX push_outbox_received_at ON monitoring.push_outbox (received_at, id) INCLUDE (row_count);

-- Its row is there while ingests record. Set and taken away under the exclusive ingest lock, so that every later ingest sees it.
-- What was stored before is sent in the order of devices and time, up to the position.
CREATE TABLE monitoring.push_recording (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- To whom, as a hash of the address: another fleet has nothing yet.
  target text NOT NULL,
  began_at timestamptz NOT NULL,
  -- When the outbox was last found empty or made shorter; an outbox that nobody empties is given up.
  used_at timestamptz NOT NULL,
  -- Null once all that was stored before has been sent.
  walk_device_number integer,
  walk_time timestamptz
);

CREATE TABLE monitoring.push_state (
  resource text PRIMARY KEY CHECK (resource IN ('sites', 'devices', 'municipalities', 'tariffs', 'measurements')),
  -- Of the last batch that was acknowledged.
  cursor text,
  -- Null: as configured.
  batch_size integer,
  failures integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  last_success_at timestamptz,
  last_error_kind text,
  last_error text,
  last_error_at timestamptz,
  rejected_rows bigint NOT NULL DEFAULT 0
);
INSERT INTO monitoring.push_state (resource)
VALUES ('sites'), ('devices'), ('municipalities'), ('tariffs'), ('measurements');
