// The application without a port: middleware, the routes of the modules, and what answers when none of them did.

import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { completeAnswers, cors, handleRoute } from './http/answers.js';
import type { AppEnv } from './http/context.js';
import { createDocsRouter } from './http/docs.js';
import { handleError, handleNotFound } from './http/errors.js';
import { createHealthRouter } from './http/health.js';
import { parseJson } from './http/input.js';
import { type Web, webPages } from './http/web.js';
import type { Module, ModuleRoute } from './module.js';

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
export function createApp(config: Config, { logger, modules, isDraining = () => false, web }: AppParts): Hono<AppEnv> {
  const routes = modules.flatMap((module) => module.routes ?? []);
  // Not strict: a slash at the end of a path is ignored.
  const app = new Hono<AppEnv>({ strict: false });
  app.notFound(handleNotFound);
  app.onError(handleError);

  completeAnswers(app, logger, config.TRUST_PROXY);
  if (config.CORS_ORIGINS.length > 0) app.use(cors(config.CORS_ORIGINS, config.CORS_CREDENTIALS));

  // Installed modules read bodies themselves.
  for (const { prefix } of routes) app.use(`${prefix}/*`, handleRoute);
  for (const route of routes) if ('fetch' in route) mount(app, route);
  app.on(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], '*', parseJson(config.BODY_LIMIT));
  app.route('/', createHealthRouter(modules, isDraining));
  if (config.DOCS) app.route('/', createDocsRouter(routes));
  for (const route of routes) if ('router' in route) app.route(route.prefix, route.router);
  if (web) app.get('*', webPages(web));
  return app;
}

function mount(app: Hono<AppEnv>, { prefix, fetch }: ModuleRoute): void {
  app.all(`${prefix}/*`, async (c, next) => {
    const requestId = c.get('requestId');
    const address = c.get('clientAddress');
    const answer = await fetch(c.req.raw, { requestId, prefix, ...(address !== undefined && { address }) });
    if (answer !== undefined) return answer;
    return next();
  });
}
