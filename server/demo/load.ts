import type { Moment } from './moments.ts';

/** What flows through a meter in a minute, as a pure function of that minute. Positive is import, negative is export. */
export interface Load {
  /** Mean active power of the minute in kW. */
  activeKw(at: Moment): number;
  /** Mean reactive power of the minute in kvar; positive is inductive. */
  reactiveKvar(at: Moment, activeKw: number): number;
}
