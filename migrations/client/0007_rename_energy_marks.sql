-- The field's own term for what was written and is not in the rollup yet.
ALTER TABLE monitoring.energy_marks RENAME TO energy_dirty_ranges;
ALTER TABLE monitoring.energy_dirty_ranges RENAME CONSTRAINT energy_marks_pkey TO energy_dirty_ranges_pkey;
ALTER SEQUENCE monitoring.energy_marks_id_seq RENAME TO energy_dirty_ranges_id_seq;
