import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { Flag, Report, statementId } from '../../format/statement/statement.ts';
import { sendError } from '../answer.ts';
import { CiError, type CiRun, type CiTokens } from '../ci/ci-token.ts';
import type { Counter, CreateCounter } from '../limits/counter.ts';
import type { CiStatementStore } from './statement-store.ts';
import { Head } from '../../format/index/record.ts';
import { headPath } from '../../format/index/layout.ts';
import { fetchDocument, StatusError } from '../ci/issuer-keys.ts';

// POST /reports and POST /flags of CI runs, whose token is signed by their OpenID Connect issuer. A token serves for one
// request, so a run sends all its reports at once:
//
//   { "reports": [{ "build": "alice/web", "version": "1.0.0", "integrity": "sha256-...", "outcome": "success" }] }

export interface CiStatementRoutesOptions {
  readonly store: CiStatementStore;
  readonly tokens: CiTokens;
  readonly createCounter: CreateCounter;
  readonly findVersion: FindVersion | undefined;
}

/** A report of a CI run: nobody writes a note there. */
const CiReportBody = Report.omit({ account: true, day: true, note: true });
/** Several of them. */
export const CiReportsBody = z.strictObject({ reports: z.array(CiReportBody).min(1).max(100) });
/** A flag of a CI run. */
const CiFlagBody = Flag.omit({ account: true, day: true, note: true });
type CiBody = z.output<typeof CiReportBody> | z.output<typeof CiFlagBody>;

/** What became of one report of several. */
interface CiResult {
  readonly build: string;
  readonly version: string;
  readonly id?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

const BODY_LIMIT = '128kb';
const MINUTE_SECONDS = 60;
/** Requests of one repository within a minute: a matrix of jobs reports at the same time. */
const REPOSITORY_REQUESTS = 60;
/** Refused tokens of one address within a minute, before its tokens are not looked at. */
const ADDRESS_REFUSALS = 300;

type Kind = 'report' | 'flag';

/** A handler for each route, which leaves requests without such a token to the next one. */
export function createCiStatementHandlers(
  options: CiStatementRoutesOptions,
): Readonly<Record<Kind, RequestHandler[]>> {
  const { tokens } = options;
  const readRun = createReadRun(options);
  const readBody = express.json({ limit: BODY_LIMIT, type: () => true });
  const handlers = (kind: Kind): RequestHandler[] => {
    const handle = createHandle(kind, options);
    return [
      async (req, res, next) => {
        const token = bearerOf(req);
        if (token === undefined || !tokens.isCiToken(token)) return next('route');
        await answerRefusals(res, async () => {
          res.locals['run'] = await readRun(req, token);
          next();
        });
      },
      readBody,
      async (req, res) => answerRefusals(res, () => handle(req, res, res.locals['run'] as CiRun)),
    ];
  };
  return { report: handlers('report'), flag: handlers('flag') };
}

function createReadRun({ tokens, createCounter }: CiStatementRoutesOptions) {
  const count = (name: string, limit: number): Counter =>
    createCounter({ name, limit, windowSeconds: MINUTE_SECONDS });
  const refusals = count('ci_refusals', ADDRESS_REFUSALS);
  const repositories = count('ci_repository', REPOSITORY_REQUESTS);
  const issuers = new Map<string, Counter>();

  return async (req: Request, token: string): Promise<CiRun> => {
    // Counted first and subtracted when it was valid, so that many at the same time do not pass.
    const address = req.ip ?? '';
    if ((await refusals.add(address)) > ADDRESS_REFUSALS) throw tooMany(MINUTE_SECONDS * 1000);
    const run = await tokens.verify(token).catch(async (error: unknown) => {
      // That is no fault of the client.
      if (isUnavailable(error)) await refusals.subtract(address);
      throw error;
    });
    await refusals.subtract(address);
    const { issuer, per_minute: limit } = run.issuer;
    const all = issuers.get(issuer) ?? count('ci_issuer', limit);
    issuers.set(issuer, all);
    const waitMs = (await repositories.take(run.account)) || (await all.take(issuer));
    if (waitMs > 0) throw tooMany(waitMs);
    return run;
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof CiError && error.code === 'issuer_unavailable';
}

function tooMany(retryAfterMs: number): CiError {
  const message = 'Too many reports and flags of CI runs, try again later';
  return new CiError('rate_limited', message, { retryAfterMs });
}

function createHandle(kind: Kind, { store, findVersion }: CiStatementRoutesOptions) {
  return async (req: Request, res: Response, run: CiRun): Promise<void> => {
    const isMany = kind === 'report' && Object.hasOwn(Object(req.body) as object, 'reports');
    const schema = isMany ? CiReportsBody : kind === 'report' ? CiReportBody : CiFlagBody;
    const parsed = schema.safeParse(req.body);
    if (!parsed.success) {
      return sendError(res, 400, 'invalid_request', describeProblems(parsed.error));
    }
    const bodies = 'reports' in parsed.data ? parsed.data.reports : [parsed.data];
    const problems = await Promise.all(bodies.map(async (body) => findVersion?.(body)));
    const [alone] = isMany ? [] : problems;
    if (alone !== undefined) return sendError(res, alone.status, alone.code, alone.message);
    // As late as possible: a request that is refused before leaves the token to the next attempt.
    if (!(await store.useToken(run.tokenDigest, run.expiresAt))) {
      throw new CiError('token_replayed', 'The token was used before: get a new one');
    }
    const results: CiResult[] = [];
    for (const [at, body] of bodies.entries()) {
      const about = { build: body.build, version: body.version };
      const problem = problems[at];
      const added =
        problem === undefined
          ? await addOne(store, kind, body, run)
          : { error: { code: problem.code, message: problem.message } };
      results.push({ ...about, ...added });
    }
    res.setHeader('Cache-Control', 'no-store');
    if (isMany) return void res.status(202).json({ results });
    const [{ id, error }] = results as [CiResult];
    if (error !== undefined) return sendError(res, 409, error.code, error.message);
    res.status(202).json({ id });
  };
}

async function addOne(
  store: CiStatementStore,
  kind: Kind,
  body: CiBody,
  { account, origin }: CiRun,
): Promise<Pick<CiResult, 'id' | 'error'>> {
  const receivedAt = new Date().toISOString();
  const day = receivedAt.slice(0, 10);
  const statement = { ...body, account, day };
  const id = statementId(statement);
  const line = JSON.stringify({ id, received_at: receivedAt, [kind]: statement, ci: origin });
  const { build, version } = body;
  const stored = await store.add(account, { kind, id, build, version, day, receivedAt, line });
  if (stored === id) return { id };
  const message = `The repository has sent another ${kind} about this version today`;
  return { error: { code: 'conflict', message } };
}

async function answerRefusals(res: Response, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CiError)) throw error;
    const { status, code, message, retryAfterSeconds } = error;
    if (retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(retryAfterSeconds));
    if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
    sendError(res, status, code, message);
  }
}

