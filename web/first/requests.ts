import type { firstQueries as firstQueriesOfCompare } from '../src/features/compare/compared-data.ts';
import type { firstQueries as firstQueriesOfDashboard } from '../src/features/dashboard/begin-dashboard.ts';
import { dashboardPaths } from '../src/lib/first-paint.ts';

/**
 * The only list of the first requests of pages. The build writes it into `index.html`, where `first-paint.ts` makes the requests
 * before any code has arrived. `requests.test.ts` checks that the pages then make the same ones. The queries contain the times of
 * `first-times.ts`.
 */
export const requestsOfEveryPage = {
  branding: '/api/branding',
  appInfo: '/api/app/info',
  currentUser: '/api/auth/me',
};

const places = { sites: '/api/sites', devices: '/api/sites/devices' };
const today = 'fromDate={today}&toDate={tomorrow}';
const yesterday = 'otherFromDate={yesterday}&otherToDate={today}';

export const requestsOfDashboard = {
  ...places,
  summary: `/api/dashboard/summary?${today}`,
  cost: `/api/dashboard/cost-breakdown?${today}&until={now}&group=day`,
  recentPower: '/api/dashboard/load-curve?from={twelveHoursBefore}&to={quarter}&bucket=15min&groupBy=total',
  baseLoad: `/api/dashboard/base-load?${today}`,
  usual: `/api/dashboard/usual?${today}&bucket=15min`,
} satisfies Record<keyof typeof places | keyof ReturnType<typeof firstQueriesOfDashboard>, string>;

export const requestsOfCompare = {
  ...places,
  curve: `/api/dashboard/comparison?${today}&${yesterday}&bucket=15min&timeZone={timeZone}`,
  days: `/api/dashboard/comparison?${today}&${yesterday}&bucket=day&timeZone={timeZone}`,
} satisfies Record<keyof typeof places | keyof ReturnType<typeof firstQueriesOfCompare>, string>;

export const textNames = ['first', 'numbers', 'pages', 'settings'] as const;
type TextName = (typeof textNames)[number];

/** The modules of a language's texts, by the ends of their paths. */
export const modulesOfTexts = (language: string, name: TextName): string[] =>
  (name === 'pages' ? ['numbers', name] : [name]).map(
    (file) => `/messages/${language}/page/${file}.${language === 'en' ? 'ts' : 'json'}`,
  );

/** A part of a page that is drawn once its texts and its modules (by the ends of their paths) have arrived. */
export interface Stage {
  texts?: TextName;
  modules: readonly string[];
}

/** Everything that stages are made of, with the texts in English. */
export const modulesOf = (stages: readonly Stage[]): string[] =>
  stages.flatMap(({ texts, modules }) => [...modules, ...(texts === undefined ? [] : modulesOfTexts('en', texts))]);

const signIn: Stage = { texts: 'first', modules: ['/first/main.tsx'] };
const pages: Stage = { texts: 'pages', modules: ['/app/pages.tsx', '/app/Shell.tsx'] };
const compare: Stage = { modules: ['/compare/ComparePage.tsx'] };
const measurements: Stage = { modules: ['/measurements/MeasurementsPage.tsx'] };
const sites: Stage = { modules: ['/sites/SitesPage.tsx'] };
const profile: Stage = { texts: 'settings', modules: ['/app/SettingsPage.tsx', '/account/ProfileSection.tsx'] };
const numbers: Stage = { texts: 'numbers', modules: ['/first/FirstDashboard.tsx'] };
const dashboard: Stage = { texts: 'pages', modules: [...pages.modules, '/dashboard/DashboardPage.tsx'] };
const panels: Stage = { modules: ['/dashboard/DashboardPanels.tsx'] };
/** After the first paint; the navigation of every page shows their number. */
const alarms: Stage = { modules: ['/app/AlarmCount.tsx', '/tiles/AlarmTrouble.tsx'] };
/** Shown in a portal that is not set up yet. */
const steps: Stage = { modules: ['/dashboard/FirstStepsPanel.tsx'] };
/** Long after the page is drawn, so that it is there without a network. */
const explained: Stage = { modules: ['/explain/ExplainDialog.tsx'] };

/** What pages behind sign-in load first. */
export interface PageStart {
  /** The URLs of these pages; if empty, all other URLs. */
  paths: readonly string[];
  /** The files of a stage are requested once those of the previous stage have arrived. */
  stages: readonly Stage[];
  requests: readonly string[];
}

/** The same with the files of a build, as `first-paint.ts` reads it from the page; the texts of a language are listed by name. */
export interface FirstFiles {
  texts: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** For a language, the text above the sign-in form. */
  titles: Readonly<Record<string, string>>;
  /** A stage has files, and names of texts. */
  pages: readonly { paths: readonly string[]; stages: readonly (readonly string[])[]; requests: readonly string[] }[];
}

/** While the code of the page arrives, its empty frame is drawn. */
const others = (paths: readonly string[], { texts, modules }: Stage, requests: readonly string[] = []): PageStart => ({
  paths,
  stages: [
    { texts: 'pages', modules: numbers.modules },
    { ...(texts !== undefined && { texts }), modules: [...pages.modules, ...modules] },
  ],
  requests,
});

export const pageStarts: readonly PageStart[] = [
  { paths: dashboardPaths, stages: [numbers, dashboard, panels], requests: Object.values(requestsOfDashboard) },
  others(['/compare'], compare, Object.values(requestsOfCompare)),
  others(['/measurements'], measurements, Object.values(places)),
  others(['/sites'], sites, Object.values(places)),
  others(['/settings/profile'], profile),
  others([], { modules: [] }),
];

/**
 * What the window loads first, and what the Overview loads next, each including everything before it. Each is one file of the
 * build.
 */
export const beginnings = {
  numbers: [signIn, numbers],
  dashboard: [signIn, numbers, dashboard],
  panels: [signIn, numbers, dashboard, panels],
  alarms: [signIn, numbers, dashboard, alarms],
  steps: [signIn, numbers, dashboard, steps],
  explained: [signIn, numbers, dashboard, explained],
  compare: [signIn, pages, compare],
  measurements: [signIn, pages, measurements],
  sites: [signIn, pages, sites],
  profile: [signIn, pages, profile],
};

/**
 * The limits up to each of these stages: the size of its compressed JavaScript, and the number of files. Each file is a round
 * trip.
 */
export const firstLoads = [
  { name: 'The sign-in page', stages: [signIn], maxKb: 134, maxFiles: 4 },
  { name: "The Dashboard's first numbers", stages: beginnings.numbers, maxKb: 157, maxFiles: 6 },
  { name: 'The Dashboard', stages: [...beginnings.panels, alarms, steps], maxKb: 290, maxFiles: 11 },
  { name: 'Measurements', stages: beginnings.measurements, maxKb: 280, maxFiles: 10 },
  { name: 'Compare', stages: beginnings.compare, maxKb: 280, maxFiles: 11 },
  { name: 'Sites', stages: beginnings.sites, maxKb: 336, maxFiles: 17 },
  { name: 'The first page of the settings', stages: beginnings.profile, maxKb: 288, maxFiles: 10 },
];
