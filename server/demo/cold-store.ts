import type { Load } from './load.ts';
import type { Moment } from './moments.ts';
import { createNoise } from './noise.ts';
import { cycling, inductive, plateau } from './shapes.ts';

interface Refrigeration {
  key: string;
  compressorKw: number;
  fansKw: number;
  periodMinutes: number;
  /** Share of the time that the compressor runs at 10 °C outside, and how much more a degree makes. */
  duty: { at10C: number; perDegree: number };
  defrost: { hours: readonly number[]; minutes: number; heaterKw: number; pullDownMinutes: number };
}

/** How much the doors to the dock are open. */
const doors = (at: Moment) => (at.isWorkday ? plateau(at.hour, 5, 16.5, 0.5) : 0);

/** Compressor cycles by the thermostat; a few times a day a defrost without cooling, after which it runs until it is cold again. */
function refrigeration(seed: number, plant: Refrigeration): Load {
  const thermostat = createNoise(seed, `${plant.key}/thermostat`);
  const slow = createNoise(seed, `${plant.key}/slow`);
  const fast = createNoise(seed, `${plant.key}/fast`);
  const clock = createNoise(seed, `${plant.key}/defrost`);
  const { defrost, duty } = plant;

  const defrostPhase = (at: Moment): 'heating' | 'pullDown' | 'none' => {
    for (const [index, hour] of defrost.hours.entries()) {
      const late = 12 * clock.uniform(at.localDay * defrost.hours.length + index);
      const since = at.hour * 60 - (hour * 60 + late);
      if (since < 0 || since >= defrost.minutes + defrost.pullDownMinutes) continue;
      return since < defrost.minutes ? 'heating' : 'pullDown';
    }
    return 'none';
  };
  return {
    activeKw(at) {
      const phase = defrostPhase(at);
      if (phase === 'heating') return 0.4 + defrost.heaterKw * (1 + 0.01 * fast.smooth(at.minute / 2));
      const wanted = duty.at10C + duty.perDegree * (at.temperatureC - 10) + 0.14 * doors(at);
      const running =
        phase === 'pullDown'
          ? 1
          : cycling(thermostat, at.minute, plant.periodMinutes, Math.min(0.95, Math.max(0.15, wanted)));
      // Warmer air at the condenser means more pressure, and more power for the same cold.
      const pressure = 1 + 0.006 * (at.temperatureC - 15) + 0.03 * slow.smooth(at.minute / 90);
      return plant.fansKw + plant.compressorKw * running * pressure * (1 + 0.015 * fast.smooth(at.minute / 1.4));
    },
    reactiveKvar: (at, activeKw) =>
      defrostPhase(at) === 'heating'
        ? inductive(activeKw, 0.99)
        : inductive(activeKw, Math.min(0.87, 0.68 + (0.19 * activeKw) / plant.compressorKw)),
  };
}

export const freezer = (seed: number) =>
  refrigeration(seed, {
    key: 'cold-store/freezer',
    compressorKw: 27,
    fansKw: 2.3,
    periodMinutes: 27,
    duty: { at10C: 0.43, perDegree: 0.011 },
    defrost: { hours: [3.5, 11.5, 19.5], minutes: 24, heaterKw: 13.5, pullDownMinutes: 38 },
  });

export const chillRoom = (seed: number) =>
  refrigeration(seed, {
    key: 'cold-store/chill-room',
    compressorKw: 11.5,
    fansKw: 1.2,
    periodMinutes: 16,
    duty: { at10C: 0.34, perDegree: 0.014 },
    defrost: { hours: [2.2, 14.2], minutes: 30, heaterKw: 0.3, pullDownMinutes: 20 },
  });

/** The compressor that the freezer had before: one speed, long cycles. */
export const oldFreezer = (seed: number) =>
  refrigeration(seed, {
    key: 'cold-store/old-freezer',
    compressorKw: 16,
    fansKw: 1.1,
    periodMinutes: 48,
    duty: { at10C: 0.5, perDegree: 0.012 },
    defrost: { hours: [6.5, 18.5], minutes: 35, heaterKw: 9, pullDownMinutes: 55 },
  });

const chargers = [0, 1, 2, 3, 4, 5];
const chargerKw = 4.6;

/** Lights and doors of the dock, and the forklifts, which charge after the shift and some over noon. */
export function dockAndForklifts(seed: number): Load {
  const plan = createNoise(seed, 'cold-store/dock/plan');
  const gate = createNoise(seed, 'cold-store/dock/gate');
  const fast = createNoise(seed, 'cold-store/dock/fast');

  /** Constant current, then a tail that halves every quarter-hour: `since` and `full` in hours. */
  const charge = (since: number, full: number) => {
    if (since < 0 || since > full + 2) return 0;
    return since < full ? chargerKw : chargerKw * 0.5 ** ((since - full) * 4);
  };
  const chargingKw = (at: Moment) => {
    let kw = 0;
    for (const charger of chargers) {
      const index = at.localDay * chargers.length + charger;
      if (at.isWorkday) {
        kw += charge(at.hour - (16.6 + 0.9 * plan.uniform(index)), 2.1 + 2.4 * plan.uniform(index + 1_000_000));
        if (charger % 2 === 0 && at.hour >= 11.75 && at.hour < 12.5) kw += chargerKw;
      }
    }
    return kw;
  };
  return {
    activeKw(at) {
      const shift = at.isWorkday ? plateau(at.hour, 4.7, 17.2, 0.15) : 0;
      const gates = shift > 0.5 && gate.uniform(Math.floor(at.minute / 2)) < 0.35 ? 2.2 : 0;
      return (1.4 + 5.8 * shift) * (1 + 0.02 * fast.smooth(at.minute / 1.6)) + gates + chargingKw(at);
    },
    reactiveKvar: (_at, activeKw) => inductive(activeKw, 0.93),
  };
}
