import type { EnergyRules } from '../../server/energy/energy.rules.ts';
import type { App } from '../../server/http/guard.ts';

export interface Session {
  app: App;
  headers: { cookie: string };
}

let made = 0;

/** Posts a request that must succeed. */
export async function post({ app, headers }: Session, url: string, payload: object) {
  const answer = await app.inject({ method: 'POST', url, payload, headers });
  if (answer.statusCode >= 300) throw new Error(`POST ${url}: ${answer.statusCode} ${answer.body}`);
  return answer;
}

const create = async (session: Session, url: string, payload: object): Promise<string> =>
  (await post(session, url, payload)).json<{ id: string }>().id;

/** A site in its own municipality; returns its id. */
export async function createSite(
  session: Session,
  { timeZone = 'Europe/Berlin', name = `Site ${(made += 1)}` } = {},
): Promise<string> {
  const municipalityId = await create(session, '/api/admin/rates/municipalities', {
    name: `Municipality of ${name}`,
    timeZone,
  });
  return create(session, '/api/admin/sites', { name, municipalityId });
}

/** A device of a site; returns its id. */
export async function createDevice(
  session: Session,
  siteId: string,
  device: { externalId: string; name?: string; isActive?: boolean; parentDeviceId?: string } & Partial<EnergyRules>,
): Promise<string> {
  return create(session, '/api/admin/devices', { name: device.externalId, ...device, siteId });
}

/** A tariff of a site's municipality, with another rate in the nights from Monday to Friday. */
export async function createTariff(session: Session, siteId: string, tariff: object = {}): Promise<void> {
  const site = await session.app.inject({ url: `/api/sites/${siteId}`, headers: session.headers });
  await post(session, '/api/admin/rates/tariffs', {
    municipalityId: site.json<{ municipalityId: string }>().municipalityId,
    name: 'Day and night',
    currency: 'EUR',
    effectiveFrom: '2026-01-01',
    defaultRatePerKwh: 0.2537,
    fixedChargePerMonth: 19.99,
    vatPercent: 19,
    exportRatePerKwh: 0.081,
    periods: [{ name: 'Night', daysOfWeek: 31, startTime: '22:00', endTime: '06:10', ratePerKwh: 0.1999 }],
    ...tariff,
  });
}
