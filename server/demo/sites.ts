import { randomUUIDv7 } from 'node:crypto';
import type { MunicipalityTariff } from '../rates/tariffs.sql.ts';
import { money } from '../base/money.ts';
import { minuteOfDay } from '../rates/tariffs.rules.ts';
import { type Noise, type Moment, type Place, quartersPerDay } from './place.ts';

/** Mean power of a quarter-hour in kW; negative is export. */
type Load = (at: Moment, noise: Noise) => number;

export interface DemoDevice {
  externalId: string;
  name: string;
  /**
   * The external ID of the main meter. It is at the same site and earlier in the list, and its readings include those of this
   * meter.
   */
  partOf?: string;
  /** Null if the meter measures several end uses. */
  endUse: string | null;
  ratedPowerKw: number;
  powerFactor: number;
  /** The power swings by this share, this many times per quarter-hour (not a multiple of 15). */
  ripple: readonly [share: number, perQuarter: number];
  /** The power that no sub-meter measures. */
  load: Load;
  /** `registers`: all quantities and the import register; `both`: the export register too; `power`: active power alone. */
  sends: 'registers' | 'both' | 'power';
  /**
   * When the meter was out of service, in minutes relative to the demo's first day in UTC (negative before it). There are no
   * readings in this time, and afterwards the register starts from zero.
   */
  replaced?: { from: number; to: number };
  /** From then on the meter is out of service for good; in the same unit. */
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

/** Factor 1 from one hour to another, with a slope of half an hour on both sides. */
const between = (hour: number, from: number, to: number) =>
  Math.max(0, Math.min(1, hour - from + 0.5, to + 0.5 - hour));
const shift = (at: Moment, from: number, to: number) => (at.isWorkday ? between(at.hour, from, to) : 0);

/** A factor from 0.8 to 1.2, different in each quarter-hour. */
const varied = (at: Moment, noise: Noise) => 0.8 + 0.4 * noise.uniform(at.quarter);
const atDesks = (at: Moment) => shift(at, 7.5, 17.5) * (1 - 0.25 * between(at.hour, 12.2, 12.8));
const inHall = (at: Moment) => shift(at, 9, at.weekday === 6 ? 13 : 18) * (1 - 0.8 * between(at.hour, 13.2, 13.6));
/** For the tropics, where days and nights are equally long. */
const tropicalSun = (at: Moment) => Math.max(0, Math.sin((Math.PI * (at.hour - 6.4)) / 12));
/** For about 50° north: from 8 hours with a low sun at Christmas to 16 hours with a high sun in June. */
const northernSun = (at: Moment) => {
  const summer = Math.cos((2 * Math.PI * (at.quarter / quartersPerDay - 172)) / 365.25);
  const hours = 12 + 4 * summer;
  const height = Math.sin((Math.PI * (at.hour - 12.7 + hours / 2)) / hours);
  return Math.abs(at.hour - 12.7) > hours / 2 ? 0 : (0.6 + 0.35 * summer) * height;
};
/** Higher when it is warm outside. */
const cooling = (at: Moment, kw: number) => kw * (1 + 0.012 * (at.temperatureC - 10));

const device = (
  externalId: string,
  name: string,
  endUse: string | null,
  [ratedPowerKw, powerFactor, ...ripple]: readonly [ratedKw: number, factor: number, share: number, perQuarter: number],
  load: Load,
  special: Partial<DemoDevice> = {},
): DemoDevice => ({
  externalId,
  name,
  endUse,
  ratedPowerKw,
  powerFactor,
  ripple,
  load,
  sends: 'registers',
  ...special,
});

const behindMain = { partOf: 'demo-cold-store-main' } as const;

interface DemoTariff {
  /** The first tariff starts this many months before the demo. The history is shorter than two years. */
  monthsBefore: number;
  terms: Omit<MunicipalityTariff, 'id' | 'municipalityId' | 'isActive' | 'effectiveFrom' | 'effectiveTo'>;
}

const workdays = 31;
const everyDay = 127;

/** Decimals are texts, as they are printed on a price list. */
const period = (name: string, daysOfWeek: number, startTime: string, endTime: string, ratePerKwh: string) => ({
  id: randomUUIDv7(),
  name,
  daysOfWeek,
  startMinute: minuteOfDay(startTime),
  endMinute: minuteOfDay(endTime),
  ratePerKwh: money(ratePerKwh),
});

interface GermanRates {
  day: string;
  night: string;
  weekend: string;
}

/** The prices went up with the month before the demo began, so that the history has two tariffs. */
const german = (monthsBefore: number, rates: GermanRates, exportRate: string | null): DemoTariff => ({
  monthsBefore,
  terms: {
    name: monthsBefore > 1 ? 'Business day and night (former)' : 'Business day and night',
    currency: 'EUR',
    defaultRatePerKwh: money(rates.weekend),
    fixedChargePerMonth: money('18.9'),
    vatPercent: money('19'),
    exportRatePerKwh: exportRate === null ? null : money(exportRate),
    periods: [
      period('Day', workdays, '06:00', '22:00', rates.day),
      period('Night', everyDay, '22:00', '06:00', rates.night),
    ],
  },
});
/** Each call creates new objects, because a period belongs to one tariff. */
const germanTariffs = (exportRate: string | null = null): readonly DemoTariff[] => [
  german(24, { day: '0.2784', night: '0.2139', weekend: '0.2391' }, exportRate),
  german(1, { day: '0.2919', night: '0.2246', weekend: '0.2508' }, exportRate),
];

const puneTariffs: readonly DemoTariff[] = [
  {
    monthsBefore: 24,
    terms: {
      name: 'Industrial time-of-day with net feed-in',
      currency: 'INR',
      defaultRatePerKwh: money('8.36'),
      fixedChargePerMonth: money('14850'),
      vatPercent: money('7.5'),
      exportRatePerKwh: money('2.9'),
      periods: [
        period('Day, solar hours', everyDay, '09:00', '17:00', '7.11'),
        period('Evening peak', everyDay, '17:00', '24:00', '10.03'),
        period('Night', everyDay, '00:00', '06:00', '7.94'),
      ],
    },
  },
];

const chicagoTariffs: readonly DemoTariff[] = [
  {
    monthsBefore: 24,
    terms: {
      name: 'General service time-of-use',
      currency: 'USD',
      defaultRatePerKwh: money('0.0934'),
      fixedChargePerMonth: money('61.25'),
      vatPercent: money('5'),
      exportRatePerKwh: null,
      periods: [
        period('Day', workdays, '06:00', '14:00', '0.1086'),
        period('Peak', workdays, '14:00', '19:00', '0.1753'),
        period('Night', everyDay, '22:00', '06:00', '0.0641'),
      ],
    },
  },
];

type Where = Pick<DemoSite, 'municipality' | 'tariffs' | 'place' | 'grid'>;

const office: DemoSite = {
  name: 'Riverside office',
  municipality: 'Berlin',
  tariffs: germanTariffs(),
  place: { timeZone: 'Europe/Berlin', climate: { mean: 10, season: 9.5 }, lastWorkday: 5 },
  grid: { voltageV: 231, voltageSwing: 0.009, frequencyHz: 50 },
  devices: [
    device('demo-office-lighting', 'Lighting and sockets', 'Lighting', [40, 0.965, 0.06, 4], (at, noise) => {
      return 3.7 + 22 * atDesks(at) * varied(at, noise);
    }),
    device('demo-office-heat-pump', 'Heat pump and ventilation', 'HVAC', [45, 0.92, 0.3, 1], (at) => {
      const isOpen = shift(at, 5.5, 19);
      const heating = Math.max(0, 17 - at.temperatureC) * (0.6 + 0.4 * isOpen);
      return 0.8 + 5.2 * isOpen + heating + Math.max(0, at.temperatureC - 21) * isOpen;
    }),
    device(
      'demo-office-servers',
      'Server room',
      'IT',
      [16, 0.955, 0.1, 2],
      (at, noise) => cooling(at, 8) * (0.9 + 0.1 * varied(at, noise)) + atDesks(at),
      { replaced: { from: -17 * day + 492, to: -17 * day + 504 } },
    ),
  ],
};

const workshopAt = (where: Where, sun: (at: Moment) => number): DemoSite => ({
  name: 'Hillside workshop',
  ...where,
  devices: [
    // The machines of the hall and, on the same meter, the panels on its roof, so that it imports and exports.
    device(
      'demo-workshop-hall',
      'Main hall and rooftop PV',
      'Production',
      [80, 0.88, 0.25, 2],
      (at, noise) => {
        const clouds = Math.max(0, noise.smooth(at.quarter / 7));
        return 3.5 + 26 * inHall(at) * varied(at, noise) - 45 * sun(at) * (1 - 0.6 * clouds);
      },
      { sends: 'both' },
    ),
    device('demo-workshop-air', 'Compressed air', 'Compressed air', [22, 0.87, 0.5, 3], (at, noise) => {
      return 0.6 + 11 * inHall(at) * varied(at, noise);
    }),
    device(
      'demo-workshop-oven',
      'Paint oven',
      'Production',
      [40, 1, 0.2, 2],
      (at) => 0.2 + (at.weekday < 6 ? 30 * (between(at.hour, 9, 12.5) + between(at.hour, 14.5, 17)) : 0),
      { sends: 'power' },
    ),
  ],
});

const coldStoreAt = (where: Where): DemoSite => ({
  name: 'Lakeside cold store',
  ...where,
  devices: [
    // The chill room, the offices and the lights have no meters of their own.
    device(
      'demo-cold-store-main',
      'Main meter',
      null,
      [90, 0.9, 0.7, 1],
      (at) => cooling(at, 5) + 2 * shift(at, 5, 16.5),
    ),
    device(
      'demo-cold-store-freezer',
      'Freezer',
      'Refrigeration',
      [36, 0.87, 0.85, 1],
      (at) => cooling(at, 15),
      behindMain,
    ),
    device(
      'demo-cold-store-dock',
      'Dock and forklift charging',
      'Charging',
      [45, 0.93, 0.1, 4],
      (at, noise) => 1.4 + 6 * shift(at, 4.7, 17.2) + 24 * shift(at, 17, 20) * varied(at, noise),
      behindMain,
    ),
    device(
      'demo-cold-store-old-freezer',
      'Old freezer (out of service)',
      'Refrigeration',
      [22, 0.8, 0.7, 1],
      (at) => cooling(at, 9),
      {
        ...behindMain,
        retiredAt: -34 * day + 20 * 60,
      },
    ),
  ],
});

/**
 * Sites in three time zones and currencies, with ten devices. The devices without a main meter add up to the power that their
 * site takes from the grid: the feeders at two sites, the main meter at the third.
 */
export const demoSites: readonly DemoSite[] = [
  office,
  workshopAt(
    {
      municipality: 'Pune',
      tariffs: puneTariffs,
      place: { timeZone: 'Asia/Kolkata', climate: { mean: 25, season: 4 }, lastWorkday: 6 },
      grid: { voltageV: 236, voltageSwing: 0.024, frequencyHz: 50 },
    },
    tropicalSun,
  ),
  coldStoreAt({
    municipality: 'Chicago',
    tariffs: chicagoTariffs,
    place: { timeZone: 'America/Chicago', climate: { mean: 10.5, season: 13.5 }, lastWorkday: 6 },
    grid: { voltageV: 277, voltageSwing: 0.011, frequencyHz: 60 },
  }),
];

const germanPlace = (mean: number, season: number, lastWorkday: number): Place => ({
  timeZone: 'Europe/Berlin',
  climate: { mean, season },
  lastWorkday,
});

/** `Demo__World`: the same ten devices at sites of one country, or at sites with a time zone and currency each. */
export type DemoWorld = 'OneCountry' | 'SeveralCountries';

/** The seed of the noise. It also identifies the world of a database. */
export const worlds: Record<DemoWorld, { seed: number; sites: readonly DemoSite[] }> = {
  SeveralCountries: { seed: 1, sites: demoSites },
  OneCountry: {
    seed: 2,
    sites: [
      office,
      workshopAt(
        {
          municipality: 'Leipzig',
          tariffs: germanTariffs('0.0786'),
          place: germanPlace(10, 9.5, 5),
          grid: { voltageV: 232, voltageSwing: 0.012, frequencyHz: 50 },
        },
        northernSun,
      ),
      coldStoreAt({
        municipality: 'Hamburg',
        tariffs: germanTariffs(),
        place: germanPlace(9.5, 8.5, 6),
        grid: { voltageV: 229, voltageSwing: 0.01, frequencyHz: 50 },
      }),
    ],
  },
};

/**
 * The tariffs of a municipality for a demo that began on this day (days since 1970-01-01). Each applies until the next one
 * begins.
 */
export function demoTariffs(
  municipalityId: string,
  tariffs: readonly DemoTariff[],
  firstDay: number,
): MunicipalityTariff[] {
  const month = Temporal.PlainDate.from('1970-01-01').add({ days: firstDay }).with({ day: 1 });
  const startOf = ({ monthsBefore }: DemoTariff) => month.subtract({ months: monthsBefore }).toString();
  return tariffs.map((tariff, at) => {
    const next = tariffs[at + 1];
    return {
      ...tariff.terms,
      id: randomUUIDv7(),
      municipalityId,
      isActive: true,
      effectiveFrom: startOf(tariff),
      effectiveTo: next === undefined ? null : startOf(next),
    };
  });
}
