/**
 * POST /reports, POST /flags and GET /reports/export (docs/signals.md, "From an account service"). Signed-in accounts send one; a CI run,
 * whose token is signed by its OpenID Connect issuer and serves for one request, sends all its reports at once:
 *
 *     { "reports": [{ "build": "alice/web", "version": "1.0.0", "integrity": "sha256-...", "outcome": "success" }] }
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { shownTextProblem } from '../../format/document/shown-text.ts';
import { personalDataIn } from '../../format/statement/personal-data.ts';
import { Flag, Report, statementId } from '../../format/statement/statement.ts';
import { Refusal, type ReportsAnswer, type ReportsRequest } from './answer.ts';
import { CiTokens, type CiRun } from './ci-token.ts';
import type { RunSql } from './database.ts';
import { type IssuerKeysOptions, fetchDocument, StatusError } from './issuer-keys.ts';
import type { ReportsSettings } from './settings.ts';
import {
  createCiStatementStore,
  createStatementStore,
  type CiStatementStore,
  type StoredLine,
} from './statement-store.ts';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { headPath } from '../../format/index/layout.ts';
import { Head } from '../../format/index/record.ts';

/** For tests, which do not wait. */
export interface RouteOptions {
  /** How old a statement is before it is exported, in milliseconds. Default: 10 seconds. */
  readonly settleMs?: number;
  readonly issuerKeys?: IssuerKeysOptions;
}

type Kind = 'report' | 'flag';

const BODIES = {
  report: Report.omit({ account: true, day: true }),
  flag: Flag.omit({ account: true, day: true }),
} as const;
/** Of a CI run: nobody writes a note there. */
const CI_BODIES = {
  report: Report.omit({ account: true, day: true, note: true }),
  flag: Flag.omit({ account: true, day: true, note: true }),
} as const;
const CiReports = z.strictObject({ reports: z.array(CI_BODIES.report).min(1).max(100) });
type CiBody = z.output<(typeof CI_BODIES)[Kind]>;

const BODY_BYTES = 8 * 1024;
const CI_BODY_BYTES = 128 * 1024;
const PAGE_LINES = 1000;
// PostgreSQL may show a later number before an earlier one. A statement takes at most 5 seconds, so no cursor skips one
// that is still being stored.
const SETTLE_MS = 10_000;
/** Requests of one repository within a minute: a matrix of jobs reports at the same time. */
const REPOSITORY_REQUESTS = 60;
/** Refused tokens of one address within a minute, before its tokens are not looked at. */
const ADDRESS_REFUSALS = 300;

/** Answers a request for one of the three, else `undefined`. */
export function createStatementRoutes(
  settings: ReportsSettings,
  run: RunSql,
  warn: (message: string) => void,
  { settleMs = SETTLE_MS, issuerKeys }: RouteOptions = {},
): (request: ReportsRequest) => Promise<ReportsAnswer> | undefined {
  const { index, exportToken, address, ciIssuers, perMinute = Infinity } = settings;
  const findVersion = index === undefined ? undefined : createFindVersion(index, warn);
  const store = createStatementStore(run);
  const ciStore = createCiStatementStore(run);
  const accounts = new Windows();
  const ci =
    address === undefined || ciIssuers.length === 0
      ? undefined
      : createCiRoute(new CiTokens(address, ciIssuers, issuerKeys), ciStore, findVersion);

  async function accept(kind: Kind, request: ReportsRequest): Promise<ReportsAnswer> {
    const userId = await accountOfToken(request.bearer, run, settings);
    if (accounts.add(String(userId)) > perMinute) throw tooMany();
    const body = parse(BODIES[kind], await request.readBody(BODY_BYTES));
    const { build, version, note = '' } = body;
    const hidden = shownTextProblem(note);
    if (hidden !== undefined) throw new Refusal('invalid_request', `note: ${hidden}`);
    const found = personalDataIn(note);
    if (found !== undefined) {
      const message = `note: holds ${found}; reports and flags are published, so leave it out`;
      throw new Refusal('personal_data', message);
    }
    const problem = await findVersion?.(body);
    if (problem !== undefined) throw problem;
    const account = await store.accountOf(userId);
    if (account === undefined) throw gone();
    const { day, receivedAt } = arrival();
    const statement = { ...body, account, day };
    const id = statementId(statement);
    const line = JSON.stringify({ id, received_at: receivedAt, [kind]: statement });
    const stored = await store.add(userId, { kind, id, build, version, day, receivedAt, line });
    if (stored === undefined) throw gone();
    if (stored === id) return { status: 202, body: { id } };
    const message = `You have sent another ${kind} about this version today: try again tomorrow`;
    throw new Refusal('conflict', message);
  }

  async function exportLines({ bearer, query }: ReportsRequest): Promise<ReportsAnswer> {
    if (!isToken(bearer, exportToken ?? '')) {
      throw new Refusal('invalid_token', 'Send the export token as a bearer token');
    }
    const after = tryParseCursor(query.get('after') ?? undefined);
    if (after === undefined) {
      const message = 'after: use the value of X-Next-Cursor of an earlier answer, or leave it out';
      throw new Refusal('invalid_request', message);
    }
    const before = new Date(Date.now() - settleMs).toISOString();
    const page = await listExport([store, ciStore], after, before, PAGE_LINES);
    const next = formatCursor(page.next);
    const isFull = page.lines.length === PAGE_LINES;
    return {
      status: 200,
      lines: page.lines.map((line) => `${line}\n`).join(''),
      headers: { 'X-Next-Cursor': next, ...(isFull && { Link: `<?after=${next}>; rel="next"` }) },
    };
  }

  return (request) => {
    const kind = ({ '/reports': 'report', '/flags': 'flag' } as const)[request.path];
    if (kind !== undefined) {
      if (request.method !== 'POST') throw otherMethod(request);
      return ci?.(kind, request) ?? accept(kind, request);
    }
    if (request.path !== '/reports/export' || exportToken === undefined) return undefined;
    if (request.method !== 'GET') throw otherMethod(request);
    return exportLines(request);
  };
}

