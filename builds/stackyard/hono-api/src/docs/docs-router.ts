// /openapi.json, and a page at /docs to read and try it. The page comes from this server, not from a CDN.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { allowMethods } from '../http/allow-methods.js';
import type { AppEnv } from '../http/app-env.js';
import type { Route } from '../routes.js';
import { createOpenApi } from './open-api.js';

const PACKAGE = new URL('../../package.json', import.meta.url);

/** Files of swagger-ui-dist that the page loads, with their types. */
const FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** For the page only, which needs its own files and inline styles. It still loads nothing of other origins. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null });\n`;

/** Routes of the description of `routes`. Files are read when they are asked for. */
export function createDocsRouter(routes: readonly Route[]): Hono<AppEnv> {
  const router = new Hono<AppEnv>();
  router.get('/openapi.json', (c) => c.json(createOpenApi(readInfo(), routes)));
  router.get('/docs', (c) => c.html(PAGE, 200, { 'Content-Security-Policy': PAGE_POLICY }));
  router.get('/docs/start.js', (c) => c.body(START, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }));
  for (const [file, type] of Object.entries(FILES)) {
    router.get(`/docs/${file}`, async (c) => {
      const path = createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`);
      return c.body(await readFile(path), 200, { 'Content-Type': type });
    });
  }
  const paths = ['/openapi.json', '/docs', '/docs/start.js', ...Object.keys(FILES).map((file) => `/docs/${file}`)];
  for (const path of paths) router.all(path, allowMethods('GET'));
  return router;
}

function readInfo(): { title: string; version: string } {
  const { name, version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { name: string; version: string };
  return { title: name, version };
}
