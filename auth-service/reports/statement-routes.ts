import { createHash, timingSafeEqual } from 'node:crypto';
import express, { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { currentUser } from '../../builds/stackyard/account/index.ts';
import { Flag, Report, statementId } from '../../format/statement/statement.ts';
import { shownTextProblem } from '../../format/document/shown-text.ts';
import { personalDataIn } from '../../format/statement/personal-data.ts';
import { answerUnavailable, sendError } from '../answer.ts';
import type { Counter } from '../limits/counter.ts';
import {
  createCiStatementHandlers,
  describeProblems,
  type CiStatementRoutesOptions,
  type FindVersion,
} from './ci-statement-routes.ts';
import type { StatementStore, StoredLine } from './statement-store.ts';

// POST /reports, POST /flags and GET /reports/export (docs/signals.md, "From an account service").

interface StatementRoutesOptions {
  readonly store: StatementStore;
  readonly requireAuth: RequestHandler;
  /** Limits the statements of one account; `undefined` limits nothing. */
  readonly counter: Counter | undefined;
  /** `undefined`: tokens of CI runs are not accepted. */
  readonly ci: Omit<CiStatementRoutesOptions, 'findVersion'> | undefined;
  /** `undefined`: whether a version exists is left to the ingest. */
  readonly findVersion: FindVersion | undefined;
  /** `undefined`: no export. */
  readonly exportToken: string | undefined;
  /** How old a statement is before it is exported. Default: 10 seconds. */
  readonly settleMs?: number;
}

/** The body of `POST /reports`. */
export const ReportBody = Report.omit({ account: true, day: true });
/** The body of `POST /flags`. */
export const FlagBody = Flag.omit({ account: true, day: true });

const BODY_LIMIT = '8kb';
const PAGE_LINES = 1000;
// PostgreSQL may show a later number before an earlier one. A statement takes at most 5 seconds, so no cursor skips one
// that is still being stored.
const SETTLE_MS = 10_000;

/** The routes, to be mounted at the root. */
export function createStatementRoutes(options: StatementRoutesOptions): Router {
  const {
    store,
    requireAuth,
    counter,
    ci,
    findVersion,
    exportToken,
    settleMs = SETTLE_MS,
  } = options;
  const router = Router();
  const readBody = express.json({ limit: BODY_LIMIT, type: () => true });

  const admit: RequestHandler = async (req, res, next) => {
    const waitMs = (await counter?.take(String(currentUser(req).id))) ?? 0;
    if (waitMs === 0) return next();
    res.setHeader('Retry-After', String(Math.max(1, Math.ceil(waitMs / 1000))));
    sendError(res, 429, 'rate_limited', 'Too many reports and flags, try again later');
  };

  const accept =
    (kind: 'report' | 'flag', schema: typeof ReportBody | typeof FlagBody): RequestHandler =>
    async (req, res) => {
      const parsed = schema.safeParse(req.body);
      if (!parsed.success) {
        return sendError(res, 400, 'invalid_request', describeProblems(parsed.error));
      }
      const { note = '' } = parsed.data;
      const hidden = shownTextProblem(note);
      if (hidden !== undefined) return sendError(res, 400, 'invalid_request', `note: ${hidden}`);
      const found = personalDataIn(note);
      if (found !== undefined) {
        const message = `note: holds ${found}; reports and flags are published, so leave it out`;
        return sendError(res, 422, 'personal_data', message);
      }
      const problem = await findVersion?.(parsed.data);
      if (problem !== undefined) {
        return sendError(res, problem.status, problem.code, problem.message);
      }
      const userId = currentUser(req).id;
      const account = await store.accountOf(userId);
      if (account === undefined) return sendGone(res);
      const receivedAt = new Date().toISOString();
      const day = receivedAt.slice(0, 10);
      const statement = { ...parsed.data, account, day };
      const id = statementId(statement);
      const line = JSON.stringify({ id, received_at: receivedAt, [kind]: statement });
      const { build, version } = statement;
      const stored = await store.add(userId, { kind, id, build, version, day, receivedAt, line });
      if (stored === undefined) return sendGone(res);
      if (stored === id) return void res.status(202).set('Cache-Control', 'no-store').json({ id });
      const message = `You have sent another ${kind} about this version today: try again tomorrow`;
      sendError(res, 409, 'conflict', message);
    };

  if (ci !== undefined) {
    const { report, flag } = createCiStatementHandlers({ ...ci, findVersion });
    router.post('/reports', ...report);
    router.post('/flags', ...flag);
  }
  router.post('/reports', requireAuth, admit, readBody, accept('report', ReportBody));
  router.post('/flags', requireAuth, admit, readBody, accept('flag', FlagBody));

  if (exportToken !== undefined) {
    router.get('/reports/export', async (req, res) => {
      if (!isToken(req.headers.authorization, exportToken)) {
        res.setHeader('WWW-Authenticate', 'Bearer');
        return sendError(res, 401, 'invalid_token', 'Send the export token as a bearer token');
      }
      const after = tryParseCursor(req.query['after']);
      if (after === undefined) {
        const message =
          'after: use the value of X-Next-Cursor of an earlier answer, or leave it out';
        return sendError(res, 400, 'invalid_request', message);
      }
      const before = new Date(Date.now() - settleMs).toISOString();
      const page = await listExport([store, ci?.store], after, before, PAGE_LINES);
      const next = formatCursor(page.next);
      res.setHeader('X-Next-Cursor', next);
      if (page.lines.length === PAGE_LINES) res.setHeader('Link', `<?after=${next}>; rel="next"`);
      res.setHeader('Cache-Control', 'no-store');
      res.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
      res.end(page.lines.map((line) => `${line}\n`).join(''));
    });
  }
  router.use(answerBodyError, answerUnavailable);
  return router;
}

const answerBodyError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) {
    return sendError(res, 413, 'payload_too_large', `The body has more than ${BODY_LIMIT}`);
  }
  if (typeof status !== 'number' || status < 400 || status >= 500) return next(error);
  // The parser's own message would quote the body.
  sendError(res, 400, 'invalid_json', 'The body is not JSON');
};

