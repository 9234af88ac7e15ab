-- Measurements before kept_from have been taken away (Database__RetentionMonths), but for the few that later slots are
-- computed from; their slots stay, and are never computed anew. No row while everything is kept.
CREATE TABLE monitoring.retention (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  kept_from timestamptz NOT NULL
);
