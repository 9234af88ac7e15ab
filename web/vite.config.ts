import { precompress } from '../scripts/precompress.mjs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const portal = {
  target: `http://${process.env['Application__ListenAddress'] ?? '127.0.0.1:8080'}`,
};

/** Names the typeface in the page's head, so that it comes with the styles and not after them. */
function preloadTypeface(): Plugin {
  return {
    name: 'preload-typeface',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
            injectTo: 'head',
          })),
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadTypeface(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    sourcemap: false,
    // The charts' code, loaded with the first chart.
    chunkSizeWarningLimit: 700,
    // Styles that could not be loaded with their page would not be asked for again; ours are small beside the framework's.
    cssCodeSplit: false,
    // Modules run in the order of their imports also across files: zod must be told of the CSP before any schema is made.
    rolldownOptions: { output: { strictExecutionOrder: true } },
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
});
