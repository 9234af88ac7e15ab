import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError } from '../domain/errors.ts';
import { Limiter } from '../domain/limiter.ts';

/** So many newcomers are let in before a piece of work whose turn it is. */
const maxNewcomers = 50;

const turns = new Limiter({ max: 1, refusal: () => new DomainError('unavailable', 'There is no turn.') });
let newcomers = 0;

/** Somebody has connected. */
export function noteNewcomer(): void {
  newcomers += 1;
}

/**
 * Lets others have their turn between two pieces of long work. Of all pieces that wait one is done in each turn of the event loop, those
 * of each kind of work in turn: with one of every request in it, a turn under load took 30 ms, and since Node accepts one
 * connection a turn, the 500th to connect waited for 8 s. So newcomers go first, too.
 */
export function letOthersRun(kind = ''): Promise<void> {
  return turns.run(letOneTurnPass, { key: kind });
}

async function letOneTurnPass(): Promise<void> {
  for (let letIn = 0; letIn < maxNewcomers; letIn += 1) {
    const before = newcomers;
    await nextTurn();
    if (newcomers === before) return;
  }
}
