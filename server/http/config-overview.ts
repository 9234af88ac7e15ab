import { z } from 'zod';
import { type ConfigEntry, configEntry } from '../../shared/app.ts';
import type { App } from './typed-app.ts';
import { type Guard, guarded } from './guard.ts';

/** `GET /api/config`: the settings and their sources, without secrets (specification, Authentication 5). */
export function configOverviewRoutes(app: App, guard: Guard, overview: readonly ConfigEntry[]): void {
  app.get(
    '/api/config',
    guarded(guard.admin, {
      tags: ['Application'],
      summary: 'Configuration overview',
      response: { 200: z.array(configEntry) },
    }),
    async () => [...overview],
  );
}
