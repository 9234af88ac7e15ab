-- The sites and devices that a remark is about, with the last of which it goes; none for all of them, and for older remarks.
ALTER TABLE monitoring.report_remarks ADD COLUMN subject_ids uuid[] NOT NULL DEFAULT '{}';
DELETE FROM monitoring.report_remarks WHERE remark = '';
