import type { fleet } from './en/fleet.ts';
import type { first } from './en/first.ts';
import type { numbers } from './en/numbers.ts';
import type { pages } from './en/pages.ts';

/** What every page may say, also before sign-in. */
export type FirstMessages = typeof first;

/** What the Dashboard's first numbers say besides. */
export type NumbersMessages = typeof numbers;

/** What the pages behind sign-in say besides, the first numbers among them. */
export type Messages = typeof pages;

/** What only the pages of the Admin mode say: no Client loads it. */
export type FleetMessages = typeof fleet;

/** The shape of a translation: the keys of the English catalogue, any text. */
export type Translated<Part> = {
  readonly [Key in keyof Part]: Part[Key] extends string ? string : Translated<Part[Key]>;
};
