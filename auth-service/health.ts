// GET /health: this process answers. GET /ready: it can also do its work, so a load balancer may send requests.

import { Router } from 'express';
import { answerOtherMethods, sendJson, type AuthServiceError } from './answer.ts';

/** The body of `/ready`. */
export interface Readiness {
  readonly status: 'ready' | 'unavailable';
  readonly checks: {
    readonly database: 'ok' | 'unavailable';
    /** `missing` in production without JWT_SECRET. */
    readonly secret: 'ok' | 'missing';
    readonly shutdown: 'no' | 'in_progress';
  };
}

interface ReadinessSources {
  /** Rejects while the database cannot be used. */
  readonly checkDatabase: () => Promise<void>;
  readonly canIssue: boolean;
  readonly isStopping: () => boolean;
  /** Called when the database becomes unavailable or available again. */
  readonly onChange: (isUp: boolean, error?: AuthServiceError | Error) => void;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** How long a result of the database is reused: anyone may send requests, and each check writes a row. */
const CHECK_INTERVAL_MS = 1000;

/** The two routes. */
export function createHealthRouter(readReadiness: () => Promise<Readiness>): Router {
  const router = Router();
  router
    .route('/health')
    .get((_req, res) => sendJson(res, 200, { status: 'ok' }))
    .all(answerOtherMethods);
  router
    .route('/ready')
    .get(async (_req, res) => {
      const readiness = await readReadiness();
      sendJson(res, readiness.status === 'ready' ? 200 : 503, readiness);
    })
    .all(answerOtherMethods);
  return router;
}

/** Reads the state of the service; writes to the database at most once a second. */
export function createReadiness(sources: ReadinessSources): () => Promise<Readiness> {
  const { checkDatabase, canIssue, isStopping, onChange, now = Date.now } = sources;
  let wasUp = true;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<boolean> | undefined;

  function isUp(): Promise<boolean> {
    if (checking && now() - checkedAt < CHECK_INTERVAL_MS) return checking;
    checkedAt = now();
    checking = checkDatabase().then(
      () => report(true),
      (error: unknown) => report(false, error),
    );
    return checking;
  }

  function report(up: boolean, error?: unknown): boolean {
    if (up !== wasUp) onChange(up, error instanceof Error ? error : undefined);
    wasUp = up;
    return up;
  }

  return async () => {
    const up = await isUp();
    const isReady = up && canIssue && !isStopping();
    return {
      status: isReady ? 'ready' : 'unavailable',
      checks: {
        database: up ? 'ok' : 'unavailable',
        secret: canIssue ? 'ok' : 'missing',
        shutdown: isStopping() ? 'in_progress' : 'no',
      },
    };
  };
}
