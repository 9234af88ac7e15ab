import { expect, it } from 'vitest';
import { openWorld } from '../support/chaos/world.ts';

// `npm run chaos` sets them.
const { CHAOS_ROUNDS = '5', CHAOS_SEED = '20261122' } = process.env;
const [rounds, seed] = [Number(CHAOS_ROUNDS), Number(CHAOS_SEED)];
/** A few seconds suffice; a slow machine gets more. */
const patienceMs = 180_000;

it(
  `a Client loses no row to the fleet: ${rounds} rounds in which both portals and both databases are killed`,
  { timeout: (rounds + 2) * (patienceMs + 60_000) },
  async () => {
    const say = (text: string) => process.stderr.write(`chaos, seed ${seed}: ${text}\n`);
    await using world = await openWorld(seed);
    for (let round = 1; round <= rounds; round += 1) {
      await world.rage();
      const found = await world.differences({ withEnergy: round === rounds, patienceMs });
      // Everything in the first line of the message: that is all that remains of a run that passes when it is repeated.
      expect(found, `round ${round}, seed ${seed}: ${world.summary()} ${found.join('; ')}`).toEqual([]);
      say(`${round} rounds, ${world.summary()}`);
    }
  },
);