function sendGone(res: Parameters<typeof sendError>[0]): void {
  sendError(res, 401, 'account_gone', 'The account was deleted');
}

// Digests have equal lengths, so the comparison does not reveal the length of the token.
function isToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}

// One page of the export, over the statements of accounts and those of CI runs. A cursor is a place among each:
//
//   120        after 120 of accounts, before all of CI runs
//   120.7

interface Cursor {
  readonly accounts: number;
  readonly ci: number;
}

interface Lines {
  list(after: number, before: string, limit: number): Promise<readonly StoredLine[]>;
}

/** The cursor of a query; `undefined` for anything else. */
export function tryParseCursor(text: unknown): Cursor | undefined {
  if (text === undefined) return { accounts: 0, ci: 0 };
  const form = /^(0|[1-9]\d{0,14})(?:\.(0|[1-9]\d{0,14}))?$/;
  const [, accounts, ci = '0'] = (typeof text === 'string' ? form.exec(text) : undefined) ?? [];
  return accounts === undefined ? undefined : { accounts: Number(accounts), ci: Number(ci) };
}

/** The inverse of `tryParseCursor`. */
export function formatCursor({ accounts, ci }: Cursor): string {
  return ci === 0 ? String(accounts) : `${accounts}.${ci}`;
}

/** At most `limit` lines that arrived before `before`: first those of accounts. */
export async function listExport(
  [accounts, ci]: readonly [accounts: Lines, ci: Lines | undefined],
  after: Cursor,
  before: string,
  limit: number,
): Promise<{ readonly lines: readonly string[]; readonly next: Cursor }> {
  const first = await accounts.list(after.accounts, before, limit);
  const left = limit - first.length;
  const second = left > 0 ? ((await ci?.list(after.ci, before, left)) ?? []) : [];
  return {
    lines: [...first, ...second].map(({ line }) => line),
    next: {
      accounts: first.at(-1)?.cursor ?? after.accounts,
      ci: second.at(-1)?.cursor ?? after.ci,
    },
  };
}
