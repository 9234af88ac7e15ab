import type { DashboardSpec } from '@perses-dev/core';
import {
  dashboardSpec,
  dashboardVersions,
  type DashboardVersion,
  heatmapAnswer,
  listedDashboards,
  seriesAnswer,
  storedDashboard,
  toolCustomers,
  toolDevices,
  toolSites,
  toolUser,
  totalsAnswer,
  type HeatmapAnswer,
  type HeatmapQuestion,
  type ListedDashboard,
  type SeriesAnswer,
  type SeriesQuestion,
  type StoredDashboard as OfServer,
  type ToolUser,
  type TotalsAnswer,
  type TotalsQuestion,
} from '../../../shared/dashboard-tool.ts';
import { translator } from './shipped.ts';
import { shippedTexts } from './texts.ts';
import { ContractError, fetchJson, fetchNothing, type RequestOptions } from '../../../web/src/lib/http.ts';
import { noted } from './pending.ts';

/** A dashboard as Perses defines it. Our schema accepts only a part of these. */
export type StoredDashboard = Omit<OfServer, 'spec'> & { spec: DashboardSpec };

export const isDashboard = (spec: unknown): spec is DashboardSpec => dashboardSpec.safeParse(spec).success;

async function fetchDashboard(path: string, options: RequestOptions): Promise<StoredDashboard> {
  const { spec: kept, title, ...stored } = await fetchJson(at(path), storedDashboard, options);
  const spec = shipped.shown(kept);
  if (!isDashboard(spec)) throw new ContractError(`${path} is no dashboard`);
  return { ...stored, title: shipped.text(title), spec };
}

/** The URL of the tool: the `base` of the page, which the server writes. It ends with a slash. */
export const basePath = new URL('.', document.baseURI).pathname;

const shipped = translator(shippedTexts);

const at = (path: string): string => `${basePath}api/${path}`;

function filtered(path: string, filter: Record<string, readonly string[]>): string {
  const words = new URLSearchParams(
    Object.entries(filter).flatMap(([name, values]) => values.map((value) => [name, value])),
  ).toString();
  return words === '' ? at(path) : `${at(path)}?${words}`;
}

export const getUser = (): Promise<ToolUser> => fetchJson(at('me'), toolUser);
export const listCustomers = () => fetchJson(at('customers'), toolCustomers);
export const listSites = (filter: { customer: readonly string[] }) => fetchJson(filtered('sites', filter), toolSites);
export const listDevices = (filter: { site: readonly string[]; customer: readonly string[] }) =>
  fetchJson(filtered('devices', filter), toolDevices);

export const askSeries = (question: SeriesQuestion): Promise<SeriesAnswer> =>
  fetchJson(at('query'), seriesAnswer, { method: 'POST', json: question }).then(noted);
export const askTotals = (question: TotalsQuestion): Promise<TotalsAnswer> =>
  fetchJson(at('totals'), totalsAnswer, { method: 'POST', json: question }).then(noted);
export const askHeatmap = (question: HeatmapQuestion, signal?: AbortSignal): Promise<HeatmapAnswer> =>
  fetchJson(at('heatmap'), heatmapAnswer, { method: 'POST', json: question, ...(signal && { signal }) }).then(noted);

export const listDashboards = async (): Promise<ListedDashboard[]> =>
  (await fetchJson(at('dashboards'), listedDashboards)).map(({ title, description, ...listed }) => ({
    ...listed,
    title: shipped.text(title),
    description: description && shipped.text(description),
  }));
export const getDashboard = (name: string, version?: number): Promise<StoredDashboard> =>
  fetchDashboard(`dashboards/${encodeURIComponent(name)}`, { query: { version } });
export const listVersions = (name: string): Promise<DashboardVersion[]> =>
  fetchJson(at(`dashboards/${encodeURIComponent(name)}/versions`), dashboardVersions);

/** `spec` comes from Perses, and the server validates it. */
export const createDashboard = (name: string, spec: unknown): Promise<StoredDashboard> =>
  fetchDashboard('dashboards', { method: 'POST', json: { name, spec: shipped.kept(spec) } });
export const saveDashboard = (name: string, version: number, spec: unknown): Promise<StoredDashboard> =>
  fetchDashboard(`dashboards/${encodeURIComponent(name)}`, {
    method: 'PUT',
    json: { version, spec: shipped.kept(spec) },
  });
export const deleteDashboard = (name: string): Promise<void> =>
  fetchNothing(at(`dashboards/${encodeURIComponent(name)}`), { method: 'DELETE' });
