import type { ExactDevice, ExactReading } from './exact-energy.ts';

/**
 * Meters that are the same in every run and on every machine. They behave like real ones, each in another zone on days with
 * clock changes. They replace real data where there is none.
 */

export interface GeneratedMeter {
  name: string;
  zone: string;
  device: ExactDevice;
  readings: ExactReading[];
  /** Energy in mWh by the rules, from everything that was added to its registers. Null for meters of power. */
  counted: { imported: bigint; exported: bigint } | null;
}

const second = 1_000_000n;
const minute = 60n * second;
const usual: ExactDevice = {
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
};

/** Mulberry32: whole numbers below a bound, by a seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What happens to a register at a reading. */
type Event = 'glitch' | 'spike' | 'reset' | 'stepBack' | 'jitter' | 'null' | 'gap' | 'burst';

interface Plan {
  name: string;
  zone: string;
  /** Local date of the first reading. */
  firstDay: string;
  days: number;
  everyMinutes: number;
  device?: Partial<ExactDevice>;
  /** mWh at the start; null for none. */
  imported?: number | null;
  exported?: number | null;
  /** Largest import and export in mW. */
  most?: number;
  least?: number;
  /** One of this many readings starts one of these events. */
  oneIn?: number;
  events?: readonly Event[];
}

const wh = 1000n;

function generate(plan: Plan, seed: number): GeneratedMeter {
  const random = randomOf(seed);
  const device = { ...usual, ...plan.device };
  const start = Temporal.PlainDate.from(plan.firstDay).toZonedDateTime(plan.zone).epochNanoseconds / 1000n;
  const most = plan.most ?? 9_000_000;
  const least = plan.least ?? 0;
  const registerMax = device.registerMaxKwh === null ? null : BigInt(device.registerMaxKwh) * 1_000_000n;
  const opens = (value: number | null | undefined) => (value === null || value === undefined ? null : BigInt(value));
  const registers = { imported: opens(plan.imported), exported: opens(plan.exported) };
  /** The register at the last kept reading, and the energy since the first one. */
  const said: Record<'imported' | 'exported', bigint | null> = { imported: null, exported: null };
  const counted = { imported: 0n, exported: 0n };
  const readings: ExactReading[] = [];
  let left: { event: Event; count: number } = { event: 'null', count: -5 };
  const count = (plan.days * 1440) / plan.everyMinutes;
  for (let at = 0; at < count; at += 1) {
    // A few seconds off, so that no reading lies on an edge.
    const time = start + BigInt(at * plan.everyMinutes) * minute + BigInt(random(40)) * second + BigInt(random(1000));
    const power = BigInt(least + random(most - least));
    // Whole Wh, as most meters count.
    const step = (((power < 0n ? -power : power) * BigInt(plan.everyMinutes)) / 60n / wh) * wh;
    const growing = power < 0n ? 'exported' : 'imported';
    const grown = registers[growing];
    if (grown !== null)
      registers[growing] =
        registerMax !== null && grown + step >= registerMax ? grown + step - registerMax : grown + step;
    const isEdge = at < 8 || at > count - 8;
    // Each event is followed by some readings without one, so that two do not become a longer one.
    if (left.count > -5) left = { event: left.event, count: left.count - 1 };
    else if (!isEdge && plan.oneIn !== undefined && random(plan.oneIn) === 0) {
      const events = plan.events ?? [];
      const event = events[random(events.length)] ?? 'null';
      left = {
        event,
        count: event === 'gap' ? 2 + random(9) : event === 'glitch' || event === 'spike' ? random(3) : 0,
      };
      if (event === 'reset')
        for (const name of ['imported', 'exported'] as const) if (registers[name] !== null) registers[name] = step;
      if (event === 'stepBack') stepBack(registers, (value) => value / 25n);
      if (event === 'jitter') stepBack(registers, () => 60_000n);
      if (event === 'burst' && registers.imported !== null) registers.imported += 500_000_000n;
    }
    const isNow = (event: Event) => left.count >= 0 && left.event === event;
    if (isNow('gap')) continue;
    const value = (name: 'imported' | 'exported') => {
      const own = registers[name];
      if (own === null || isNow('null')) return null;
      if (isNow('glitch')) return 0n;
      if (isNow('spike')) return own * 3n + 99_000_000_000n;
      // The energy that counts, by the event since the previous reading.
      const before = said[name];
      if (before !== null) counted[name] += countOf(before, own, registerMax, isNow('burst') && name === 'imported');
      said[name] = own;
      return own;
    };
    readings.push({ time, power, imported: value('imported'), exported: value('exported') });
  }
  const hasRegister = registers.imported !== null || registers.exported !== null;
  const isCounted = hasRegister && device.energySource === 'register';
  return { name: plan.name, zone: plan.zone, device, readings, counted: isCounted ? counted : null };
}

function stepBack(registers: Record<'imported' | 'exported', bigint | null>, by: (value: bigint) => bigint): void {
  for (const name of ['imported', 'exported'] as const) {
    const own = registers[name];
    if (own !== null) registers[name] = own - by(own);
  }
}

/**
 * The planted events are known: a small fall is noise, a larger one a step back, and one to almost nothing a reset or a
 * rollover.
 */
function countOf(before: bigint, now: bigint, registerMax: bigint | null, isImplausible: boolean): bigint {
  if (isImplausible) return 0n;
  if (now >= before || before - now <= 60_000n) return now - before;
  if (now > before / 2n) return 0n;
  return registerMax === null ? now : registerMax - before + now;
}

