-- What the energy of a device is for, such as lighting.
ALTER TABLE monitoring.devices ADD COLUMN end_use text;
