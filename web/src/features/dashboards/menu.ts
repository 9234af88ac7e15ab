import type { EmbeddedDashboard } from '../../../../shared/embedded-dashboards.ts';

export interface MenuItem {
  /** The dashboard in the URL of the page: its name in the tool, if the name is plain and unique, otherwise its id. */
  key: string;
  title: string;
  description: string;
  path: string;
}

/** Creates a dashboard. It stands in place of a name, because names in the tool have no underscore. */
export const newDashboard = '_new';

const plainName = /^[\w.-]+$/;
const folderOf = (prefix: string) => `${prefix}/dashboards/`;

export function menuOf(dashboards: readonly EmbeddedDashboard[], prefix: string): MenuItem[] {
  const taken = new Set<string>();
  return dashboards.map(({ id, title, description, path }) => {
    const name = path.startsWith(folderOf(prefix)) ? path.slice(folderOf(prefix).length) : '';
    const key = plainName.test(name) && !taken.has(name) ? name : id;
    taken.add(key);
    return { key, title, description, path };
  });
}

/**
 * What a URL shows: a dashboard of the menu, a dashboard of the tool that is not in the menu, the first one, or the start page
 * of the tool.
 */
export function chosenOf(menu: readonly MenuItem[], key: string | undefined, prefix: string): MenuItem {
  const start = { key: '', title: '', description: '', path: `${prefix}/` };
  if (key === undefined) return menu[0] ?? start;
  if (key === newDashboard) return { ...start, key, path: `${prefix}/new` };
  const named = { ...start, key, title: key, path: `${folderOf(prefix)}${key}` };
  return menu.find((item) => item.key === key) ?? (plainName.test(key) ? named : (menu[0] ?? start));
}

/** The URL of the frame. */
export const frameUrl = (path: string, theme: 'light' | 'dark'): string =>
  `${path}${path.includes('?') ? '&' : '?'}theme=${theme}`;
