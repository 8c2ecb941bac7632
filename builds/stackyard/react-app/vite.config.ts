import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/**
 * The dev server passes these paths on to the API, so that pages and API have one origin, cookies work and CORS is not
 * needed. An API that passes pages on to this server, as stackyard/express-api does for a folder `web`, needs no list.
 */
const API_URL = process.env['API_URL'] ?? 'http://localhost:3000';
const API_PATHS = ['/api', '/auth', '/dev', '/docs', '/health', '/openapi.json', '/ready', '/example'];

export default defineConfig({
  plugins: [react()],
  server: {
    // The page may come from the API; changes are announced by this server in any case.
    hmr: { clientPort: 5173 },
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(API_PATHS.map((path) => [path, { target: API_URL }])),
  },
  // No styles or images in attributes: the policy of the pages forbids them.
  build: { assetsInlineLimit: 0 },
  test: {
    projects: [
      { extends: true, test: { name: 'unit', environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'] } },
      { test: { name: 'browser', include: ['test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
});
