import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';
import { languages } from '../shared/messages.ts';
import { analyse } from './build/chunks.ts';
import { compileWhileLoading, limitFirstLoads, nameFirstFiles } from './build/first-load.ts';
import { precompiledTexts } from './build/precompiled-texts.ts';
import { serviceWorker } from './build/service-worker.ts';
import { keptTypeface, orderPage, requireStyles } from './build/styles.ts';
import { precompress, thirdPartyNotices } from './build/written-files.ts';
import { loadFirstMessages } from './src/lib/i18n/catalogue.ts';

const portal = {
  target: `http://${process.env['Application__ListenAddress'] ?? '127.0.0.1:8080'}`,
};

const signIn = ['/src/main.tsx', '/i18n/en/first.ts'];
const numbers = [...signIn, '/i18n/en/numbers.ts', '/app/FirstDashboard.tsx'];
const dashboard = [...numbers, '/app/pages.tsx', '/i18n/en.ts', '/app/Shell.tsx', '/dashboard/DashboardPage.tsx'];
const panels = [...dashboard, '/dashboard/DashboardPanels.tsx'];
const firstLoads = [
  { name: 'The sign-in page', modules: signIn, maxKb: 137, maxFiles: 4 },
  { name: "The Dashboard's first numbers", modules: numbers, maxKb: 160, maxFiles: 6 },
  { name: 'The Dashboard', modules: panels, maxKb: 302, maxFiles: 8 },
];

// What begin-dashboard.ts and ComparePage.tsx ask for first of today, with the times that public/first-paint.js knows.
const today = 'fromDate={today}&toDate={tomorrow}';
const yesterday = 'otherFromDate={yesterday}&otherToDate={today}';
const places = ['/api/sites', '/api/sites/devices'];
const dashboardAnswers = [
  ...places,
  `/api/dashboard/summary?${today}`,
  `/api/dashboard/cost-breakdown?${today}&until={now}&group=day`,
  '/api/dashboard/load-curve?from={twelveHoursBefore}&to={quarter}&bucket=15min&groupBy=total',
  `/api/dashboard/base-load?${today}`,
];
const compareAnswers = [
  ...places,
  `/api/dashboard/comparison?${today}&${yesterday}&bucket=15min&timeZone={timeZone}`,
  `/api/dashboard/comparison?${today}&${yesterday}&bucket=day&timeZone={timeZone}`,
];
const pages = ['/app/pages.tsx', '/app/Shell.tsx'];
// Beside their modules the texts of the reader's language.
const dashboardStages = [
  ['numbers', '/app/FirstDashboard.tsx'],
  ['pages', ...pages, '/dashboard/DashboardPage.tsx'],
  ['/dashboard/DashboardPanels.tsx'],
];

const firstFiles = {
  texts: Object.fromEntries(
    languages.map((one) => [
      one,
      { first: `/i18n/${one}/first.ts`, numbers: `/i18n/${one}/numbers.ts`, pages: `/i18n/${one}.ts` },
    ]),
  ),
  titles: Object.fromEntries(
    await Promise.all(languages.map(async (one) => [one, (await loadFirstMessages(one)).signIn.subtitle])),
  ),
  pages: [
    { paths: ['/', '/dashboard'], stages: dashboardStages, answers: dashboardAnswers },
    { paths: ['/compare'], stages: [['pages', ...pages], ['/compare/ComparePage.tsx']], answers: compareAnswers },
    {
      paths: ['/measurements'],
      stages: [['pages', ...pages], ['/measurements/MeasurementsPage.tsx']],
      answers: places,
    },
    { paths: [], stages: [['pages', ...pages]], answers: [] },
  ],
};

const isCatalogue = (id: string) => /[\\/]i18n[\\/]/.test(id);

const site = { root: import.meta.dirname, plugins: [react(), precompiledTexts()] };

/** For the groups of a build: tells of modules whether another is one of those without which they do not run. */
async function groupsOf(command: string) {
  // Without a build there are no files.
  const modulesBehind = command === 'build' ? await analyse(site) : () => new Set();
  return (starts: readonly string[]) => {
    const modules = modulesBehind(starts);
    return (id: string) => modules.has(id) && !isCatalogue(id);
  };
}

export default defineConfig(async ({ command }): Promise<UserConfig> => {
  const madeOf = await groupsOf(command);
  return {
    ...site,
    plugins: [
      site.plugins,
      orderPage(),
      keptTypeface(),
      nameFirstFiles(firstFiles),
      limitFirstLoads(firstLoads),
      requireStyles(),
      compileWhileLoading(dashboard),
      thirdPartyNotices(),
      serviceWorker(),
      precompress(),
    ],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: 'baseline-widely-available',
      sourcemap: false,
      // What the first loads may weigh is held above.
      chunkSizeWarningLimit: 700,
      // Styles that could not be loaded with their page would not be asked for again; ours are small beside the framework's.
      cssCodeSplit: false,
      // Modules run in the order of their imports also across files: zod must be told of the CSP before any schema is made.
      rolldownOptions: {
        output: {
          strictExecutionOrder: true,
          // Each file is a round trip: what every page begins with, the first numbers of the Dashboard, what stands below them, what many share.
          codeSplitting: {
            groups: [
              { name: 'first', tags: ['$initial'], priority: 4 },
              { name: 'numbers', priority: 3, test: madeOf(numbers) },
              { name: 'dashboard', priority: 2, test: madeOf(dashboard) },
              { name: 'panels', priority: 1, test: madeOf(panels) },
              { name: 'shared', minShareCount: 4, test: (id) => !isCatalogue(id) },
            ],
          },
        },
      },
    },
    server: {
      host: '127.0.0.1',
      port: 5173,
      proxy: {
        '/api': portal,
        '/uploads': portal,
        '/health': portal,
        '/manifest.webmanifest': portal,
        '/icon.svg': portal,
      },
    },
  };
});
