-- Whether a set was sent after that of the cursor: nobody knows which of the two the fleet has.
ALTER TABLE monitoring.push_state ADD COLUMN is_unanswered boolean NOT NULL DEFAULT false;
