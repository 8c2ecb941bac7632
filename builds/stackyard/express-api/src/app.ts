// The application without a port: middleware, features, and what answers when none of them did.

import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { allowMethods } from './http/allow-methods.js';
import { cors } from './http/cors.js';
import { handleError, handleNotFound } from './http/error-handler.js';
import { parseJson } from './http/parse-json.js';
import { logRequests } from './http/log-requests.js';
import type { Route } from './routes.js';

/** What the application is made of besides its configuration. */
export interface AppParts {
  readonly logger: Logger;
  readonly routes: readonly Route[];
}

/** Builds the application. Opens no port and reads no file, so that tests can build as many as they like. */
export function createApp(config: Config, { logger, routes }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.TRUST_PROXY);

  app.use(logRequests(logger));
  app.use(helmet());
  if (config.CORS_ORIGINS.length > 0) app.use(cors(config.CORS_ORIGINS));
  app.use(parseJson(config.BODY_LIMIT));

  app
    .route('/health')
    .get((_req, res) => void res.set('Cache-Control', 'no-store').json({ status: 'ok' }))
    .all(allowMethods('GET'));
  for (const { prefix, router } of routes) app.use(prefix, router);

  app.use(handleNotFound);
  app.use(handleError);
  return app;
}
