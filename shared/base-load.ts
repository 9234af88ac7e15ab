import { z } from 'zod';
import { answeredRange, guid } from './primitives.ts';

/** `GET /api/dashboard/base-load`: what runs when nobody is there; docs/energy.md has the rule. */
export const baseLoad = z.object({
  ...answeredRange,
  baseLoadKw: z.number().nullable().meta({
    description: 'The median of the quietest hours of the nights; null with fewer than three measured nights.',
  }),
  nightCount: z.int().meta({ description: 'The number of nights, at most 28.' }),
  costs: z
    .array(z.object({ currency: z.string(), perYear: z.number() }))
    .meta({ description: 'Energy and VAT of a year at the tariffs in force at the end of the range.' }),
  unpricedKw: z.number().meta({ description: 'The part without a tariff in force; it is not in the costs.' }),
  devicesLeftOut: z.array(guid).meta({
    description: 'Devices with too few measured nights; not in these figures.',
  }),
});
export type BaseLoad = z.infer<typeof baseLoad>;
