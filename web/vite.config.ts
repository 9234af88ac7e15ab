import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';
import { analyse } from './build/chunks.ts';
import { compileWhileLoading, limitFirstLoads } from './build/first-load.ts';
import { firstPaint } from './build/first-paint.ts';
import { precompiledTexts } from './build/precompiled-texts.ts';
import { keptTypeface, orderPage, requireStyles } from './build/styles.ts';
import { precompress, serviceWorker, thirdPartyNotices } from './build/written-files.ts';
import { withoutJsonSchema } from './build/without-json-schema.ts';
import { beginnings, firstLoads, modulesOf, pageStarts, requestsOfEveryPage, type Stage } from './first/requests.ts';

const portal = {
  target: `http://${process.env['Application__ListenAddress'] ?? '127.0.0.1:8080'}`,
};

const isCatalogue = (id: string) => /[\\/]messages[\\/]/.test(id);

const site = { root: import.meta.dirname, plugins: [react(), precompiledTexts(), withoutJsonSchema()] };

/** For the groups of a build: returns, for stages, whether a module is needed to run them. */
async function groupsOf(command: string) {
  // Without a build there are no files.
  const modulesBehind = command === 'build' ? await analyse(site) : () => new Set();
  return (stages: readonly Stage[]) => {
    const modules = modulesBehind(modulesOf(stages));
    return (id: string) => modules.has(id) && !isCatalogue(id);
  };
}

export default defineConfig(async ({ command }): Promise<UserConfig> => {
  const madeOf = await groupsOf(command);
  const inDashboard = madeOf(beginnings.dashboard);
  const inPanels = madeOf(beginnings.panels);
  const inAlarms = madeOf(beginnings.alarms);
  const inSteps = madeOf(beginnings.steps);
  const isLate = (id: string) => inPanels(id) || inAlarms(id) || inSteps(id);
  const inMeasurements = madeOf(beginnings.measurements);
  const inCompare = madeOf(beginnings.compare);
  const inSites = madeOf(beginnings.sites);
  const inProfile = madeOf(beginnings.profile);
  return {
    ...site,
    plugins: [
      site.plugins,
      orderPage(),
      keptTypeface(),
      firstPaint(Object.values(requestsOfEveryPage), pageStarts),
      limitFirstLoads(firstLoads.map(({ stages, ...load }) => ({ ...load, modules: modulesOf(stages) }))),
      requireStyles(),
      compileWhileLoading(modulesOf(beginnings.dashboard)),
      thirdPartyNotices(),
      serviceWorker(),
      precompress(),
    ],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: 'baseline-widely-available',
      sourcemap: false,
      // Browsers that cannot preload modules load them when they are needed.
      modulePreload: { polyfill: false },
      // The plugin above limits the size of the first loads.
      chunkSizeWarningLimit: 700,
      // Styles that failed to load with their page would not be requested again; ours are small compared with the framework's.
      cssCodeSplit: false,
      // Keeps the import order of modules across files: zod must know the CSP before any schema is created.
      rolldownOptions: {
        output: {
          strictExecutionOrder: true,
          // Each file is a round trip. The groups: what every page loads first, the first numbers of the Dashboard and what many
          // fields need, its charts that other pages have too, what is below them, what it loads later, and what pages share.
          codeSplitting: {
            groups: [
              { name: 'first', tags: ['$initial'], priority: 4 },
              { name: 'numbers', priority: 3, test: madeOf(beginnings.numbers) },
              { name: 'dashboard', priority: 2, test: (id) => inDashboard(id) || (inProfile(id) && isLate(id)) },
              {
                name: 'charts',
                priority: 1.5,
                test: (id) => inPanels(id) && (inMeasurements(id) || inCompare(id) || inSites(id)),
              },
              { name: 'panels', priority: 1, test: inPanels },
              { name: 'alarms', priority: 0.5, test: inAlarms },
              { name: 'steps', priority: 0.4, test: inSteps },
              { name: 'tables', priority: 0.36, minShareCount: 4, test: inMeasurements },
              { name: 'profile', priority: 0.35, test: inProfile },
              {
                name: 'MeasurementsPage',
                priority: 0.34,
                test: (id) => inMeasurements(id) && /[\\/]measurements[\\/]/.test(id),
              },
              { name: 'ComparePage', priority: 0.33, test: (id) => inCompare(id) && /[\\/]compare[\\/]/.test(id) },
              { name: 'explained', priority: 0.3, test: madeOf(beginnings.explained) },
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
