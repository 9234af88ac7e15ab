CREATE SCHEMA dashboards;

-- Dashboards that were saved. Those that ship with the dashboard tool have a row as soon as somebody changed them.
CREATE TABLE dashboards.dashboards (
  name text PRIMARY KEY,
  -- The newest of its versions.
  version integer NOT NULL,
  -- Null: as it ships.
  title text,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL
);

CREATE TABLE dashboards.versions (
  name text NOT NULL CONSTRAINT versions_name_fkey REFERENCES dashboards.dashboards ON DELETE CASCADE,
  version integer NOT NULL,
  -- As it was sent, in its order; null: made again what ships.
  spec json,
  saved_at timestamptz NOT NULL,
  saved_by_id uuid NOT NULL,
  -- As they were called then.
  saved_by text NOT NULL,
  PRIMARY KEY (name, version)
);
