import { z } from 'zod';
import { guid, instant, name, text } from './primitives.ts';

/** More of them would be no menu any more. */
export const maxEmbeddedDashboards = 50;

export const embeddedDashboard = z.object({
  id: guid,
  title: z.string(),
  description: z.string(),
  path: z.string().meta({ description: 'of the dashboard, under Dashboard__EmbedPathPrefix' }),
  sortOrder: z.int().meta({ description: 'the lowest is first' }),
});
export type EmbeddedDashboard = z.infer<typeof embeddedDashboard>;

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

/** `GET /api/embedded-dashboards/status`: how the dashboard tool is, as far as this portal knows. */
export const dashboardToolStatus = z.object({
  state: z
    .enum(['off', 'installing', 'building', 'starting', 'running', 'failed'])
    .meta({ description: '`off`: this portal neither starts a dashboard tool nor passes requests on to one' }),
  since: instant,
  reason: z.string().nullable().meta({ description: 'why it failed, in a sentence of English' }),
  failure: z
    .object({ code: z.enum(['notBuilt', 'ended', 'noAnswer']), detail: z.string() })
    .nullable()
    .meta({ description: 'the same as a code, and what the program said last' }),
  path: z.string().meta({ description: 'Dashboard__EmbedPathPrefix' }),
});
export type DashboardToolStatus = z.infer<typeof dashboardToolStatus>;
