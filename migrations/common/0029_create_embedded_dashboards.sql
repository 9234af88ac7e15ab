-- What the Dashboards page offers of the dashboard tool.
CREATE TABLE portal.embedded_dashboards (
  id uuid PRIMARY KEY,
  title text NOT NULL,
  description text NOT NULL,
  -- Below Dashboard__EmbedPathPrefix, so that it stays right when that changes.
  path text NOT NULL,
  sort_order integer NOT NULL
);

-- Its row is there once those that ship were added, so that deleted ones do not come back.
CREATE TABLE portal.embedded_dashboards_seeded (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
);
