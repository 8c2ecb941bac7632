/** Reports and flags that CI runs sign, from the token to `agent_reports` in the record, with both databases. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FlagLine, ReportLine } from '../../format/statement/statement.ts';
import {
  AUDIENCE,
  REPORTS_ADDRESS,
  startIssuer,
  type Fault,
  type Issuer,
} from '../auth/issuer-fixture.ts';
import { startPostgres, type PostgresServer } from '../auth/postgres-fixture.ts';
import { bearer, send, type Answer } from '../auth/service-fixture.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { readHead, readRecord } from '../generate/index-reader.ts';
import { runCommand, type GeneratorCommand } from '../run/generator-command.ts';
import { isLong } from '../run/runs.ts';
import { serveReportServices, type ReportServices } from './reports-fixture.ts';

const EXPORT_TOKEN = 'e'.repeat(32);
const ABOUT = {
  build: 'a/x',
  version: '1.0.0',
  integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
};
const RAN_ON = { stack: ['express 5.3.0', 'node 24.1.0'], manager: 'npm 11.4.2', os: 'linux' };
const REPORT = { ...ABOUT, outcome: 'success', ran_on: RAN_ON };
const MINUTE = 60;
const HOUR = 3600;

let postgres: PostgresServer;
let databases = 0;
let databaseUrl: string;
let issuer: Issuer;
let services: ReportServices;
let url: string;

beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres.remove());

interface Change {
  readonly kind?: 'github' | 'gitlab';
  readonly perMinute?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly keys?: { readonly timeoutMs?: number; readonly cooldownMs?: number };
}

async function serve({
  kind = 'github',
  perMinute,
  env = {},
  keys = { cooldownMs: 0 },
}: Change = {}): Promise<void> {
  const one = { issuer: issuer.url, kind };
  const limits = perMinute === undefined ? {} : { per_minute: perMinute };
  services = await serveReportServices(
    databaseUrl,
    {
      REPORTS_EXPORT_TOKEN: EXPORT_TOKEN,
      REPORTS_ADDRESS,
      OIDC_ISSUERS: JSON.stringify([{ ...one, ...limits }]),
      ...env,
    },
    { settleMs: -1000, issuerKeys: keys },
  );
  url = services.url;
}

const post = async (token: string, body: unknown = REPORT, path = '/reports'): Promise<Answer> =>
  send('POST', `${url}${path}`, body, bearer(token));

/** Status, and code of the error. */
async function result(token: string, body?: unknown): Promise<unknown[]> {
  const answer = await post(token, body);
  return [answer.status, (answer.body.error as { code?: string } | undefined)?.code];
}

const read = (after = '') =>
  send('GET', `${url}/reports/export${after}`, undefined, bearer(EXPORT_TOKEN));

async function program(command: GeneratorCommand, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runCommand(command, args);
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
  return stdout;
}

