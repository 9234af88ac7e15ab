-- What somebody remarks about a month or a year, printed in its energy report.
CREATE TABLE monitoring.report_remarks (
  -- A local month, YYYY-MM, or year, YYYY.
  period text NOT NULL,
  -- SHA-256 of the ids of the sites and devices that the report is about; empty for all.
  scope text NOT NULL,
  remark text NOT NULL,
  CONSTRAINT report_remarks_pkey PRIMARY KEY (period, scope)
);
