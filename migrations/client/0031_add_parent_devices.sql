-- A device that measures a part of what another one of its site measures (docs/adr/0060).
ALTER TABLE monitoring.devices
  ADD COLUMN parent_device_id uuid,
  ADD CONSTRAINT devices_id_site_key UNIQUE (id, site_id);
ALTER TABLE monitoring.devices
  ADD CONSTRAINT devices_parent_fkey FOREIGN KEY (parent_device_id, site_id) REFERENCES monitoring.devices (id, site_id),
  ADD CONSTRAINT devices_parent_check CHECK (parent_device_id <> id);
CREATE INDEX devices_parent_device_id ON monitoring.devices (parent_device_id) WHERE parent_device_id IS NOT NULL;
