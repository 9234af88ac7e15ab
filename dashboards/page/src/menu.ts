import {
  embeddedDashboard,
  type EmbeddedDashboard,
  embeddedDashboards,
  type MenuChange,
} from '../../../shared/embedded-dashboards.ts';
import { fetchJson, fetchNothing } from '../../../web/src/lib/http.ts';
import { basePath, type StoredDashboard } from './api.ts';

/** The menu of the portal, which is at the same origin. */
const url = '/api/embedded-dashboards';
const most = { title: 100, description: 500 };

/** The entries of the menu that open a dashboard. */
export async function listEntries(name: string): Promise<EmbeddedDashboard[]> {
  const path = `${basePath}dashboards/${name}`;
  return (await fetchJson(url, embeddedDashboards)).filter((entry) => entry.path === path);
}

/**
 * Adds a dashboard to the menu or removes it, and tells the page around the frame. An entry whose title is the old title of the
 * dashboard gets the new title. Other titles stay, because an administrator has chosen them.
 */
export async function showInMenu(
  { name, title, spec }: StoredDashboard,
  isShown: boolean,
  titleBefore = title,
): Promise<void> {
  const entries = await listEntries(name);
  const shortTitle = title.slice(0, most.title);
  const isRenamed = isShown && entries.length > 0;
  if (isRenamed) {
    for (const { id, path, ...entry } of entries) {
      if (entry.title !== titleBefore.slice(0, most.title)) continue;
      await fetchJson(`${url}/${id}`, embeddedDashboard, { method: 'PUT', json: { title: shortTitle, path } });
    }
  } else if (isShown) {
    const path = `${basePath}dashboards/${name}`;
    const description = spec.display?.description?.slice(0, most.description) ?? '';
    await fetchJson(url, embeddedDashboard, { method: 'POST', json: { title: shortTitle, description, path } });
  } else {
    if (entries.length === 0) return;
    for (const { id } of entries) await fetchNothing(`${url}/${id}`, { method: 'DELETE' });
  }
  const said: MenuChange = { menuChange: { name, title, isShown, isRenamed } };
  if (window.parent !== window) window.parent.postMessage(said, window.location.origin);
}
