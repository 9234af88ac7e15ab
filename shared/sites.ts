import { z } from 'zod';
import { externalId, guid, instant, name, timeZone } from './primitives.ts';

export const municipalityWrite = z.object({ name: name(200), timeZone });
export type MunicipalityWrite = z.infer<typeof municipalityWrite>;
/** `POST /api/admin/rates/municipalities/{id}/preview`. */
export const municipalityPreviewQuestion = municipalityWrite.pick({ timeZone: true });
export const municipality = z.object({ id: guid, name: z.string(), timeZone: z.string() });
export type Municipality = z.infer<typeof municipality>;

export const energySource = z.enum(['auto', 'register', 'power']);

export const deviceWrite = z.object({
  siteId: guid,
  name: name(200),
  externalId,
  isActive: z.boolean().default(true),
  energySource: energySource.default('auto'),
  ratedPowerKw: z.number().positive().max(1e9).nullable().default(null),
  registerMaxKwh: z.number().positive().max(1e12).nullable().default(null),
  expectedIntervalSeconds: z.int().min(1).max(86_400).nullable().default(null),
  parentDeviceId: guid.nullable().default(null).meta({ description: 'Its main meter, at the same site.' }),
  endUse: name(60).nullable().default(null).meta({
    description: 'The use of the energy, such as lighting. Case does not matter.',
  }),
});
export type DeviceWrite = z.infer<typeof deviceWrite>;
/** Fields that a Client does not push: its fleet has no column for them. */
export const unpushedOfDevice = { endUse: true } as const;
/** For PUT: a field that is left out keeps its value, so that renaming a device never switches it on or forgets its limits. */
export const deviceUpdate = deviceWrite.extend({
  isActive: deviceWrite.shape.isActive.unwrap().optional(),
  energySource: energySource.optional(),
  ratedPowerKw: deviceWrite.shape.ratedPowerKw.unwrap().optional(),
  registerMaxKwh: deviceWrite.shape.registerMaxKwh.unwrap().optional(),
  expectedIntervalSeconds: deviceWrite.shape.expectedIntervalSeconds.unwrap().optional(),
  parentDeviceId: deviceWrite.shape.parentDeviceId.unwrap().optional(),
  endUse: deviceWrite.shape.endUse.unwrap().optional(),
});
export const device = z.object({
  id: guid,
  siteId: guid,
  name: z.string(),
  externalId: z.string(),
  isActive: z.boolean(),
  energySource,
  ratedPowerKw: z.number().nullable(),
  registerMaxKwh: z.number().nullable(),
  expectedIntervalSeconds: z.int().nullable(),
  parentDeviceId: guid.nullable(),
  endUse: z.string().nullable(),
  lastMeasuredAt: instant.nullable(),
});
export type Device = z.infer<typeof device>;

/** One row of `GET /api/sites/devices`. */
export const deviceWithSite = device
  .pick({
    id: true,
    name: true,
    externalId: true,
    isActive: true,
    siteId: true,
    parentDeviceId: true,
    expectedIntervalSeconds: true,
    endUse: true,
  })
  .extend({
    siteName: z.string(),
    number: z.int().optional().meta({ description: 'Never given again. Colors in charts follow from it.' }),
    siteNumber: z.int().optional().meta({ description: 'The same of its site.' }),
  });
export type DeviceWithSite = z.infer<typeof deviceWithSite>;

export const maxChangedDevices = 5_000;

/** The new values of several devices; omitted fields stay the same. */
export const devicesChange = deviceUpdate
  .pick({
    isActive: true,
    energySource: true,
    ratedPowerKw: true,
    registerMaxKwh: true,
    expectedIntervalSeconds: true,
    endUse: true,
  })
  .extend({ deviceIds: z.array(guid).min(1).max(maxChangedDevices), siteId: guid.optional() })
  .refine((change) => Object.entries(change).some(([field, value]) => field !== 'deviceIds' && value !== undefined), {
    path: ['siteId'],
    message: 'mustChangeSomething',
  });
export type DevicesChange = z.infer<typeof devicesChange>;
export const devicesChanged = z.object({ changed: z.int() });

export const siteWrite = z.object({ name: name(200), municipalityId: guid });
export type SiteWrite = z.infer<typeof siteWrite>;
/** `POST /api/admin/sites/{id}/preview`. */
export const sitePreviewQuestion = siteWrite.pick({ municipalityId: true });
export const site = z.object({
  id: guid,
  name: z.string(),
  municipalityId: guid,
  municipalityName: z.string(),
  timeZone: z.string(),
  deviceCount: z.int(),
});
export type Site = z.infer<typeof site>;
export const siteWithDevices = site.extend({ devices: z.array(device) });
export type SiteWithDevices = z.infer<typeof siteWithDevices>;
