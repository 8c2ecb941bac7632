// The application without a port: middleware, features, and what answers when none of them did.

import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { createDocsRouter } from './docs/docs-router.js';
import type { AppEnv } from './http/app-env.js';
import { checkPath } from './http/check-path.js';
import { completeAnswers } from './http/complete-answers.js';
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
export function createApp(config: Config, { logger, routes, checks, isDraining }: AppParts): Hono<AppEnv> {
  // Not strict: a slash at the end of a path is ignored.
  const app = new Hono<AppEnv>({ strict: false });
  app.notFound(handleNotFound);
  app.onError(handleError);

  app.use(logRequests(logger, config.TRUST_PROXY));
  app.use(completeAnswers);
  app.use(securityHeaders);
  if (config.CORS_ORIGINS.length > 0) app.use(cors(config.CORS_ORIGINS, config.CORS_CREDENTIALS));
  app.use(checkPath);
  app.use(parseJson(config.BODY_LIMIT));

  app.route('/', createHealthRouter({ checks, isDraining }));
  if (config.DOCS) app.route('/', createDocsRouter(routes));
  for (const { prefix, router } of routes) app.route(prefix, router);
  return app;
}
