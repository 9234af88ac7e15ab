-- As the Client says; a set may come in parts, so that the parent may be missing for a while.
ALTER TABLE fleet.devices ADD COLUMN parent_device_id uuid;
CREATE INDEX devices_parent_device_id ON fleet.devices (customer_id) WHERE parent_device_id IS NOT NULL;
