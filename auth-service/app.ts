// Assembles the service without opening a port: the account routes below `/auth`, and the routes of the service.

import { randomUUID, timingSafeEqual } from 'node:crypto';
import { dictionary } from '@zxcvbn-ts/language-common';
import express from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { createPasswords } from '../builds/stackyard/account/passwords.ts';
import { createAccounts } from '../builds/stackyard/account/routes.ts';
import { createThrottle, type Throttle } from '../builds/stackyard/account/throttle.ts';
import { answerFailure, answerNotFound } from './answer.ts';
import type { ServiceConfig } from './config.ts';
import { describeReadiness, watchDatabase } from './health.ts';
import { logRequest } from './log.ts';
import { createMetrics } from './metrics.ts';
import { OPENAPI } from './openapi.ts';
import type { ServiceStore } from './store/store.ts';
import { createPostgresThrottle } from './throttle.ts';
import { createJoseTokens } from './tokens.ts';

export interface AuthApp {
  readonly app: express.Express;
  /** From now on `/ready` answers 503. */
  beginShutdown(): void;
}

/** The application on an open store, which the caller closes. */
export function createAuthApp(config: ServiceConfig, store: ServiceStore, log: Logger): AuthApp {
  let isStopping = false;
  const isDatabaseUp = watchDatabase(() => store.check(), log);
  const { router } = createAccounts(() => ({
    store,
    tokens: createJoseTokens(config),
    passwords: createPasswords({ maxRunning: config.hashConcurrency }),
    throttle: selectThrottle(config, store),
    ...(config.refusesCommonPasswords && { refusePassword: createCommonPasswordRule() }),
  }));
  const metrics = createMetrics([...Object.keys(OPENAPI.paths), '/metrics'], isDatabaseUp);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.trustProxy);
  app.use((req, res, next) => {
    const begin = performance.now();
    res.set('X-Request-Id', readRequestId(req.get('X-Request-Id')));
    res.set('Cache-Control', 'no-store');
    const { path } = req;
    // Not `finish`, which is not emitted when the client disconnects.
    res.on('close', () => {
      const ms = performance.now() - begin;
      metrics.observeRequest(req.method, path, res.statusCode, ms / 1000);
      logRequest(log, req, path, res, ms);
    });
    next();
  });
  app.use(helmet(SECURITY_HEADERS));
  app.use('/auth', router);
  app.get('/health', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/ready', async (_req, res) => {
    const readiness = describeReadiness(await isDatabaseUp(), isStopping);
    res.status(readiness.status === 'ready' ? 200 : 503).json(readiness);
  });
  app.get('/openapi.json', (_req, res) => void res.json(OPENAPI));
  app.get('/metrics', async (req, res, next) => {
    const { metricsToken } = config;
    const given = req.get('Authorization') ?? '';
    if (metricsToken === undefined || !isEqual(given, `Bearer ${metricsToken}`)) return next();
    const { text, type } = await metrics.render();
    res.type(type).send(text);
  });
  app.use(answerNotFound, answerFailure);

  return { app, beginShutdown: () => void (isStopping = true) };
}

function selectThrottle(
  { isRateLimited }: ServiceConfig,
  { run }: ServiceStore,
): Throttle | undefined {
  if (!isRateLimited) return undefined;
  return run ? createPostgresThrottle(run) : createThrottle();
}

/**
 * The rule of COMMON_PASSWORDS: refuses those that are among the most common ones, without regard to case. NFC, as passwords
 * are hashed.
 */
export function createCommonPasswordRule(): (password: string) => string | undefined {
  const common = new Set(dictionary['passwords-common']);
  return (password) =>
    common.has(password.normalize('NFC').toLowerCase())
      ? 'Password is too common: choose another one'
      : undefined;
}

// An interface for programs: no page may frame, load or run what it answers.
const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  frameguard: { action: 'deny' },
} as const;

// Clients choose it: only characters that are safe in a log, a header and JSON are accepted.
const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

/** The `X-Request-Id` of a proxy, or a new one. It identifies a request in the logs of every system that handled it. */
export function readRequestId(given: string | undefined): string {
  return given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
}

function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
