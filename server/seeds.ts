import { refuseShippedPassword, seedDefaultAdmin } from './accounts/accounts.ts';
import { seedBranding } from './branding/branding.ts';
import { seedEmbeddedDashboards } from './dashboards/embedded-dashboards.ts';
import { type AccountContext, accountPartsOf } from './accounts/open.ts';
import type { Context } from './http/context.ts';
import { shippedAdmin } from './settings/definitions.ts';

/** Writes what every portal has from its first start on. Production refuses an administrator with the password that ships. */
export async function seed(context: Omit<Context, 'engine'> & AccountContext): Promise<void> {
  const { config, database, log } = context;
  await seedBranding({ database, whiteLabel: config.whiteLabel });
  const accounts = accountPartsOf(context);
  const { defaultAdminEmail: email, defaultAdminPassword: password } = config.authentication;
  const by = { actor: { kind: 'system' }, log } as const;
  if (await seedDefaultAdmin(accounts, by, { email, password }))
    log.info({ email }, 'created the default admin account');
  if (config.environment === 'Production') {
    await refuseShippedPassword(accounts, [email, shippedAdmin.email], shippedAdmin.password);
  }
  await seedEmbeddedDashboards(database);
}