function bearerOf({ headers }: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

// The message of a body that breaks rules.

/** Every problem with its field, on one line. */
export function describeProblems({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
}

// Whether the version exists that a report or flag is about, by the heads of an index. Without an answer the statement is
// accepted: `npm run ingest` compares every one with the index again.

interface About {
  readonly build: string;
  readonly version: string;
  readonly integrity: string;
}

interface VersionProblem {
  readonly status: 404 | 422;
  readonly code: 'version_not_found' | 'integrity_mismatch';
  readonly message: string;
}

/** What is wrong with the version that a statement names; `undefined` when nothing is, or nothing is known. */
export type FindVersion = (about: About) => Promise<VersionProblem | undefined>;

/** Integrity by version; empty for a build that does not exist. */
type Versions = ReadonlyMap<string, string>;

const KEEP_MS = 60_000;
const MAX_BUILDS = 1000;
const TIMEOUT_MS = 3000;
const MAX_HEAD_BYTES = 8 * 1024 * 1024;

/** @param index a folder, or an address without "/" at the end */
export function createFindVersion(index: string, warn: (message: string) => void): FindVersion {
  const known = new Map<string, { readonly versions: Promise<Versions>; readonly until: number }>();

  function versionsOf(build: string): Promise<Versions> {
    const kept = known.get(build);
    if (kept !== undefined && Date.now() < kept.until) return kept.versions;
    const versions = readVersions(index, build);
    // A build that was looked up is the newest one.
    known.delete(build);
    known.set(build, { versions, until: Date.now() + KEEP_MS });
    const [oldest = ''] = known.keys();
    if (known.size > MAX_BUILDS) known.delete(oldest);
    return versions;
  }

  return async ({ build, version, integrity }) => {
    let versions: Versions;
    try {
      versions = await versionsOf(build);
    } catch {
      warn('The index of the registry cannot be read: versions of reports are not compared');
      return undefined;
    }
    const published = versions.get(version);
    if (published === integrity) return undefined;
    return published === undefined
      ? problem(404, 'version_not_found', `${build}@${version} is not published`)
      : problem(422, 'integrity_mismatch', `integrity: ${build}@${version} has another one`);
  };
}

function problem(
  status: VersionProblem['status'],
  code: VersionProblem['code'],
  message: string,
): VersionProblem {
  return { status, code, message };
}

async function readVersions(index: string, build: string): Promise<Versions> {
  const text = await readHead(index, headPath(build));
  if (text === undefined) return new Map();
  const { versions } = Head.parse(JSON.parse(text));
  return new Map(versions.map(({ version, integrity }) => [version, integrity]));
}

async function readHead(index: string, path: string): Promise<string | undefined> {
  if (!/^https?:/.test(index)) {
    return readFile(join(index, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }
  return fetchDocument(`${index}/${path}`, TIMEOUT_MS, MAX_HEAD_BYTES).catch((error: unknown) => {
    if (error instanceof StatusError && error.status === 404) return undefined;
    throw error;
  });
}
