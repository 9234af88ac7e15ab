import type { EnergyRules } from '../../server/domain/energy.ts';
import type { App } from '../../server/http/typed-app.ts';

interface Session {
  app: App;
  headers: { cookie: string };
}

let made = 0;

async function create(session: Session, url: string, payload: object): Promise<string> {
  const answer = await session.app.inject({ method: 'POST', url, payload, headers: session.headers });
  if (answer.statusCode !== 201) throw new Error(`POST ${url}: ${answer.statusCode} ${answer.body}`);
  return answer.json<{ id: string }>().id;
}

/** A site in a municipality of its own; answers its id. */
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

/** A device of a site; answers its id. */
export async function createDevice(
  session: Session,
  siteId: string,
  device: { externalId: string; name?: string; isActive?: boolean; parentDeviceId?: string } & Partial<EnergyRules>,
): Promise<string> {
  return create(session, '/api/admin/devices', { name: device.externalId, ...device, siteId });
}
