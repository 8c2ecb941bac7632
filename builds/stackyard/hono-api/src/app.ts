// The application without a port: middleware, the routes of the modules, and what answers when none of them did.

import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { completeAnswers, cors, handleRoute } from './http/answers.js';
import type { AppEnv } from './http/context.js';
import { createDocsRouter } from './http/docs.js';
import { answerOthers, handleError } from './http/errors.js';
import { createHealthRouter } from './http/health.js';
import { parseJson } from './http/input.js';
import { findPage, type Web } from './http/web.js';
import type { Module, ModuleRoute, Route } from './module.js';

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
  app.notFound(async (c) => (web && (await findPage(web, c))) ?? answerOthers(app, c));
  app.onError(handleError);

  completeAnswers(app, logger, config.TRUST_PROXY);
  if (config.CORS_ORIGINS.length > 0) app.use(cors(config.CORS_ORIGINS, config.CORS_CREDENTIALS));

  // Installed modules read bodies themselves.
  for (const route of routes) if ('fetch' in route) mountModule(app, route);
  app.on(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], '*', parseJson(config.BODY_LIMIT));
  app.route('/', createHealthRouter(modules, isDraining));
  if (config.DOCS) app.route('/', createDocsRouter(routes));
  for (const route of routes) if ('router' in route) mount(app, route);
  return app;
}

/** Wraps each handler, because Hono answers at once where a request has one handler and no middleware. */
function mount(app: Hono<AppEnv>, { prefix, router }: Route): void {
  const below = app.basePath(prefix);
  for (const { method, path, handler } of new Hono<AppEnv>().route('/', router).routes) {
    below.on(method, path, handleRoute(handler));
  }
}

function mountModule(app: Hono<AppEnv>, { prefix, fetch }: ModuleRoute): void {
  const handle = handleRoute(async (c, next) => {
    const { requestId, clientAddress: address } = c.env;
    const answer = await fetch(c.req.raw, { requestId, prefix, ...(address !== undefined && { address }) });
    return answer ?? next();
  });
  app.all(`${prefix}/*`, handle);
}
