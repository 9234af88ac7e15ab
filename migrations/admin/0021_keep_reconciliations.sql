-- What the customer's stack says of its last comparison (docs/adr/0045).
ALTER TABLE fleet.customer_state
  ADD COLUMN reconciled_at timestamptz,
  -- What was measured before has been compared.
  ADD COLUMN in_step_to timestamptz,
  ADD COLUMN differing_days integer,
  ADD COLUMN push_interval_seconds integer;