describe.each(['SQLite', 'PostgreSQL'])('reports of CI runs with %s', (kind) => {
  beforeEach(async () => {
    issuer = await startIssuer();
    databaseUrl =
      kind === 'SQLite'
        ? `file:${join(temporaryFolder(), 'auth.sqlite')}`
        : await postgres.createDatabase(`ci_reports_${databases++}`);
  });

  afterEach(async () => {
    issuer.close();
    await services.close();
  });

  test('are accepted once for a repository, version and day, and exported', async () => {
    await serve();
    const token = await issuer.token();
    const first = await post(token);
    expect([first.status, first.text.length > 0]).toEqual([202, true]);
    expect(await result(token)).toEqual([401, 'token_replayed']);
    const again = await post(await issuer.token());
    expect([again.status, again.body['id']]).toEqual([202, first.body['id']]);
    const other = { ...REPORT, outcome: 'failure' };
    expect(await result(await issuer.token(), other)).toEqual([409, 'conflict']);
    // Another repository is another account.
    expect(await result(await issuer.token({ repository_id: '43' }), other)).toEqual([
      202,
      undefined,
    ]);
    const flag = { ...ABOUT, reason: 'broken' };
    expect((await post(await issuer.token(), flag, '/flags')).status).toBe(202);

    const all = await read();
    const lines = all.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);
    const [one, two] = lines.slice(0, 2).map((line) => ReportLine.parse(line));
    const host = issuer.url.replace('http://', '');
    expect(one?.report).toMatchObject({ account: `ci:${host}:42`, ran_on: RAN_ON });
    expect(one?.ci).toEqual({ owner: '4200', actor: '4201' });
    expect(two?.report.account).toBe(`ci:${host}:43`);
    expect(FlagLine.parse(lines[2]).flag.account).toBe(`ci:${host}:42`);
    expect(lines.length).toBe(3);
    expect(all.text).not.toContain('made/project');
    const next = await read(`?after=${all.headers.get('x-next-cursor')}`);
    expect([next.status, next.text]).toEqual([200, '']);
  });

  test('are sent together with one token', async () => {
    await serve();
    const other = { ...REPORT, build: 'a/y' };
    const both = await post(await issuer.token(), { reports: [REPORT, other] });
    expect([both.status, both.body['results']]).toMatchObject([
      202,
      [
        { build: 'a/x', id: expect.any(String) },
        { build: 'a/y', id: expect.any(String) },
      ],
    ]);
    const changed = await post(await issuer.token(), {
      reports: [
        { ...other, outcome: 'failure' },
        { ...other, version: '2.0.0' },
      ],
    });
    expect([changed.status, changed.body['results']]).toMatchObject([
      202,
      [{ error: { code: 'conflict' } }, { version: '2.0.0', id: expect.any(String) }],
    ]);
  });

  test('are refused when the token is not valid here', async () => {
    await serve();
    const now = Math.floor(Date.now() / 1000);
    const secret = new TextEncoder().encode(JSON.stringify(await issuer.publicKey()));
    const claims = {
      iss: issuer.url,
      aud: AUDIENCE,
      iat: now,
      exp: now + 300,
      repository_id: '42',
    };
    const cases: Readonly<Record<string, [token: string, status: number, code: string]>> = {
      audience: [await issuer.token({ aud: 'other' }), 401, 'invalid_token'],
      'no audience': [await issuer.token({ aud: undefined }), 401, 'invalid_token'],
      'audience of all registries': [
        await issuer.token({ aud: 'stackyard' }),
        401,
        'invalid_token',
      ],
      'audience of a cloud': [
        await issuer.token({ aud: 'sts.amazonaws.com' }),
        401,
        'invalid_token',
      ],
      'audience of another service': [
        await issuer.token({ aud: 'stackyard:evil.example' }),
        401,
        'invalid_token',
      ],
      'several audiences': [
        await issuer.token({ aud: [AUDIENCE, 'sts.amazonaws.com'] }),
        401,
        'invalid_token',
      ],
      expired: [await issuer.token({ exp: now - 5 * MINUTE }), 401, 'token_expired'],
      early: [await issuer.token({ nbf: now + 5 * MINUTE }), 401, 'invalid_token'],
      old: [await issuer.token({ iat: now - 2 * HOUR, exp: now + HOUR }), 401, 'token_expired'],
      future: [await issuer.token({ iat: now + 5 * MINUTE }), 401, 'invalid_token'],
      'without exp': [await issuer.token({ exp: undefined }), 401, 'invalid_token'],
      'without iat': [await issuer.token({ iat: undefined }), 401, 'invalid_token'],
      'unknown issuer': [await issuer.token({ iss: 'https://x.example' }), 401, 'unknown_issuer'],
      'without repository': [
        await issuer.token({ repository_id: undefined }),
        401,
        'invalid_token',
      ],
      'without actor': [await issuer.token({ actor_id: 'bob' }), 401, 'invalid_token'],
      none: [new UnsecuredJWT(claims).encode(), 401, 'invalid_token'],
      'HS256 with the public key': [
        await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret),
        401,
        'invalid_token',
      ],
      'another signature': [
        `${(await issuer.token()).replace(/[^.]*$/, '')}${(await issuer.token()).split('.')[2]}`,
        401,
        'invalid_token',
      ],
      long: [`${await issuer.token()}${'A'.repeat(9000)}`, 401, 'invalid_token'],
    };
    for (const [name, [token, status, code]] of Object.entries(cases)) {
      expect([name, ...(await result(token))]).toEqual([name, status, code]);
    }
    expect((await read()).text).toBe('');
  });

  test('of GitLab CI are those of its project', async () => {
    await serve({ kind: 'gitlab' });
    const run = { repository_id: undefined, project_id: '7', namespace_id: '8', user_id: '9' };
    // As at the end of a long job.
    const iat = Math.floor(Date.now() / 1000) - 3 * HOUR;
    expect(await result(await issuer.token({ ...run, iat }))).toEqual([202, undefined]);
    expect(await result(await issuer.token())).toEqual([401, 'invalid_token']);
    const { report, ci } = ReportLine.parse(JSON.parse((await read()).text));
    expect(report.account).toMatch(/^ci:127\.0\.0\.1:\d+:7$/);
    expect(ci).toEqual({ owner: '8', actor: '9' });
  });

  // The counters of both databases have a test of their own; hundreds of requests to PostgreSQL may take over a minute.
  test.runIf(kind === 'SQLite')('of one address are limited after many refused ones', async () => {
    await serve();
    const forged = await issuer.token({ aud: 'other' });
    for (let n = 0; n < 30; n++) {
      const ten = await Promise.all(Array.from({ length: 10 }, () => result(forged)));
      expect(ten.at(-1)).toEqual([401, 'invalid_token']);
    }
    expect(await result(forged)).toEqual([429, 'rate_limited']);
    expect(await result(await issuer.token())).toEqual([429, 'rate_limited']);
  });

  test('are refused when the body breaks a rule, and leave the token', async () => {
    await serve();
    const token = await issuer.token();
    for (const body of [
      { ...REPORT, note: 'Ask me' },
      { ...REPORT, account: 'host:1' },
      { ...REPORT, ran_on: { ...RAN_ON, os: 'my laptop' } },
      { ...REPORT, ran_on: { ...RAN_ON, stack: ['bob@example.org 1'] } },
      { ...REPORT, ran_on: { ...RAN_ON, log: 'x' } },
      { reports: [] },
      { reports: Array.from({ length: 101 }, () => REPORT) },
    ]) {
      expect(await result(token, body)).toEqual([400, 'invalid_request']);
    }
    const large = { reports: 'x'.repeat(200_000) };
    expect(await result(token, large)).toEqual([413, 'payload_too_large']);
    expect(await result(token)).toEqual([202, undefined]);
  });

  test('follow the keys of the issuer', async () => {
    await serve();
    const old = await issuer.token();
    expect(await result(await issuer.token())).toEqual([202, undefined]);
    await issuer.rotate();
    expect(await result(await issuer.token())).toEqual([202, undefined]);
    // The key is no longer published, and its tokens are worth nothing.
    expect(await result(old)).toEqual([401, 'invalid_token']);
  });

  test('do not make the service fetch keys for every token', async () => {
    await serve({ keys: { cooldownMs: 60_000 } });
    await result(await issuer.token());
    const fetches = issuer.fetches();
    await issuer.rotate();
    for (let n = 0; n < 5; n++) {
      expect(await result(await issuer.token())).toEqual([401, 'invalid_token']);
    }
    expect(issuer.fetches()).toBe(fetches);
  });

  test.each<Fault>(['down', 'slow', 'huge', 'redirect', 'other-issuer'])(
    'are refused for now while the issuer is %s, and it is left alone for a while',
    async (fault) => {
      await serve({ keys: { timeoutMs: 200, cooldownMs: 60_000 } });
      issuer.setFault(fault);
      const answer = await post(await issuer.token());
      expect([answer.status, answer.body.error['code']]).toEqual([503, 'issuer_unavailable']);
      expect(answer.headers.get('retry-after')).toBe('30');
      const fetches = issuer.fetches();
      expect(await result(await issuer.token())).toEqual([503, 'issuer_unavailable']);
      expect(issuer.fetches()).toBe(fetches);
      expect((await read()).text).toBe('');
    },
  );

  test('are limited for an issuer and for a repository', async () => {
    await serve({ perMinute: 5 });
    const statuses = [];
    for (let n = 1; n <= 8; n++) {
      statuses.push((await post(await issuer.token({ repository_id: String(n) }))).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429, 429]);
    const limited = await post(await issuer.token());
    expect(limited.body.error['code']).toBe('rate_limited');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('of a flood from one issuer count up to its limit, and no other is stored', async () => {
    const limit = 20;
    await serve({ perMinute: limit });
    // PostgreSQL synchronises each count to disk.
    const full = kind === 'SQLite' ? 10_000 : 1_000;
    const [size, atOnce] = [isLong() ? full : 60, 20];
    const begun = Date.now();
    const codes: unknown[] = [];
    for (let sent = 0; sent < size; sent += atOnce) {
      const some = Array.from({ length: atOnce }, async (_, n) => {
        return result(await issuer.token({ repository_id: String(sent + n + 1) }));
      });
      codes.push(...(await Promise.all(some)).map(([status, code]) => code ?? status));
    }
    // A slow machine needs several minutes, each with its own limit.
    const minutes = Math.floor((Date.now() - begun) / 60_000) + 2;
    const accepted = codes.filter((code) => code === 202).length;
    expect(new Set(codes)).toEqual(new Set([202, 'rate_limited']));
    expect(accepted).toBeGreaterThanOrEqual(limit);
    expect(accepted).toBeLessThanOrEqual(limit * minutes);
    expect((await read()).text.split('\n').length - 1).toBe(accepted);
    expect(issuer.fetches()).toBe(2);
  });

  test('reach the record of the build', async () => {
    const git = new GitFixture();
    git.commit({
      ...build('alice/web', '1.0.0'),
      'builds/alice/owner.json': JSON.stringify({ account_id: 77 }),
    });
    const out = join(temporaryFolder(), 'index');
    const generate = () =>
      program('generate', '--repo', git.folder, '--out', out, '--no-site', '--threads', '1');
    await generate();
    const integrity = readHead(out, 'alice/web').versions[0]?.integrity;
    await serve({ env: { REPORTS_INDEX: out } });
    const report = { ...REPORT, build: 'alice/web', version: '1.0.0', integrity };
    const token = await issuer.token();
    const wrong = { ...report, version: '9.0.0' };
    expect(await result(token, wrong)).toEqual([404, 'version_not_found']);
    const bad = { ...report, integrity: ABOUT.integrity };
    expect(await result(token, bad)).toEqual([422, 'integrity_mismatch']);
    const missing = { ...report, build: 'alice/none' };
    expect(await result(token, missing)).toEqual([404, 'version_not_found']);
    expect(await result(token, report)).toEqual([202, undefined]);

    // The publisher's own repository, and a run that the publisher started elsewhere.
    for (const [repository_id, ids] of [
      ['43', { repository_owner_id: '77' }],
      ['44', { actor_id: '77' }],
    ] as const) {
      const own = await issuer.token({ repository_id, ...ids });
      expect(await result(own, report)).toEqual([202, undefined]);
    }

    const file = join(temporaryFolder(), 'export.jsonl');
    writeFileSync(file, (await read()).text);
    const places = ['--repo', git.folder, '--index', out];
    expect(await program('ingest', 'reports', '--from', file, ...places)).toContain('3 accepted');
    git.git('add', '-A');
    git.git('commit', '-qm', 'Count signals');
    await generate();
    expect(readRecord(out, 'alice/web').agent_reports).toMatchObject({ success: 1, failure: 0 });
  }, 60_000);
});
