-- Days of a device between two readings far apart (docs/adr/0024): what its registers counted is spread evenly over them, so
-- one row says it of all, however many there are. Such days have no row in energy_days.
CREATE TABLE monitoring.energy_gaps (
  device_number integer NOT NULL,
  from_day date NOT NULL,
  -- Not included.
  to_day date NOT NULL CHECK (to_day > from_day),
  -- Of each quarter-hour, all of it interpolated.
  imported_kwh double precision NOT NULL,
  exported_kwh double precision NOT NULL,
  CONSTRAINT energy_gaps_pkey PRIMARY KEY (device_number, from_day)
);
