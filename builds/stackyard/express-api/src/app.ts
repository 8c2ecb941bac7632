// The application without a port: middleware, features, and what answers when none of them did.

import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { createDocsRouter } from './docs/docs-router.js';
import { cors } from './http/cors.js';
import { handleError, handleNotFound } from './http/error-handler.js';
import { createHealthRouter, type HealthParts } from './http/health.js';
import { logRequests } from './http/log-requests.js';
import { parseJson } from './http/parse-json.js';
import { securityHeaders } from './http/security-headers.js';
import type { Route } from './routes.js';

/** What the application is made of besides its configuration. */
export interface AppParts extends HealthParts {
  readonly logger: Logger;
  readonly routes: readonly Route[];
}

/** Builds the application. Opens no port and reads no file, so that tests can build as many as they like. */
export function createApp(config: Config, { logger, routes, checks, isDraining }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  // Routes with a version of what they answer set an ETag themselves.
  app.disable('etag');
  app.set('trust proxy', config.TRUST_PROXY);

  logRequests(app, logger);
  app.use(securityHeaders);
  if (config.CORS_ORIGINS.length > 0) app.use(cors(config.CORS_ORIGINS, config.CORS_CREDENTIALS));
  app.use(parseJson(config.BODY_LIMIT));

  app.use(createHealthRouter({ checks, isDraining }));
  if (config.DOCS) app.use(createDocsRouter(routes));
  for (const { prefix, router } of routes) app.use(prefix, router);

  app.use(handleNotFound);
  app.use(handleError);
  return app;
}
