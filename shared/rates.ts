import { z } from 'zod';
import { municipality } from './sites.ts';

/** One entry of `GET /api/rates`: a municipality with its tariffs; it has none until tariffs can be kept. */
export const municipalityWithTariffs = municipality.extend({ tariffs: z.array(z.never()) });
