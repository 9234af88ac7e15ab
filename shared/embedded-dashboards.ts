import { z } from 'zod';
import { guid, instant, name, text } from './primitives.ts';

/** The maximum number of dashboards, because more would not fit a menu. */
export const maxEmbeddedDashboards = 50;

export const embeddedDashboard = z.object({
  id: guid,
  title: z.string(),
  description: z.string(),
  path: z.string().meta({ description: 'Path of the dashboard, under Dashboard__EmbedPathPrefix.' }),
  sortOrder: z.int().meta({ description: 'The lowest comes first.' }),
});
export const embeddedDashboards = z.array(embeddedDashboard);
export type EmbeddedDashboard = z.infer<typeof embeddedDashboard>;

const sortOrder = z.int().min(0).max(10_000);

/** For PUT: a field that is left out keeps its value. */
export const embeddedDashboardUpdate = z.object({
  title: name(100),
  description: text(0, 500).optional(),
  path: z.string().trim().max(500),
  sortOrder: sortOrder.optional(),
});
export const embeddedDashboardCreate = embeddedDashboardUpdate.extend({
  sortOrder: sortOrder.optional().meta({ description: 'Default: after all others.' }),
});
export type EmbeddedDashboardWrite = z.infer<typeof embeddedDashboardUpdate>;

/** The message from the tool's frame to the page around it: a dashboard was added to the menu, renamed there, or removed. */
export const menuChange = z.object({
  menuChange: z.object({ name: z.string(), title: z.string(), isShown: z.boolean(), isRenamed: z.boolean() }),
});
export type MenuChange = z.infer<typeof menuChange>;

/** `GET /api/embedded-dashboards/status`: the state of the dashboard tool, as far as this portal knows. */
export const dashboardToolStatus = z.object({
  state: z
    .enum(['off', 'installing', 'building', 'starting', 'running', 'failed'])
    .meta({ description: 'off: this portal neither starts a dashboard tool nor forwards requests to one.' }),
  since: instant,
  reason: z.string().nullable().meta({ description: 'Why it failed, in English.' }),
  failure: z
    .object({ code: z.enum(['notBuilt', 'ended', 'noAnswer']), detail: z.string() })
    .nullable()
    .meta({ description: 'The same as a code, with the last output of the program.' }),
  path: z.string().meta({ description: 'Dashboard__EmbedPathPrefix.' }),
});
export type DashboardToolStatus = z.infer<typeof dashboardToolStatus>;
