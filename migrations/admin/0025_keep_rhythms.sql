-- What tells whether a customer is in trouble, kept with each batch, so that nobody looks through its events for it.
ALTER TABLE fleet.customer_state
  -- The last stored batch that had a measurement, and the seconds between the last of these, the newest first.
  ADD COLUMN last_measured_at timestamptz,
  ADD COLUMN push_gaps_seconds integer[] NOT NULL DEFAULT '{}',
  -- The last batch of which something was refused: all of it, or some records.
  ADD COLUMN last_failed_at timestamptz,
  ADD COLUMN last_failure text,
  ADD COLUMN is_refused boolean NOT NULL DEFAULT false,
  -- The first of those that followed each other within a day.
  ADD COLUMN failing_since timestamptz;

UPDATE fleet.customer_state s
SET last_measured_at = known.last, push_gaps_seconds = known.gaps
FROM fleet.customers c
CROSS JOIN LATERAL (
  SELECT max(received_at) AS last, coalesce(array_agg(gap ORDER BY received_at DESC) FILTER (WHERE gap IS NOT NULL), '{}') AS gaps
  FROM (SELECT received_at, extract(epoch FROM received_at - lead(received_at) OVER (ORDER BY received_at DESC))::integer AS gap
        FROM fleet.ingest_events e
        WHERE e.customer_id = c.id AND e.batch_type = 'measurements' AND e.rows_accepted > 0
        ORDER BY received_at DESC LIMIT 20) events
) known
WHERE s.customer_id = c.id;
