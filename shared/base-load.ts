import { z } from 'zod';
import { answeredRange, guid } from './primitives.ts';

/** `GET /api/dashboard/base-load`: what runs when nobody is there; docs/energy.md has the rule. */
export const baseLoad = z.object({
  ...answeredRange,
  baseLoadKw: z
    .number()
    .nullable()
    .meta({ description: 'the median of the quietest hours of the nights; null where fewer than three were measured' }),
  nightCount: z.int().meta({ description: 'of how many nights, at most 28' }),
  costs: z
    .array(z.object({ currency: z.string(), perYear: z.number() }))
    .meta({ description: 'energy and VAT of a year at the tariffs in force at the end of the range' }),
  unpricedKw: z
    .number()
    .meta({ description: 'the part of it for which no tariff is in force at that end; it is in no cost' }),
  devicesLeftOut: z.array(guid).meta({
    description: 'devices that measure, but not on enough of these nights; they are in none of these numbers',
  }),
});
export type BaseLoad = z.infer<typeof baseLoad>;
