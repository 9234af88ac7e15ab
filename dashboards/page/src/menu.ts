import { embeddedDashboard, embeddedDashboards, type MenuChange } from '../../../shared/embedded-dashboards.ts';
import { fetchJson, fetchNothing } from '../../../web/src/lib/http.ts';
import { basePath, type StoredDashboard } from './api.ts';

/** The menu of the portal, which has the same origin. */
const url = '/api/embedded-dashboards';
const most = { title: 100, description: 500 };

/** The entries of the menu that open a dashboard. */
export async function listEntries(name: string): Promise<{ id: string }[]> {
  const path = `${basePath}dashboards/${name}`;
  return (await fetchJson(url, embeddedDashboards)).filter((entry) => entry.path === path);
}

/** Adds a dashboard to the menu or removes it, and informs the page around the frame. */
export async function showInMenu({ name, title, spec }: StoredDashboard, isShown: boolean): Promise<void> {
  if (isShown) {
    const path = `${basePath}dashboards/${name}`;
    const description = spec.display?.description?.slice(0, most.description) ?? '';
    const json = { title: title.slice(0, most.title), description, path };
    await fetchJson(url, embeddedDashboard, { method: 'POST', json });
  } else {
    const entries = await listEntries(name);
    if (entries.length === 0) return;
    for (const { id } of entries) await fetchNothing(`${url}/${id}`, { method: 'DELETE' });
  }
  const said: MenuChange = { menuChange: { name, title, isShown } };
  if (window.parent !== window) window.parent.postMessage(said, window.location.origin);
}
