import { chillRoom, dockAndForklifts, freezer, oldFreezer } from './cold-store.ts';
import type { Load } from './load.ts';
import type { Place } from './moments.ts';
import { heatPumpAndVentilation, lightingAndSockets, serverRoom } from './office.ts';
import { berlinTariffs, chicagoTariffs, type DemoTariff, puneTariffs } from './tariffs.ts';
import { compressedAir, hallAndRoofPv, paintOven } from './workshop.ts';

/** How a meter measures and what it sends. */
export interface MeterKind {
  /** `registers`: all quantities and the import register; `both`: the export register too; `power`: active power alone. */
  sends: 'registers' | 'both' | 'power';
  nominalVoltageV: number;
  nominalFrequencyHz: number;
  /** How much voltage and frequency wander at this grid, as shares. */
  voltageSwing: number;
  frequencySwing: number;
}

/** What happens to a device, in minutes before (negative) the start of the demo's first day in UTC. */
export interface DemoEvents {
  /** The meter is replaced: no readings in between, and the register starts from zero. */
  replaced?: { from: number; to: number };
  /** The device is out of service from here on. */
  retiredAt?: number;
}

export interface DemoDevice {
  externalId: string;
  name: string;
  ratedPowerKw: number;
  isActive: boolean;
  meter: MeterKind;
  events: DemoEvents;
  load: (seed: number) => Load;
}

export interface DemoSite {
  name: string;
  municipality: string;
  /** Ascending by their start. */
  tariffs: readonly DemoTariff[];
  place: Place;
  devices: DemoDevice[];
  /** The gateway of the site is offline, in minutes before the demo's first day; it keeps the readings and sends them later. */
  outage?: { from: number; to: number };
}

const hour = 60;
const day = 24 * hour;
const office = { nominalVoltageV: 231, nominalFrequencyHz: 50, voltageSwing: 0.009, frequencySwing: 0.0006 };
const workshop = { nominalVoltageV: 236, nominalFrequencyHz: 50, voltageSwing: 0.024, frequencySwing: 0.0016 };
const coldStore = { nominalVoltageV: 277, nominalFrequencyHz: 60, voltageSwing: 0.011, frequencySwing: 0.0004 };

/**
 * Three sites in three time zones, ten devices. Each device is a feeder of its own, so that the sum of a site's devices is
 * what the site takes from the grid.
 */
export const demoSites: readonly DemoSite[] = [
  {
    name: 'Riverside office',
    municipality: 'Berlin',
    tariffs: berlinTariffs,
    place: {
      key: 'office',
      timeZone: 'Europe/Berlin',
      latitude: 52.5,
      longitude: 13.4,
      climate: { mean: 10, season: 9.5, day: 3.8, warmestDay: 203 },
      workingDays: new Set([1, 2, 3, 4, 5]),
      holidays: new Set(['01-01', '03-08', '05-01', '10-03', '12-24', '12-25', '12-26', '12-31']),
    },
    devices: [
      {
        externalId: 'demo-office-lighting',
        name: 'Lighting and sockets',
        ratedPowerKw: 40,
        isActive: true,
        meter: { ...office, sends: 'registers' },
        events: {},
        load: lightingAndSockets,
      },
      {
        externalId: 'demo-office-heat-pump',
        name: 'Heat pump and ventilation',
        ratedPowerKw: 45,
        isActive: true,
        meter: { ...office, sends: 'registers' },
        events: {},
        load: heatPumpAndVentilation,
      },
      {
        externalId: 'demo-office-servers',
        name: 'Server room',
        ratedPowerKw: 16,
        isActive: true,
        meter: { ...office, sends: 'registers' },
        events: { replaced: { from: -17 * day + 8 * hour + 12, to: -17 * day + 8 * hour + 24 } },
        load: serverRoom,
      },
    ],
  },
  {
    name: 'Hillside workshop',
    municipality: 'Pune',
    tariffs: puneTariffs,
    place: {
      key: 'workshop',
      timeZone: 'Asia/Kolkata',
      latitude: 18.5,
      longitude: 73.9,
      climate: { mean: 25, season: 4, day: 5.5, warmestDay: 125 },
      workingDays: new Set([1, 2, 3, 4, 5, 6]),
      holidays: new Set(['01-26', '05-01', '08-15', '10-02']),
    },
    devices: [
      {
        externalId: 'demo-workshop-hall',
        name: 'Main hall and rooftop PV',
        ratedPowerKw: 80,
        isActive: true,
        meter: { ...workshop, sends: 'both' },
        events: {},
        load: hallAndRoofPv,
      },
      {
        externalId: 'demo-workshop-air',
        name: 'Compressed air',
        ratedPowerKw: 22,
        isActive: true,
        meter: { ...workshop, sends: 'registers' },
        events: {},
        load: compressedAir,
      },
      {
        externalId: 'demo-workshop-oven',
        name: 'Paint oven',
        ratedPowerKw: 40,
        isActive: true,
        meter: { ...workshop, sends: 'power' },
        events: {},
        load: paintOven,
      },
    ],
  },
  {
    name: 'Lakeside cold store',
    municipality: 'Chicago',
    tariffs: chicagoTariffs,
    place: {
      key: 'cold-store',
      timeZone: 'America/Chicago',
      latitude: 41.9,
      longitude: -87.6,
      climate: { mean: 10.5, season: 13.5, day: 4.5, warmestDay: 203 },
      workingDays: new Set([1, 2, 3, 4, 5, 6]),
      holidays: new Set(['01-01', '07-04', '12-25']),
    },
    outage: { from: -6 * day + 3 * hour + 40, to: -6 * day + 13 * hour + 5 },
    devices: [
      {
        externalId: 'demo-cold-store-freezer',
        name: 'Freezer',
        ratedPowerKw: 36,
        isActive: true,
        meter: { ...coldStore, sends: 'registers' },
        events: {},
        load: freezer,
      },
      {
        externalId: 'demo-cold-store-chill-room',
        name: 'Chill room',
        ratedPowerKw: 16,
        isActive: true,
        meter: { ...coldStore, sends: 'registers' },
        events: {},
        load: chillRoom,
      },
      {
        externalId: 'demo-cold-store-dock',
        name: 'Dock and forklift charging',
        ratedPowerKw: 45,
        isActive: true,
        meter: { ...coldStore, sends: 'registers' },
        events: {},
        load: dockAndForklifts,
      },
      {
        externalId: 'demo-cold-store-old-freezer',
        name: 'Old freezer (out of service)',
        ratedPowerKw: 22,
        isActive: false,
        meter: { ...coldStore, sends: 'registers' },
        events: { retiredAt: -34 * day + 20 * hour },
        load: oldFreezer,
      },
    ],
  },
];
