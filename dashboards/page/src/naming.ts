import { ApiError } from '../../../web/src/lib/http.ts';
import { createDashboard, type StoredDashboard } from './api.ts';

/** The name of a dashboard in URLs: its title in lower-case letters, digits and hyphens. */
export function nameOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return plain === '' ? 'dashboard' : plain.slice(0, 58).replace(/-+$/, '');
}

const attempts = 20;

/** Creates the dashboard under a name made from its title. If the name is taken, a number is added. */
export async function createUnderFreeName(title: string, spec: unknown): Promise<StoredDashboard> {
  const name = nameOf(title);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await createDashboard(attempt === 1 ? name : `${name}-${attempt}`, spec);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || attempt === attempts) throw error;
    }
  }
}
