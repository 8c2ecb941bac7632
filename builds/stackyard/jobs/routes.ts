// What operators see and do over HTTP, below /ops/jobs. It is never open: without a token or a rule for users nobody
// gets in.

import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type Authenticate, type Handler, identify, invalid, json, RequestError, type RouteTable, type User,
} from '../module-routes/index.js';
import { schedules } from './define.js';
import { type JobStatus, type JobStore, toText } from './store.js';

/** The users that may see and change jobs. */
export interface Operators {
  /** That of the build with the tag `auth`. */
  readonly authenticate: Authenticate;
  isOperator(user: User): boolean | Promise<boolean>;
}

export interface OperatorParts {
  readonly store: JobStore;
  readonly operators: Operators | undefined;
  /** JOBS_TOKEN; empty without one. */
  token(): string;
  /** Called where a job was queued again. */
  wake(): void;
}

const STATUSES: readonly JobStatus[] = ['queued', 'running', 'done', 'dead'];

export function operatorRoutes({ store, operators, token, wake }: OperatorParts): RouteTable {
  const guard = (handle: Handler): Handler => {
    return async (call) => (await refuse(call.request, token(), operators)) ?? handle(call);
  };
  return {
    '/': {
      GET: guard(async () => {
        const stored = await store.readSchedules();
        const times = Array.from(schedules.values(), ({ key, job, cron, zone }) => {
          const at = stored.get(key)?.nextAt;
          return { key, job, cron, zone, nextAt: at === undefined ? null : toText(at) };
        });
        return json(200, { jobs: await store.count(), schedules: times });
      }),
    },
    '/items': {
      GET: guard(async ({ query }) => {
        const limit = Number(query.get('limit') ?? 100);
        if (!Number.isInteger(limit) || limit < 1) throw invalid('limit', 'Expected a whole number from 1');
        const status = STATUSES.find((one) => one === query.get('status'));
        if (query.has('status') && !status) throw invalid('status', `Expected one of ${STATUSES.join(', ')}`);
        const items = await store.list({ limit, status, name: query.get('name') ?? undefined });
        return json(200, { items: items.map(({ data: _data, ...item }) => item) });
      }),
    },
    '/items/:id': {
      DELETE: guard(async ({ params }) => {
        if (await store.remove(params['id'] ?? '')) return new Response(null, { status: 204 });
        throw new RequestError(404, 'job_not_found', 'There is no job of this id that is not running');
      }),
    },
    '/items/:id/retry': {
      POST: guard(async ({ params }) => {
        if (!(await store.retry(params['id'] ?? ''))) {
          throw new RequestError(409, 'not_dead', 'There is no dead job of this id, or another one has its key');
        }
        wake();
        return json(202, { queued: true });
      }),
    },
  };
}

async function refuse(request: Request, token: string, operators?: Operators): Promise<Response | undefined> {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
  // Compared in a time that says nothing about the token.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (token !== '' && given !== undefined && timingSafeEqual(digest(token), digest(given))) return undefined;
  if (!operators) {
    const headers = { 'WWW-Authenticate': 'Bearer realm="jobs"' };
    throw new RequestError(401, 'missing_token', 'Missing or wrong token', { headers });
  }
  const user = await identify(operators.authenticate, request);
  if (!('email' in user)) return user;
  if (await operators.isOperator(user)) return undefined;
  throw new RequestError(403, 'forbidden', 'This account may not see jobs');
}
