-- The parts of the last whole set stay, so that one of them that is delivered again is known and does not count for the next set.
ALTER TABLE fleet.set_parts
  ADD COLUMN cursor text,
  ADD COLUMN is_closed boolean NOT NULL DEFAULT false,
  -- Closed, and has come since, which says nothing about what it belongs to where cursors are always the same.
  ADD COLUMN came_again boolean NOT NULL DEFAULT false;
