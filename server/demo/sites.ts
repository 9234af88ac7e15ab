import type { Noise } from './noise.ts';
import type { Moment, Place } from './place.ts';
import { berlinTariffs, chicagoTariffs, type DemoTariff, puneTariffs } from './tariffs.ts';

export interface DemoDevice {
  externalId: string;
  name: string;
  ratedPowerKw: number;
  /** `registers`: all quantities and the import register; `both`: the export register too; `power`: active power alone. */
  meter: { sends: 'registers' | 'both' | 'power'; powerFactor: number };
  /** Power goes up and down by this share of itself, so many times a quarter-hour (no multiple of 15). */
  ripple: { share: number; perQuarter: number };
  /** Mean power of a quarter-hour in kW; negative is export. */
  load: (at: Moment, noise: Noise) => number;
  /** In minutes before (negative) the demo's first day in UTC: no readings in between, and the register starts from zero. */
  replaced?: { from: number; to: number };
  /** In the same minutes: out of service from here on. */
  retiredAt?: number;
}

export interface DemoSite {
  name: string;
  municipality: string;
  /** Ascending by their start. */
  tariffs: readonly DemoTariff[];
  place: Place;
  grid: { voltageV: number; voltageSwing: number; frequencyHz: number };
  devices: readonly DemoDevice[];
}

const day = 24 * 60;

/** 1 from one hour to another, with half an hour of a slope on either side. */
const between = (hour: number, from: number, to: number) =>
  Math.max(0, Math.min(1, hour - from + 0.5, to + 0.5 - hour));
const shift = (at: Moment, from: number, to: number) => (at.isWorkday ? between(at.hour, from, to) : 0);

/** From 0.8 to 1.2, another one each quarter-hour. */
const varied = (at: Moment, noise: Noise) => 0.8 + 0.4 * noise.uniform(at.quarter);
const atDesks = (at: Moment) => shift(at, 7.5, 17.5) * (1 - 0.25 * between(at.hour, 12.2, 12.8));
const inHall = (at: Moment) => shift(at, 9, at.weekday === 6 ? 13 : 18) * (1 - 0.8 * between(at.hour, 13.2, 13.6));
/** Of the days in the tropics, which are as long as the nights. */
const sun = (at: Moment) => Math.max(0, Math.sin((Math.PI * (at.hour - 6.4)) / 12));
/** More where it is warm outside. */
const cooling = (at: Moment, kw: number) => kw * (1 + 0.012 * (at.temperatureC - 10));

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
      timeZone: 'Europe/Berlin',
      climate: { mean: 10, season: 9.5 },
      lastWorkday: 5,
    },
    grid: { voltageV: 231, voltageSwing: 0.009, frequencyHz: 50 },
    devices: [
      {
        externalId: 'demo-office-lighting',
        name: 'Lighting and sockets',
        ratedPowerKw: 40,
        meter: { sends: 'registers', powerFactor: 0.965 },
        ripple: { share: 0.06, perQuarter: 4 },
        load: (at, noise) => 3.7 + 22 * atDesks(at) * varied(at, noise),
      },
      {
        externalId: 'demo-office-heat-pump',
        name: 'Heat pump and ventilation',
        ratedPowerKw: 45,
        meter: { sends: 'registers', powerFactor: 0.92 },
        ripple: { share: 0.3, perQuarter: 1 },
        load: (at) => {
          const isOpen = shift(at, 5.5, 19);
          const heating = Math.max(0, 17 - at.temperatureC) * (0.6 + 0.4 * isOpen);
          return 0.8 + 5.2 * isOpen + heating + Math.max(0, at.temperatureC - 21) * isOpen;
        },
      },
      {
        externalId: 'demo-office-servers',
        name: 'Server room',
        ratedPowerKw: 16,
        meter: { sends: 'registers', powerFactor: 0.955 },
        ripple: { share: 0.1, perQuarter: 2 },
        load: (at, noise) => cooling(at, 8) * (0.9 + 0.1 * varied(at, noise)) + atDesks(at),
        replaced: { from: -17 * day + 492, to: -17 * day + 504 },
      },
    ],
  },
  {
    name: 'Hillside workshop',
    municipality: 'Pune',
    tariffs: puneTariffs,
    place: {
      timeZone: 'Asia/Kolkata',
      climate: { mean: 25, season: 4 },
      lastWorkday: 6,
    },
    grid: { voltageV: 236, voltageSwing: 0.024, frequencyHz: 50 },
    devices: [
      {
        // The machines of the hall, and behind the same meter the panels on its roof, so that it imports and exports.
        externalId: 'demo-workshop-hall',
        name: 'Main hall and rooftop PV',
        ratedPowerKw: 80,
        meter: { sends: 'both', powerFactor: 0.88 },
        ripple: { share: 0.25, perQuarter: 2 },
        load: (at, noise) => {
          const clouds = Math.max(0, noise.smooth(at.quarter / 7));
          return 3.5 + 26 * inHall(at) * varied(at, noise) - 45 * sun(at) * (1 - 0.6 * clouds);
        },
      },
      {
        externalId: 'demo-workshop-air',
        name: 'Compressed air',
        ratedPowerKw: 22,
        meter: { sends: 'registers', powerFactor: 0.87 },
        ripple: { share: 0.5, perQuarter: 3 },
        load: (at, noise) => 0.6 + 11 * inHall(at) * varied(at, noise),
      },
      {
        externalId: 'demo-workshop-oven',
        name: 'Paint oven',
        ratedPowerKw: 40,
        meter: { sends: 'power', powerFactor: 1 },
        ripple: { share: 0.2, perQuarter: 2 },
        load: (at) => 0.2 + (at.weekday < 6 ? 30 * (between(at.hour, 9, 12.5) + between(at.hour, 14.5, 17)) : 0),
      },
    ],
  },
  {
    name: 'Lakeside cold store',
    municipality: 'Chicago',
    tariffs: chicagoTariffs,
    place: {
      timeZone: 'America/Chicago',
      climate: { mean: 10.5, season: 13.5 },
      lastWorkday: 6,
    },
    grid: { voltageV: 277, voltageSwing: 0.011, frequencyHz: 60 },
    devices: [
      {
        externalId: 'demo-cold-store-freezer',
        name: 'Freezer',
        ratedPowerKw: 36,
        meter: { sends: 'registers', powerFactor: 0.87 },
        ripple: { share: 0.85, perQuarter: 1 },
        load: (at) => cooling(at, 15),
      },
      {
        externalId: 'demo-cold-store-chill-room',
        name: 'Chill room',
        ratedPowerKw: 16,
        meter: { sends: 'registers', powerFactor: 0.87 },
        ripple: { share: 0.7, perQuarter: 1 },
        load: (at) => cooling(at, 5) + 2 * shift(at, 5, 16.5),
      },
      {
        externalId: 'demo-cold-store-dock',
        name: 'Dock and forklift charging',
        ratedPowerKw: 45,
        meter: { sends: 'registers', powerFactor: 0.93 },
        ripple: { share: 0.1, perQuarter: 4 },
        load: (at, noise) => 1.4 + 6 * shift(at, 4.7, 17.2) + 24 * shift(at, 17, 20) * varied(at, noise),
      },
      {
        externalId: 'demo-cold-store-old-freezer',
        name: 'Old freezer (out of service)',
        ratedPowerKw: 22,
        meter: { sends: 'registers', powerFactor: 0.8 },
        ripple: { share: 0.7, perQuarter: 1 },
        load: (at) => cooling(at, 9),
        retiredAt: -34 * day + 20 * 60,
      },
    ],
  },
];
