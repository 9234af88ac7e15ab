import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress, thirdPartyNotices } from '../../web/build/written-files.ts';

export default defineConfig({
  root: import.meta.dirname,
  // URLs are relative to the page's `base`, because the prefix is a setting.
  base: './',
  plugins: [react(), thirdPartyNotices(), precompress()],
  resolve: {
    dedupe: ['react', 'react-dom', 'echarts'],
    alias: [
      { find: /^\.\/PluginRuntime$/, replacement: join(import.meta.dirname, 'no-federation/plugin-runtime.js') },
      // The theme uses the portal's font.
      { find: /^@fontsource\/lato\/\d+\.css$/, replacement: '@fontsource-variable/inter/wght.css' },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    sourcemap: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /@perses-dev\/[^/]+\/(?:dist|lib)\/.*\.js$/, sideEffects: false }] },
      // The start of the page is one file, which replaces 57 requests.
      output: { strictExecutionOrder: true, codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
});