const plans: readonly Plan[] = [
  {
    name: 'a meter that answers 0 now and then and spikes, as the clocks of Berlin go forward',
    zone: 'Europe/Berlin',
    firstDay: '2026-03-28',
    days: 3,
    everyMinutes: 1,
    device: { energySource: 'register' },
    imported: 1_400_000_000,
    oneIn: 60,
    events: ['glitch', 'spike', 'null'],
  },
  {
    name: 'import and export of a roof, as the clocks of Berlin go back',
    zone: 'Europe/Berlin',
    firstDay: '2025-10-25',
    days: 3,
    everyMinutes: 1,
    device: { energySource: 'register' },
    imported: 87_654_321_000,
    exported: 12_345_678_000,
    most: 4_000_000,
    least: -7_000_000,
    oneIn: 90,
    events: ['jitter', 'null', 'glitch'],
  },
  {
    name: 'a meter that is replaced and falls silent, as the clocks of New York go forward',
    zone: 'America/New_York',
    firstDay: '2026-03-07',
    days: 5,
    everyMinutes: 15,
    device: { energySource: 'register' },
    imported: 700_000_000,
    oneIn: 40,
    events: ['reset', 'gap', 'gap', 'null'],
  },
  {
    name: 'a meter that loses what it counted, as the clocks of New York go back',
    zone: 'America/New_York',
    firstDay: '2025-11-01',
    days: 4,
    everyMinutes: 5,
    device: { energySource: 'register' },
    imported: 300_000_000,
    exported: 50_000_000,
    oneIn: 50,
    events: ['stepBack', 'jitter', 'null'],
  },
  {
    name: 'a register of five digits that turns over, in Kathmandu',
    zone: 'Asia/Kathmandu',
    firstDay: '2026-03-10',
    days: 3,
    everyMinutes: 15,
    device: { energySource: 'register', registerMaxKwh: 1000 },
    imported: 930_000_000,
    most: 40_000_000,
    oneIn: 60,
    events: ['null', 'gap'],
  },
  {
    name: 'steps that no cable could carry, as half an hour occurs twice on Lord Howe',
    zone: 'Australia/Lord_Howe',
    firstDay: '2026-04-04',
    days: 3,
    everyMinutes: 15,
    device: { energySource: 'register', ratedPowerKw: 12 },
    imported: 6_000_000_000,
    oneIn: 20,
    events: ['burst', 'burst', 'jitter'],
  },
  {
    name: 'power alone that crosses zero and falls silent, as half an hour of Lord Howe does not exist',
    zone: 'Australia/Lord_Howe',
    firstDay: '2025-10-04',
    days: 3,
    everyMinutes: 5,
    most: 6_000_000,
    least: -5_000_000,
    oneIn: 60,
    events: ['gap'],
  },
  {
    name: 'hourly readings of a device that reports hourly, in Kathmandu',
    zone: 'Asia/Kathmandu',
    firstDay: '2026-03-14',
    days: 4,
    everyMinutes: 60,
    device: { energySource: 'register', expectedIntervalSeconds: 3600 },
    imported: 44_000_000,
    exported: 9_000_000,
    least: -3_000_000,
    oneIn: 20,
    events: ['gap', 'null'],
  },
];

/** Registers for some hours only, of a meter that otherwise sends its power. */
function partly(meter: GeneratedMeter): GeneratedMeter {
  const [from, to] = [Math.floor(meter.readings.length / 3), Math.floor((2 * meter.readings.length) / 3)];
  const readings = meter.readings.map((reading, at) =>
    at >= from && at < to ? reading : { ...reading, imported: null, exported: null },
  );
  return { ...meter, name: 'registers for a third of the time, power before and after', readings, counted: null };
}

export const generatedMeters: readonly GeneratedMeter[] = [
  ...plans.map((plan, at) => generate(plan, 1000 + at)),
  partly(
    generate(
      {
        name: '',
        zone: 'America/New_York',
        firstDay: '2026-03-07',
        days: 3,
        everyMinutes: 10,
        imported: 5_000_000_000,
        most: 5_000_000,
        least: -2_000_000,
        oneIn: 50,
        events: ['gap', 'null'],
      },
      2000,
    ),
  ),
];

/** Ranges of a meter: its whole time, one within a quarter-hour, and others with random ends. */
export function generatedRanges({ readings }: GeneratedMeter, count: number): { from: bigint; to: bigint }[] {
  const random = randomOf(readings.length);
  const [first, last] = [readings[0]?.time ?? 0n, readings.at(-1)?.time ?? 0n];
  const anywhere = () => first + (BigInt(random(1_000_000)) * (last - first)) / 1_000_000n;
  const inside = anywhere();
  const ranges = [
    { from: first - 60n * minute, to: last + 60n * minute },
    { from: inside, to: inside + 100n * second },
  ];
  while (ranges.length < count) {
    const [a, b] = [anywhere(), anywhere()];
    if (a !== b) ranges.push(a < b ? { from: a, to: b } : { from: b, to: a });
  }
  return ranges;
}

/** A tariff with everything: periods on some days, past midnight and with an edge inside a slot, export, charge and VAT. */
export const generatedTariff = {
  currency: 'EUR',
  defaultRatePerKwh: 0.2537,
  fixedChargePerMonth: 19.99,
  vatPercent: 19,
  exportRatePerKwh: 0.081,
  periods: [
    { name: 'Working night', daysOfWeek: 31, startTime: '22:00', endTime: '06:10', ratePerKwh: 0.1999 },
    { name: 'Saturday night', daysOfWeek: 32, startTime: '21:35', endTime: '05:05', ratePerKwh: 0.1111 },
    { name: 'Noon', daysOfWeek: 127, startTime: '11:07', endTime: '13:00', ratePerKwh: 0.3333 },
  ],
};
