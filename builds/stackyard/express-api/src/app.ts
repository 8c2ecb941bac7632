// The application without a port: middleware, the routes of the modules, and what answers when none of them did.

import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { createDocsRouter } from './http/docs.js';
import { handleError, handleNotFound } from './http/errors.js';
import { cors, setSecurityHeaders } from './http/headers.js';
import { addHealthRoutes } from './http/health.js';
import { parseJson } from './http/input.js';
import { logRequests } from './http/log.js';
import { type Web, webPages } from './http/web.js';
import type { Module } from './module.js';

/** What the application is made of besides its configuration. */
export interface AppParts {
  readonly logger: Logger;
  readonly modules: readonly Module[];
  /** Whether the server is about to stop, so that it should get no new requests. */
  readonly isDraining?: () => boolean;
  /** The pages of a front end. */
  readonly web?: Web | undefined;
}

/** Builds the application. Opens no port, starts no module and reads no file, so that tests can build many. */
export function createApp(config: Config, { logger, modules, isDraining = () => false, web }: AppParts): Express {
  const routes = modules.flatMap((module) => module.routes ?? []);
  const app = express();
  app.disable('x-powered-by');
  // Routes with a version of what they answer set an ETag themselves.
  app.disable('etag');
  app.set('trust proxy', config.TRUST_PROXY);

  const beginRequest = logRequests(app, logger);
  // One function, because each step of Express costs time.
  app.use((req, res, next) => {
    beginRequest(req, res);
    setSecurityHeaders(res);
    next();
  });
  if (config.CORS_ORIGINS.length > 0) app.use(cors(config.CORS_ORIGINS, config.CORS_CREDENTIALS));

  // Installed modules read bodies themselves.
  for (const route of routes) if ('node' in route) app.use(route.prefix, route.node);
  app.use(parseJson(config.BODY_LIMIT));
  addHealthRoutes(app, modules, isDraining);
  if (config.DOCS) app.use(createDocsRouter(routes));
  for (const route of routes) if ('router' in route) app.use(route.prefix, route.router);

  if (web) app.use(webPages(web));
  app.use(handleNotFound);
  app.use(handleError);
  return app;
}
