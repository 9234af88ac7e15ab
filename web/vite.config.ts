import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The Host header stays the browser's, because the portal compares it with Origin (the rule against cross-site writes). */
const portal = { target: 'http://127.0.0.1:8080', changeOrigin: false };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'baseline-widely-available', sourcemap: false },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': portal, '/uploads': portal, '/health': portal },
  },
});
