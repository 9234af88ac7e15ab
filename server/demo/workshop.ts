import type { Load } from './load.ts';
import type { Moment } from './moments.ts';
import { createNoise } from './noise.ts';
import { cycling, inductive, plateau } from './shapes.ts';

/** How busy the shift is: six days a week, Saturday until early afternoon, a break for lunch. */
function activity(at: Moment): number {
  if (!at.isWorkday) return 0;
  const end = at.weekday === 6 ? 13.2 : 18;
  const lunch = 1 - 0.85 * plateau(at.hour, 13.1, 13.75, 0.08);
  return plateau(at.hour, 8.6, end, 0.2) * lunch;
}

const machines = [
  { key: 'lathe', kw: 6.5, blockMinutes: 17 },
  { key: 'mill 1', kw: 8.8, blockMinutes: 23 },
  { key: 'mill 2', kw: 8.2, blockMinutes: 29 },
  { key: 'saw', kw: 4.2, blockMinutes: 7 },
  { key: 'press', kw: 7.4, blockMinutes: 11 },
];

/** One feeder: the machines of the hall, and behind the same meter the panels on its roof, so that it imports and exports. */
export function hallAndRoofPv(seed: number): Load {
  const sky = createSky(seed);
  const fast = createNoise(seed, 'workshop/hall/fast');
  const runs = machines.map((machine) => ({ ...machine, noise: createNoise(seed, `workshop/hall/${machine.key}`) }));

  const machinesKw = (at: Moment) => {
    const busy = activity(at);
    let kw = 0;
    for (const { kw: full, blockMinutes, noise } of runs) {
      const position = at.minute / blockMinutes;
      if (noise.uniform(Math.floor(position)) < 0.78 * busy) kw += full * (0.72 + 0.28 * noise.smooth(position * 5));
    }
    return kw;
  };
  const hallKw = (at: Moment) => {
    const lights = 3.8 * Math.max(activity(at), at.isWorkday ? plateau(at.hour, 8, 19, 0.1) : 0);
    const watch = at.sun > 0 ? 0 : 0.9;
    return (2.6 + watch + lights) * (1 + 0.02 * fast.smooth(at.minute / 1.5)) + machinesKw(at);
  };
  return {
    activeKw: (at) => hallKw(at) - roofKw(at, sky(at)),
    // The inverter feeds in at a power factor of one, so the reactive power is the machines' alone.
    reactiveKvar: (at) => 0.8 + inductive(machinesKw(at), 0.79),
  };
}

const panelsKwp = 58;
const inverterKw = 50;

/** Power of the panels in kW under a sky that lets this share of the light through. */
function roofKw(at: Moment, transmittance: number): number {
  if (at.sun <= 0) return 0;
  const cellC = at.temperatureC + 26 * at.sun * transmittance;
  const kw = panelsKwp * 0.9 * at.sun ** 1.12 * transmittance * (1 - 0.004 * (cellC - 25));
  return Math.min(inverterKw, Math.max(0, kw));
}

/** The share of the light that the clouds let through: clear, broken or grey days, and the monsoon from June to September. */
function createSky(seed: number): (at: Moment) => number {
  const days = createNoise(seed, 'workshop/sky/days');
  const clouds = createNoise(seed, 'workshop/sky/clouds');
  const wisps = createNoise(seed, 'workshop/sky/wisps');
  const haze = createNoise(seed, 'workshop/sky/haze');
  return (at) => {
    const season = (at.localDay / 365.2425) % 1;
    const monsoon = 0.55 * Math.exp(-(((season - 0.56) / 0.13) ** 2));
    const cover =
      0.05 + monsoon + 0.42 * (1 + days.smooth(at.minute / (30 * 60))) * (0.5 + 0.5 * haze.smooth(at.minute / 400));
    const texture = 0.7 * clouds.smooth(at.minute / 11) + 0.3 * wisps.smooth(at.minute / 2.6);
    const shaded = 1 / (1 + Math.exp(-9 * (texture + 1.7 * (cover - 0.62))));
    return (0.97 - 0.05 * cover) * (1 - shaded * (0.5 + 0.25 * Math.min(1, cover)));
  };
}

export function compressedAir(seed: number): Load {
  const demand = createNoise(seed, 'workshop/air/demand');
  const valve = createNoise(seed, 'workshop/air/valve');
  const leak = createNoise(seed, 'workshop/air/leak');
  const fast = createNoise(seed, 'workshop/air/fast');
  return {
    activeKw(at) {
      const busy = activity(at);
      const isOn = at.isWorkday && at.hour >= 8.1 && at.hour < (at.weekday === 6 ? 13.6 : 18.3);
      // Out of hours the leaks empty the tank about every hour and a half.
      if (!isOn) return 0.18 + 17.5 * cycling(leak, at.minute, 95, 0.025);
      const loaded = cycling(valve, at.minute, 5.5, 0.2 + busy * (0.42 + 0.22 * demand.smooth(at.minute / 18)));
      return (6.4 + 12.6 * loaded) * (1 + 0.015 * fast.smooth(at.minute / 1.2));
    },
    reactiveKvar: (_at, activeKw) => inductive(activeKw, Math.min(0.87, 0.55 + activeKw * 0.02)),
  };
}

/** An electric oven with a morning batch and, on most days, an afternoon batch; idle on Saturdays. */
export function paintOven(seed: number): Load {
  const plan = createNoise(seed, 'workshop/oven/plan');
  const thermostat = createNoise(seed, 'workshop/oven/thermostat');
  const fast = createNoise(seed, 'workshop/oven/fast');
  const heatUpHours = 0.65;
  return {
    activeKw(at) {
      const late = 0.4 * plan.uniform(at.localDay * 2);
      const batches = [
        { from: 8.9 + late, to: 12.4 + late },
        ...(plan.uniform(at.localDay * 2 + 1) < 0.75 ? [{ from: 13.9 + late, to: 17 + late / 2 }] : []),
      ];
      const batch =
        at.weekday === 6 || !at.isWorkday ? undefined : batches.find((b) => at.hour >= b.from && at.hour < b.to);
      if (batch === undefined) return 0.12;
      const fan = 2.4;
      const isHeatingUp = at.hour < batch.from + heatUpHours;
      const heating = isHeatingUp ? 1 : cycling(thermostat, at.minute, 6, 0.46);
      return fan + 33.5 * heating * (1 + 0.01 * fast.smooth(at.minute / 3));
    },
    reactiveKvar: (_at, activeKw) => inductive(activeKw, 0.985),
  };
}
