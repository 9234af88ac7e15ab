import { type ConfigEntry, configEntry } from '../../../../shared/app.ts';
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { fetchJson } from '../../lib/http.ts';

/** `GET /api/config`: changes only with a restart of the portal. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => fetchJson('/api/config', z.array(configEntry), { signal }),
  staleTime: 5 * 60_000,
});

export interface ConfigGroup {
  /** The part before `__` in the names: `Database`. */
  section: string;
  entries: ConfigEntry[];
}

/** The part after the section: `Database__ConnectionString` is `ConnectionString`. */
export function shortName(name: string): string {
  return name.slice(name.indexOf('__') + 2);
}

const sectionOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf('__')));

/** The entries whose name or value contains every word of the search, by section, in their original order. */
export function groupConfig(entries: readonly ConfigEntry[], search: string): ConfigGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, ConfigEntry[]>();
  for (const entry of entries) {
    const text = `${entry.name} ${entry.value ?? ''}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const section = sectionOf(entry.name);
    const group = groups.get(section) ?? [];
    group.push(entry);
    groups.set(section, group);
  }
  return [...groups].map(([section, found]) => ({ section, entries: found }));
}
