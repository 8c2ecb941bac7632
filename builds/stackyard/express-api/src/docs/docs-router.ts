// /openapi.json, and a page at /docs to read and try it. The page comes from this server, not from a CDN.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Router } from 'express';
import { allowMethods } from '../http/allow-methods.js';
import type { Route } from '../routes.js';
import { createOpenApi } from './open-api.js';

const PACKAGE = new URL('../../package.json', import.meta.url);

/** Files of swagger-ui-dist that the page loads. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

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
export function createDocsRouter(routes: readonly Route[]): Router {
  const router = Router();
  router
    .route('/openapi.json')
    .get((_req, res) => void res.json(createOpenApi(readInfo(), routes)))
    .all(allowMethods('GET'));
  router
    .route('/docs')
    .get((_req, res) => void res.set('Content-Security-Policy', PAGE_POLICY).type('html').send(PAGE))
    .all(allowMethods('GET'));
  router
    .route('/docs/start.js')
    .get((_req, res) => void res.type('js').send(START))
    .all(allowMethods('GET'));
  for (const file of FILES) {
    router
      .route(`/docs/${file}`)
      .get((_req, res) => res.sendFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`)))
      .all(allowMethods('GET'));
  }
  return router;
}

function readInfo(): { title: string; version: string } {
  const { name, version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { name: string; version: string };
  return { title: name, version };
}