/** The refusal of a method that a path does not have. */
export function otherMethod({ method }: ReportsRequest): Refusal {
  return new Refusal('method_not_allowed', `Method ${method} is not allowed here`);
}

/** The route of CI runs, which leaves other tokens to the accounts. */
function createCiRoute(
  tokens: CiTokens,
  store: CiStatementStore,
  findVersion: FindVersion | undefined,
): (kind: Kind, request: ReportsRequest) => Promise<ReportsAnswer> | undefined {
  const refusals = new Windows();
  const repositories = new Windows();
  const issuers = new Windows();

  async function readRun(address: string, token: string): Promise<CiRun> {
    // Counted first and subtracted when it was valid, so that many at the same time do not pass.
    if (refusals.add(address) > ADDRESS_REFUSALS) throw tooMany();
    const run = await tokens.verify(token).catch((error: unknown) => {
      // That is no fault of the client.
      if (error instanceof Refusal && error.code === 'issuer_unavailable')
        refusals.subtract(address);
      throw error;
    });
    refusals.subtract(address);
    const { issuer, per_minute: limit } = run.issuer;
    if (repositories.add(run.account) > REPOSITORY_REQUESTS) throw tooMany();
    if (issuers.add(issuer) > limit) throw tooMany();
    return run;
  }

  async function take(kind: Kind, request: ReportsRequest, token: string): Promise<ReportsAnswer> {
    const run = await readRun(request.address, token);
    const body = await request.readBody(CI_BODY_BYTES);
    const isMany = kind === 'report' && Object.hasOwn(Object(body) as object, 'reports');
    const bodies: readonly CiBody[] = isMany
      ? parse(CiReports, body).reports
      : [parse(CI_BODIES[kind], body)];
    const problems = await Promise.all(bodies.map(async (one) => findVersion?.(one)));
    const [alone] = isMany ? [] : problems;
    if (alone !== undefined) throw alone;
    // As late as possible: a request that is refused before leaves the token to the next attempt.
    if (!(await store.useToken(run.tokenDigest, run.expiresAt))) {
      throw new Refusal('token_replayed', 'The token was used before: get a new one');
    }
    const results: object[] = [];
    for (const [at, one] of bodies.entries()) {
      const added = problems[at] ?? (await addOne(store, kind, one, run));
      if (!isMany && added instanceof Refusal) throw added;
      const outcome =
        added instanceof Refusal
          ? { error: { code: added.code, message: added.message } }
          : { id: added };
      results.push({ build: one.build, version: one.version, ...outcome });
    }
    const [only] = results as [{ readonly id?: string }];
    return { status: 202, body: isMany ? { results } : { id: only.id } };
  }

  return (kind, request) => {
    const { bearer } = request;
    if (bearer === undefined || !tokens.isCiToken(bearer)) return undefined;
    return take(kind, request, bearer);
  };
}

/** The id of the stored statement, or why there is another one. */
async function addOne(
  store: CiStatementStore,
  kind: Kind,
  body: CiBody,
  { account, origin }: CiRun,
): Promise<string | Refusal> {
  const { day, receivedAt } = arrival();
  const statement = { ...body, account, day };
  const id = statementId(statement);
  const line = JSON.stringify({ id, received_at: receivedAt, [kind]: statement, ci: origin });
  const { build, version } = body;
  const stored = await store.add(account, { kind, id, build, version, day, receivedAt, line });
  if (stored === id) return id;
  const message = `The repository has sent another ${kind} about this version today`;
  return new Refusal('conflict', message);
}

