CREATE SCHEMA monitoring;

CREATE TABLE monitoring.municipalities (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  time_zone text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX municipalities_name_key ON monitoring.municipalities (lower(name));

CREATE TABLE monitoring.sites (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  municipality_id uuid NOT NULL CONSTRAINT sites_municipality_fkey REFERENCES monitoring.municipalities (id),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX sites_name_key ON monitoring.sites (lower(name));
CREATE INDEX sites_municipality_id ON monitoring.sites (municipality_id);

CREATE TABLE monitoring.devices (
  -- The number stands in every measurement instead of the GUID: four bytes, not sixteen.
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL CONSTRAINT devices_id_key UNIQUE,
  site_id uuid NOT NULL CONSTRAINT devices_site_fkey REFERENCES monitoring.sites (id),
  name text NOT NULL,
  external_id text NOT NULL CONSTRAINT devices_external_id_key UNIQUE,
  is_active boolean NOT NULL DEFAULT true,
  energy_source text NOT NULL DEFAULT 'auto' CHECK (energy_source IN ('auto', 'register', 'power')),
  rated_power_kw double precision CHECK (rated_power_kw > 0),
  register_max_kwh double precision CHECK (register_max_kwh > 0),
  expected_interval_seconds integer CHECK (expected_interval_seconds > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX devices_site_id ON monitoring.devices (site_id);

CREATE TABLE monitoring.api_keys (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('ingest')),
  -- SHA-256 of the key; the key itself is nowhere.
  key_hash bytea NOT NULL CONSTRAINT api_keys_key_hash_key UNIQUE,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX api_keys_name_key ON monitoring.api_keys (lower(name));
