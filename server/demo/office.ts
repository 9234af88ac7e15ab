import type { Load } from './load.ts';
import type { Moment } from './moments.ts';
import { createNoise } from './noise.ts';
import { cycling, inductive, plateau, ramp } from './shapes.ts';

/** The share of people at their desks: in from half past six, lunch after noon, Fridays at home. */
function presence(at: Moment): number {
  if (!at.isWorkday) return 0.04 * plateau(at.hour, 10, 16, 1);
  const day = ramp(at.hour, 6.4, 9.3) * (1 - ramp(at.hour, 15.8, 19.2));
  const lunch = 1 - 0.22 * Math.exp(-(((at.hour - 12.5) / 0.5) ** 2));
  return day * lunch * (at.weekday === 5 ? 0.72 : 1);
}

export function lightingAndSockets(seed: number): Load {
  const slow = createNoise(seed, 'office/lighting/slow');
  const fast = createNoise(seed, 'office/lighting/fast');
  const kettle = createNoise(seed, 'office/lighting/kettle');
  return {
    activeKw(at) {
      const people = presence(at);
      const daylight = Math.min(1, at.sun * 2.2);
      const lights = 9.5 * Math.min(1, people * 1.6) * (1 - 0.5 * daylight);
      const cleaning = at.isWorkday ? 2.6 * plateau(at.hour, 19.3, 20.8, 0.1) : 0;
      const kettles = kettle.uniform(Math.floor(at.minute / 3)) < 0.3 * people ? 2.1 : 0;
      const desks = 13.5 * people * (1 + 0.07 * slow.smooth(at.minute / 25));
      return (3.7 + lights + cleaning + desks) * (1 + 0.025 * fast.smooth(at.minute / 1.7)) + kettles;
    },
    // Switched-mode supplies and their filters: a little capacitive when there is little else.
    reactiveKvar: (_at, activeKw) => inductive(activeKw, 0.965) - 1.3,
  };
}

export function heatPumpAndVentilation(seed: number): Load {
  const slow = createNoise(seed, 'office/heat-pump/slow');
  const fast = createNoise(seed, 'office/heat-pump/fast');
  const compressor = createNoise(seed, 'office/heat-pump/compressor');
  const lowestKw = 4.5;
  return {
    activeKw(at) {
      const opening = at.isWorkday ? plateau(at.hour, 5.5, 19.5, 0.15) : 0;
      const boost = at.isWorkday ? 0.4 * plateau(at.hour, 5.2, 7.6, 0.3) : 0;
      const heating = 0.72 * Math.max(0, 17 - at.temperatureC) * (0.55 + 0.45 * opening + boost);
      const cooling = 1.05 * Math.max(0, at.temperatureC - 21) * (0.12 + 0.88 * opening);
      const wanted = (heating + cooling) * (1 + 0.1 * slow.smooth(at.minute / 35));
      // Below its lowest speed the compressor can only switch on and off.
      const running = wanted >= lowestKw ? wanted : lowestKw * cycling(compressor, at.minute, 22, wanted / lowestKw);
      return 0.75 + 5.2 * opening + running * (1 + 0.02 * fast.smooth(at.minute / 1.3));
    },
    reactiveKvar: (_at, activeKw) => inductive(activeKw, Math.min(0.92, 0.78 + activeKw * 0.012)),
  };
}

export function serverRoom(seed: number): Load {
  const slow = createNoise(seed, 'office/servers/slow');
  const fast = createNoise(seed, 'office/servers/fast');
  const cooler = createNoise(seed, 'office/servers/cooler');
  return {
    activeKw(at) {
      const backups = 0.9 * plateau(at.hour < 12 ? at.hour + 24 : at.hour, 22.5, 25.2, 0.15);
      const users = 0.7 * presence(at);
      const servers = (6.9 + backups + users) * (1 + 0.03 * slow.smooth(at.minute / 240));
      const cooling = 2.6 * cycling(cooler, at.minute, 14, 0.42 + 0.008 * at.temperatureC);
      return servers * (1 + 0.008 * fast.smooth(at.minute / 1.1)) + cooling;
    },
    reactiveKvar: (_at, activeKw) => inductive(activeKw, 0.955),
  };
}