function arrival(): { readonly day: string; readonly receivedAt: string } {
  const receivedAt = new Date().toISOString();
  return { day: receivedAt.slice(0, 10), receivedAt };
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  const problems = error.issues.map(
    ({ path, message }) => `${path.join('.') || 'body'}: ${message}`,
  );
  throw new Refusal('invalid_request', problems.join('; '));
}

function gone(): Refusal {
  return new Refusal('account_gone', 'The account was deleted');
}

// Digests have equal lengths, so the comparison does not reveal the length of the token.
function isToken(given: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(token));
}

// Counts per key within a minute, in the memory of this process, with a bound on their number: clients choose the keys.

const WINDOW_MS = 60_000;
const MAX_KEYS = 100_000;

class Windows {
  readonly #counts = new Map<string, { count: number; readonly endsAt: number }>();

  /** Adds one and returns the count of this minute. */
  add(key: string): number {
    const now = Date.now();
    const known = this.#counts.get(key);
    const counted =
      known !== undefined && now < known.endsAt ? known : { count: 0, endsAt: now + WINDOW_MS };
    counted.count += 1;
    // The key that was used last is the newest one.
    this.#counts.delete(key);
    this.#counts.set(key, counted);
    const [oldest = ''] = this.#counts.keys();
    if (this.#counts.size > MAX_KEYS) this.#counts.delete(oldest);
    return counted.count;
  }

  subtract(key: string): void {
    const counted = this.#counts.get(key);
    if (counted !== undefined) counted.count -= 1;
  }
}

function tooMany(): Refusal {
  const message = 'Too many reports and flags, try again later';
  return new Refusal('rate_limited', message, { retryAfterMs: WINDOW_MS });
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

/** Login tokens of the account service (JWT, HS256): who sends a report. The account is read for each request. */
const Claims = z.object({
  sub: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/)
    .transform(Number),
  ver: z.int().nonnegative(),
  jti: z.string().min(16).max(64),
  iat: z.int(),
  exp: z.int(),
});

const FIND = 'SELECT token_version, created_at FROM users WHERE id = $1';

const MAX_CHARACTERS = 4096;
/** How far `iat` may lie ahead of this machine's clock. */
const MAX_LEAD_SECONDS = 60;

/** The id of the account that the token is of. @throws {Refusal} */
async function accountOfToken(
  token: string | undefined,
  run: RunSql,
  settings: Pick<ReportsSettings, 'secrets' | 'tokenIssuer' | 'tokenAudience'>,
): Promise<number> {
  if (token === undefined) {
    throw new Refusal('missing_token', 'Send a bearer token in the header Authorization');
  }
  const { iss, aud, ...payload } = await verifySigned(token, settings.secrets);
  const claims = Claims.safeParse(payload);
  if (!claims.success || iss !== settings.tokenIssuer || aud !== settings.tokenAudience)
    throw invalid();
  const { sub, ver, iat } = claims.data;
  if (iat > Date.now() / 1000 + MAX_LEAD_SECONDS) throw invalid();
  const [row] = await run(FIND, [sub]);
  // A token older than its account belonged to an earlier account with the same id.
  const createdAt = new Date(String(row?.['created_at'])).getTime();
  if (row === undefined || iat < Math.floor(createdAt / 1000)) {
    throw new Refusal('account_gone', 'The account was deleted');
  }
  if (Number(row['token_version']) !== ver) throw invalid();
  return sub;
}

async function verifySigned(token: string, secrets: readonly string[]): Promise<JWTPayload> {
  if (token.length > MAX_CHARACTERS) throw invalid();
  for (const secret of secrets) {
    try {
      const key = new TextEncoder().encode(secret);
      return (await jwtVerify(token, key, { algorithms: ['HS256'] })).payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        throw new Refusal('token_expired', 'The token has expired: log in again');
      }
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  throw invalid();
}

function invalid(): Refusal {
  return new Refusal('invalid_token', 'The token is not valid');
}

// Whether the version exists that a report or flag is about, by the heads of an index. Without an answer the statement is
// accepted: `npm run ingest` compares every one with the index again.

interface About {
  readonly build: string;
  readonly version: string;
  readonly integrity: string;
}

/** What is wrong with the version that a statement names; `undefined` when nothing is, or nothing is known. */
type FindVersion = (about: About) => Promise<Refusal | undefined>;

/** Integrity by version; empty for a build that does not exist. */
type Versions = ReadonlyMap<string, string>;

const KEEP_MS = 60_000;
const MAX_BUILDS = 1000;
const TIMEOUT_MS = 3000;
const MAX_HEAD_BYTES = 8 * 1024 * 1024;

/** @param index a folder, or an address without "/" at the end */
function createFindVersion(index: string, warn: (message: string) => void): FindVersion {
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
      ? new Refusal('version_not_found', `${build}@${version} is not published`)
      : new Refusal('integrity_mismatch', `integrity: ${build}@${version} has another one`);
  };
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
