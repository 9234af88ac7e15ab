import { fileURLToPath } from 'node:url';
import {
  compileWhileLoading,
  limitFirstLoads,
  modulesBehind,
  nameFirstFiles,
  requireStyles,
} from '../scripts/first-load.mjs';
import { languages } from '../shared/messages.ts';
import { loadFirstMessages } from './src/lib/i18n/catalogue.ts';
import { precompiledTexts } from '../scripts/precompiled-texts.mjs';
import { precompress } from '../scripts/precompress.mjs';
import { serviceWorker } from '../scripts/service-worker.mjs';
import { thirdPartyNotices } from '../scripts/third-party.mjs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const portal = {
  target: `http://${process.env['Application__ListenAddress'] ?? '127.0.0.1:8080'}`,
};

/** Names the styles behind what is seen before them, which a browser paints without waiting. Scripts wait for the styles all the same. */
function orderPage(): Plugin {
  return {
    name: 'order-page',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const styles = /^ *<link rel="stylesheet".*>\n/m.exec(html)?.[0] ?? '';
        return html.replace(styles, '').replace(/ *<\/body>/, `${styles}$&`);
      },
    },
  };
}

/** The typeface once more, for pages that take it only where the browser has kept it; tokens.css says which. */
function keptTypeface(): Plugin {
  return {
    name: 'kept-typeface',
    enforce: 'pre',
    transform: {
      filter: { id: /@fontsource-variable\/inter\/.*\.css$/ },
      handler: (css) =>
        css + css.replaceAll('Inter Variable', 'Inter Kept').replaceAll('display: swap', 'display: optional'),
    },
  };
}

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

/** Whether a module is one of those without which a page does not run; without a build there are no files. */
async function madeOf(command: string, starts: readonly string[]): Promise<(id: string) => boolean> {
  const modules = command === 'build' ? await modulesBehind(site, starts) : new Set();
  return (id) => modules.has(id) && !isCatalogue(id);
}

const site = { root: import.meta.dirname, plugins: [react(), precompiledTexts()] };

export default defineConfig(async ({ command }): Promise<UserConfig> => ({
  ...site,
  plugins: [
    site.plugins,
    orderPage(),
    keptTypeface(),
    nameFirstFiles(firstFiles),
    limitFirstLoads(firstLoads),
    requireStyles(fileURLToPath(import.meta.resolve('@mantine/core/styles.layer.css'))),
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
            { name: 'numbers', priority: 3, test: await madeOf(command, numbers) },
            { name: 'dashboard', priority: 2, test: await madeOf(command, dashboard) },
            { name: 'panels', priority: 1, test: await madeOf(command, panels) },
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
}));
