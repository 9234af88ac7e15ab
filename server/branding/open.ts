import type { Context } from '../http/context.ts';
import type { Guard, App } from '../http/guard.ts';
import { installRoutes } from './install.routes.ts';
import { getBranding } from './branding.ts';
import { brandingRoutes, uploadRoutes } from './branding.routes.ts';
import { openUploads } from './uploads.ts';

/** The brand of the portal, with its uploaded logos. */
export async function openBranding({ config, database }: Pick<Context, 'config' | 'database'>) {
  const uploads = await openUploads(config.storage.uploadsPath);
  const branding = { database, uploads, whiteLabel: config.whiteLabel };
  return {
    current: () => getBranding(branding),
    applicationName: async () => (await getBranding(branding)).applicationName,
    async routes(app: App, guard: Guard): Promise<void> {
      // Registered in a scope of its own, because only this scope accepts multipart forms.
      await app.register(async (scope) => brandingRoutes(scope, branding, guard));
      await uploadRoutes(app, { uploads });
      installRoutes(app, () => getBranding(branding));
    },
  };
}
