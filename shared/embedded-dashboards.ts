import { z } from 'zod';
import { guid, name, text } from './primitives.ts';

/** More of them would be no menu any more. */
export const maxEmbeddedDashboards = 50;

export const embeddedDashboard = z.object({
  id: guid,
  title: z.string(),
  description: z.string(),
  path: z.string().meta({ description: 'of the dashboard, under Dashboard__EmbedPathPrefix' }),
  sortOrder: z.int().meta({ description: 'the lowest is first' }),
});

const sortOrder = z.int().min(0).max(10_000);

/** For PUT: a field that is left out keeps its value. */
export const embeddedDashboardUpdate = z.object({
  title: name(100),
  description: text(0, 500).optional(),
  path: z.string().trim().max(500, 'must have at most 500 characters'),
  sortOrder: sortOrder.optional(),
});
export const embeddedDashboardCreate = embeddedDashboardUpdate.extend({
  sortOrder: sortOrder.optional().meta({ description: 'behind all others where it is left out' }),
});
export type EmbeddedDashboardWrite = z.infer<typeof embeddedDashboardUpdate>;
