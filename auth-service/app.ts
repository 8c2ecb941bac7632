// Assembles the service without opening a port: as an application, or as a router for another application.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Logger } from 'pino';
import {
  createAccountRouter,
  createPasswords,
  createRequireAuth,
  noThrottle,
  type Throttle,
} from '../builds/stackyard/account/index.ts';
import {
  answerFailure,
  answerNotFound,
  answerOtherMethods,
  answerUnavailable,
  sendError,
} from './answer.ts';
import { CiTokens } from './ci/ci-token.ts';
import type { IssuerKeysOptions } from './ci/issuer-keys.ts';
import { createCommonPasswordRule } from './common-passwords.ts';
import type { ServiceConfig } from './config.ts';
import { hasSeveralHosts } from './host-header.ts';
import { createHealthRouter, createReadiness, type Readiness } from './health.ts';
import { createMemoryCounters } from './limits/memory-counters.ts';
import { createRateLimit } from './limits/rate-limit.ts';
import { createLog, logEvent } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createOpenApi } from './openapi.ts';
import { createRequestFront } from './request-front.ts';
import { createFindVersion } from './reports/published-version.ts';
import { createStatementRoutes } from './reports/statement-routes.ts';
import { openStore } from './store/open-store.ts';
import type { AuthStore } from './store/store.ts';
import { createServiceTokens } from './tokens.ts';

export interface AuthAppOptions {
  /** Default: JSON lines on standard output. */
  readonly log?: Logger;
  /** Where `app` mounts the account routes. Default: `/auth`. */
  readonly prefix?: string;
  /** How old a report or flag is before it is exported, in milliseconds. Default: 10 seconds. */
  readonly reportsSettleMs?: number;
  /** How long the keys of issuers are kept, and how long a fetch of them may take. */
  readonly issuerKeys?: IssuerKeysOptions;
}

export interface AuthApp {
  /** The whole service: account routes, `/health`, `/ready`, `/openapi.json`, request ids, logs and headers. */
  readonly app: RequestListener;
  /** The account routes alone: mount them in another application with `app.use('/accounts', auth.router)`. */
  readonly router: Router;
  /** Protects a route of another application. */
  readonly requireAuth: RequestHandler;
  readonly metrics: Metrics;
  readReadiness(): Promise<Readiness>;
  /** Rejects while the database cannot be used, see `AuthStore`. */
  checkStore(): Promise<void>;
  /** From now on `/ready` answers 503 and connections are not kept. */
  beginShutdown(): void;
  /** Closes the database. */
  close(): Promise<void>;
}

const DEFAULT_PREFIX = '/auth';

/**
 * Opens the store and builds the application. Throws `DatabaseError` when a SQLite file cannot be opened; while
 * PostgreSQL is unavailable, requests are answered with 503.
 */
export async function createAuthApp(
  config: ServiceConfig,
  options: AuthAppOptions = {},
): Promise<AuthApp> {
  const { log = createLog(config.logLevel), prefix = DEFAULT_PREFIX } = options;
  for (const { level, message } of config.notices) log[level](message);
  const { reports } = config;
  const store = await openStore(config.database, log, {
    statements: reports !== undefined,
    ciStatements: reports !== undefined && reports.ciIssuers.length > 0,
  });
  const { users } = store;
  const tokens = createServiceTokens(config);
  const openApi = createOpenApi(prefix, reports);
  const metrics = createMetrics(Object.keys(openApi.paths));
  let isStopping = false;

  const router = Router();
  router.use(
    createAccountRouter({
      users,
      tokens,
      passwords: createPasswords(
        config.hashConcurrency === undefined ? {} : { maxRunning: config.hashConcurrency },
      ),
      throttle: createThrottle(config, store, log),
      ...(config.refusesCommonPasswords && { refusePassword: createCommonPasswordRule() }),
      log,
      onEvent(event) {
        metrics.countEvent(event);
        logEvent(log, event);
      },
    }),
    answerUnavailable,
  );

  const readReadiness = createReadiness({
    checkDatabase: () => store.check(),
    canIssue: tokens.canIssue,
    isStopping: () => isStopping,
    onChange(isUp, error) {
      metrics.setDatabaseUp(isUp);
      if (isUp) log.info('The database is back');
      else log.error({ err: error }, 'The database is away');
    },
  });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.trustProxy);
  app.use(createHealthRouter(readReadiness));
  app
    .route('/openapi.json')
    .get((_req, res) => void res.json(openApi))
    .all(answerOtherMethods);
  app.use(prefix, router);
  const requireAuth = createRequireAuth({ users, tokens });
  if (reports && store.statements) {
    const { rateLimit } = config;
    const createCounter = store.createCounter ?? createMemoryCounters();
    const limit = rateLimit?.attemptsPerMinute;
    app.use(
      createStatementRoutes({
        store: store.statements,
        requireAuth,
        counter:
          limit === undefined
            ? undefined
            : createCounter({ name: 'statement', limit, windowSeconds: 60 }),
        ci:
          store.ciStatements === undefined || reports.address === undefined
            ? undefined
            : {
                store: store.ciStatements,
                tokens: new CiTokens(reports.address, reports.ciIssuers, options.issuerKeys),
                createCounter,
              },
        findVersion:
          reports.index === undefined
            ? undefined
            : createFindVersion(reports.index, (message) => log.warn(message)),
        exportToken: reports.exportToken,
        ...(options.reportsSettleMs !== undefined && { settleMs: options.reportsSettleMs }),
      }),
    );
  }
  app.use(answerNotFound, answerFailure);

  const prepare = createRequestFront(log, metrics);
  const mePath = `${prefix}/me`;

  return {
    app(req, res) {
      prepare(req, res);
      if (hasSeveralHosts(req)) {
        return sendError(res, 400, 'several_hosts', 'Send exactly one Host header');
      }
      if (isStopping) res.setHeader('Connection', 'close');
      if (req.method === 'GET' && req.url === mePath) askRouter(router, '/me', req, res);
      else app(req, res);
    },
    router,
    requireAuth,
    metrics,
    readReadiness,
    checkStore: () => store.check(),
    beginShutdown() {
      isStopping = true;
    },
    close: () => store.close(),
  };
}

// Express routers work without an application, whose work for a request takes as long as all of `/me`, which does not
// need it. Errors get the same responses as with the application.
function askRouter(router: Router, path: string, req: IncomingMessage, res: ServerResponse): void {
  const request = req as Request;
  const response = res as Response;
  request.originalUrl = req.url ?? '';
  req.url = path;
  router(request, response, (error: unknown) => {
    answerFailure(error, request, response, () => res.destroy());
  });
}

function createThrottle({ rateLimit }: ServiceConfig, store: AuthStore, log: Logger): Throttle {
  if (!rateLimit) return noThrottle;
  return createRateLimit(store.createCounter ?? createMemoryCounters(), rateLimit, log);
}
