/** Reports and flags of accounts to signals/, with both databases. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FlagLine, ReportLine, statementId } from '../../format/statement/statement.ts';
import { startPostgres, type PostgresServer } from '../auth/postgres-fixture.ts';
import { bearer, send } from '../auth/service-fixture.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { readHead } from '../generate/index-reader.ts';
import { runCommand, type GeneratorCommand } from '../run/generator-command.ts';
import { isLong } from '../run/runs.ts';
import { serveReportServices, type ReportServices } from './reports-fixture.ts';

const EXPORT_TOKEN = 'e'.repeat(32);
const ON = { REPORTS_EXPORT_TOKEN: EXPORT_TOKEN };
const ABOUT = {
  build: 'a/x',
  version: '1.0.0',
  integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
};
const REPORT = { ...ABOUT, outcome: 'success', note: 'Works with Node 24' };

async function program(command: GeneratorCommand, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runCommand(command, args);
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
  return stdout;
}

let postgres: PostgresServer | undefined;
let databases = 0;
let databaseUrl: string;
let services: ReportServices;
let url: string;

beforeAll(async () => {
  if (isLong()) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.remove());

async function serve(env: Record<string, string> = ON, settleMs = -1000): Promise<void> {
  services = await serveReportServices(databaseUrl, env, { settleMs });
  url = services.url;
}

async function register(email = 'a@example.com'): Promise<Record<string, string>> {
  const answer = await send('POST', `${url}/auth/register`, { email, password: 'correct horse' });
  return bearer(answer.body.token);
}

async function deleteAccounts(): Promise<void> {
  if (!databaseUrl.startsWith('file:')) {
    await postgres?.query(databaseUrl, 'DELETE FROM users');
    return;
  }
  const db = new Sqlite(databaseUrl.slice('file:'.length));
  db.pragma('foreign_keys = ON');
  db.exec('DELETE FROM users');
  db.close();
}

const read = (after = '') =>
  send('GET', `${url}/reports/export${after}`, undefined, bearer(EXPORT_TOKEN));
const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);

describe.each(isLong() ? ['SQLite', 'PostgreSQL'] : ['SQLite'])('reports with %s', (kind) => {
  beforeEach(async () => {
    databaseUrl =
      kind === 'SQLite'
        ? `file:${join(temporaryFolder(), 'auth.sqlite')}`
        : await postgres!.createDatabase(`reports_${databases++}`);
  });

  afterEach(() => services.close());

  test('are not exported without a token for it', async () => {
    await serve({});
    expect((await send('POST', `${url}/reports`, REPORT, await register())).status).toBe(202);
    expect((await read()).status).toBe(404);
  });

  test('are stored once, exported in the format and paged by a cursor', async () => {
    await serve();
    const headers = await register();
    const first = await send('POST', `${url}/reports`, REPORT, headers);
    expect(first.status).toBe(202);
    const again = await send('POST', `${url}/reports`, REPORT, headers);
    expect([again.status, again.body['id']]).toEqual([202, first.body['id']]);
    const other = await send('POST', `${url}/reports`, { ...REPORT, outcome: 'failure' }, headers);
    expect([other.status, other.body.error['code']]).toEqual([409, 'conflict']);
    const flag = { ...ABOUT, reason: 'broken' };
    expect((await send('POST', `${url}/flags`, flag, headers)).status).toBe(202);

    const all = await read();
    const [reportLine, flagLine, ...rest] = linesOf(all.text);
    expect(rest).toEqual([]);
    const { id, report } = ReportLine.parse(reportLine);
    expect(id).toBe(statementId(report));
    expect(id).toBe(first.body['id']);
    expect(FlagLine.parse(flagLine).flag.account).toBe(report.account);
    expect(all.text).not.toContain('example.com');
    const next = await read(`?after=${all.headers.get('x-next-cursor')}`);
    expect([next.status, next.text]).toEqual([200, '']);
    expect(services.log()).not.toContain('Works with');
  });

  test('are refused with a reason', async () => {
    await serve();
    const headers = await register();
    const post = async (body: unknown, as = headers) => {
      const { status, body: answer } = await send('POST', `${url}/reports`, body, as);
      return [status, answer.error['code']];
    };
    expect(await post(REPORT, {})).toEqual([401, 'missing_token']);
    expect(await post({ ...REPORT, version: 'one' })).toEqual([400, 'invalid_request']);
    expect(await post({ ...REPORT, integrity: 'md5-x' })).toEqual([400, 'invalid_request']);
    expect(await post({ ...REPORT, account: 'service:me' })).toEqual([400, 'invalid_request']);
    expect(await post({ ...REPORT, note: 'x'.repeat(501) })).toEqual([400, 'invalid_request']);
    expect(await post({ ...REPORT, note: 'x'.repeat(9000) })).toEqual([413, 'payload_too_large']);
    expect(await post({ ...REPORT, note: 'Ask b@example.org' })).toEqual([422, 'personal_data']);
    for (const note of ['\uFE0F', '\u2800', 'safe\u202Etxt']) {
      expect(await post({ ...REPORT, note })).toEqual([400, 'invalid_request']);
    }
    const broken = await fetch(`${url}/reports`, { method: 'POST', headers, body: '{' });
    expect(broken.status).toBe(400);
    expect((await read()).text).toBe('');
    expect((await read('?after=x')).status).toBe(400);
    expect((await send('GET', `${url}/reports/export`, undefined, headers)).status).toBe(401);
  });

  test('are counted by ingest from the export', async () => {
    const git = new GitFixture();
    git.commit({ ...build('alice/web', '1.0.0') });
    const out = join(temporaryFolder(), 'index');
    await program('generate', '--repo', git.folder, '--out', out, '--no-site', '--threads', '1');
    const integrity = readHead(out, 'alice/web').versions[0]?.integrity;
    const about = { build: 'alice/web', version: '1.0.0', integrity };
    await serve();
    for (const [email, outcome] of [
      ['a@example.com', 'success'],
      ['b@example.com', 'failure'],
    ] as const) {
      const sent = await send(
        'POST',
        `${url}/reports`,
        { ...about, outcome },
        await register(email),
      );
      expect(sent.status).toBe(202);
    }
    const file = join(temporaryFolder(), 'export.jsonl');
    writeFileSync(file, (await read()).text);
    const places = ['--repo', git.folder, '--index', out];
    expect(await program('ingest', 'reports', '--from', file, ...places)).toContain('2 accepted');
    const signals = JSON.parse(
      readFileSync(join(git.folder, 'signals/alice/web.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect(signals['agent_reports']).toEqual({ success: 1, failure: 1 });
  }, 60_000);

  test('are deleted with their account', async () => {
    await serve();
    const headers = await register();
    await send('POST', `${url}/reports`, REPORT, headers);
    await deleteAccounts();
    expect((await read()).text).toBe('');
    expect((await send('POST', `${url}/reports`, REPORT, headers)).status).toBe(401);
  });

  test('wait until they have settled, and are limited', async () => {
    await serve({ ...ON, RATE_LIMIT: 'on', RATE_LIMIT_PER_MINUTE: '2' }, 60_000);
    const headers = await register();
    const statuses = [];
    for (const version of ['1.0.0', '1.0.1', '1.0.2']) {
      statuses.push((await send('POST', `${url}/reports`, { ...REPORT, version }, headers)).status);
    }
    expect(statuses).toEqual([202, 202, 429]);
    expect((await read()).text).toBe('');
  });
});

describe('stackyard-registry reports', () => {
  const MAIN = join(import.meta.dirname, '../../generator/main.ts');
  let child: ChildProcess;
  afterEach(() => void child.kill('SIGKILL'));

  /** Its standard output and error so far. */
  function start(env: Readonly<Record<string, string>>): { stdout: string; stderr: string } {
    const variables = { NODE_ENV: 'test', DATABASE_URL: databaseUrl, JWT_SECRET: 'x'.repeat(32) };
    child = spawn(process.execPath, [MAIN, 'reports', '--port', '0', '--host', '127.0.0.1'], {
      env: { PATH: process.env['PATH'], ...variables, ...env },
    });
    const output = { stdout: '', stderr: '' };
    child.stdout?.on('data', (text) => void (output.stdout += String(text)));
    child.stderr?.on('data', (text) => void (output.stderr += String(text)));
    return output;
  }

  beforeEach(() => {
    databaseUrl = `file:${join(temporaryFolder(), 'auth.sqlite')}`;
  });

  test('serves what the settings say, and ends with 0', { timeout: 60_000 }, async () => {
    await serve({});
    const headers = await register();
    await services.close();
    const output = start(ON);
    await expect.poll(() => output.stdout, { timeout: 30_000 }).toContain('is listening');
    const { port } = JSON.parse(output.stdout.split('\n')[0] ?? '') as { port: number };
    const own = `http://127.0.0.1:${port}`;
    expect((await send('GET', `${own}/ready`)).body).toMatchObject({ status: 'ready' });
    expect((await send('POST', `${own}/reports`, REPORT, headers)).status).toBe(202);
    expect((await send('GET', `${own}/reports`, undefined, headers)).status).toBe(405);
    expect((await send('GET', `${own}/auth/me`, undefined, headers)).status).toBe(404);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output.stderr).toBe('');
    expect(output.stdout).not.toContain('Works with');
  });

  test.each([
    [{ DATABASE_URL: '' }, 2, /DATABASE_URL: is not set.*ERR_USAGE/],
    [{ JWT_SECRET: '' }, 2, /JWT_SECRET: is not set.*ERR_USAGE/],
    [{}, 1, /start the account service first \[ERR_REPORTS_DATABASE\]/],
  ])('does not start with %j', { timeout: 60_000 }, async (env, status, message) => {
    const output = start(env);
    expect(await once(child, 'close')).toEqual([status, null]);
    expect(output.stderr).toMatch(message);
  });

  test(
    'does not create its tables in a database without accounts',
    { timeout: 60_000 },
    async () => {
      const file = databaseUrl.slice('file:'.length);
      new Sqlite(file).exec('CREATE TABLE other (x)').close();
      const output = start({});
      expect(await once(child, 'close')).toEqual([1, null]);
      expect(output.stderr).toContain('it has no accounts: start the account service on it first');
      const names = new Sqlite(file).prepare('SELECT name FROM sqlite_master').pluck().all();
      expect(names).toEqual(['other']);
    },
  );
});
