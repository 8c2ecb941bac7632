/** `verify --report` and `report --ci` in a CI run of a made project: from its tests to `agent_reports` in the record. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Lock } from '../../format/project/lock.ts';
import { type Issuer, startIssuer } from '../auth/issuer-fixture.ts';
import { bearer, send } from '../auth/service-fixture.ts';
import { makeProject, serveRegistry, stackyard } from '../client/registry-fixture.ts';
import { GitFixture, temporaryFolder } from '../generate/git-fixture.ts';
import { build } from './gate-fixture.ts';
import { serveReportServices, type ReportServices } from './reports-fixture.ts';
import { readRecord } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';

const EXPORT_TOKEN = 'e'.repeat(32);
const GUIDE = `# Integrate

## Verify

| Command | Expected |
|---|---|
| \`node -p "1 + 1"\` | \`2\` |

With the server started:

| Command | Expected |
|---|---|
| \`exit 9\` | never |
`;
/** Fails when it could sign something itself. */
const TEST =
  'node -e "process.exit(Object.keys(process.env).some((name) => /ID_TOKEN/.test(name)) ? 7 : 0)"';

/** Quicker than the script of the package manager. */
const PASS = ['--test', 'exit 0'];

let issuer: Issuer;
let services: ReportServices;
let service: string;
let git: GitFixture;
let index: string;
let project: string;
let variables: Readonly<Record<string, string>>;

beforeEach(async () => {
  issuer = await startIssuer();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  services = await serveReportServices(
    `file:${join(temporaryFolder(), 'auth.sqlite')}`,
    {
      REPORTS_EXPORT_TOKEN: EXPORT_TOKEN,
      REPORTS_ADDRESS: service,
      OIDC_ISSUERS: JSON.stringify([{ issuer: issuer.url, kind: 'github' }]),
    },
    { settleMs: -1000 },
    server,
  );
  git = new GitFixture();
  const reports = { address: service };
  git.commit({
    'registry.config.json': JSON.stringify({ reports }),
    ...build(
      'alice/web',
      '1.0.0',
      { stack: { requires: { node: '>=20' } } },
      { 'INTEGRATION.md': GUIDE, 'src/web.ts': 'export const web = 1;\n' },
    ),
    ...build('bob/store', '1.0.0', { stack: { requires: { node: '>=20' } } }),
  });
});

afterEach(async () => {
  issuer.close();
  await services.close();
});

beforeEach(async () => {
  const served = await serveRegistry(git);
  index = served.index;
  variables = { STACKYARD_REGISTRY: served.url, ...issuer.variables };
  const manifest = { name: 'app', scripts: { test: TEST } };
  project = makeProject({ 'package.json': JSON.stringify(manifest) });
  const added = await run('add', 'alice/web', 'bob/store', '--no-install', '--yes');
  if (added.status !== 0) throw new Error(added.stderr);
  const accepted = await run('registry', 'reports', 'default', service);
  if (accepted.status !== 0) throw new Error(accepted.stderr);
});

const run = (command: string, ...args: readonly string[]) =>
  stackyard([command, ...args, '-C', project], variables);

interface Sent {
  readonly build: string;
  readonly outcome: string;
  readonly id?: string;
  readonly refused?: string;
}

async function reported(...args: readonly string[]) {
  const { status, stdout, stderr } = await run('verify', '--report', '--json', ...args);
  const { data, warnings } = JSON.parse(stdout) as {
    data: { reports: Sent[]; tests: object[]; differences: object[] };
    warnings: { message: string }[];
  };
  return { status, stderr, ...data, warnings: warnings.map(({ message }) => message) };
}

async function exported(): Promise<Record<string, unknown>[]> {
  const { text } = await send('GET', `${service}/reports/export`, undefined, bearer(EXPORT_TOKEN));
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('verify --report needs a service, a network and an identity, and fails without none of them', async () => {
  const all = variables;
  variables = { STACKYARD_REGISTRY: all['STACKYARD_REGISTRY'] ?? '' };
  const none = await reported(...PASS);
  expect(none).toMatchObject({ status: 0, reports: [], warnings: [/no identity/] });
  variables = all;
  const gone = await reported(...PASS, '--service', 'http://127.0.0.1:1');
  expect(gone).toMatchObject({ status: 0, reports: [], warnings: [/Cannot reach the account/] });
  const open = await reported(...PASS, '--service', 'http://reports.example');
  expect(open).toMatchObject({ status: 0, reports: [], warnings: [/not one of https/] });
  // The same service by a name that it does not know: the token is for another host.
  const other = await reported(...PASS, '--service', service.replace('127.0.0.1', 'localhost'));
  expect(other).toMatchObject({
    status: 0,
    reports: [],
    warnings: [/answers 401.*request one for "stackyard:127.*\(invalid_token\)/],
  });
  expect(await reported(...PASS, '--offline')).toMatchObject({
    status: 0,
    warnings: [/sends nothing/],
  });
  expect(await exported()).toEqual([]);
});

test('verify --report ends with the status of the tests and reports what they found', async () => {
  const failed = await reported('--test', 'exit 3');
  expect(failed).toMatchObject({ status: 3, tests: [{ command: 'exit 3', status: 3 }] });
  expect(failed.reports).toMatchObject([
    { build: 'alice/web', outcome: 'failure', id: expect.any(String) },
    { build: 'bob/store', outcome: 'failure', id: expect.any(String) },
  ]);
  // One report for a version and day: the second one is refused, and nothing fails.
  const passed = await reported();
  expect([passed.status, passed.reports.map(({ refused }) => refused)]).toEqual([
    0,
    [expect.stringMatching(/another report/), expect.stringMatching(/another report/)],
  ]);
  const [line] = await exported();
  const host = issuer.url.replace('http://', '');
  expect(line).toMatchObject({
    report: {
      account: `ci:${host}:42`,
      outcome: 'failure',
      ran_on: { stack: [`node ${process.versions.node}`], os: 'linux' },
    },
  });

  const file = join(temporaryFolder(), 'export.jsonl');
  writeFileSync(file, (await exported()).map((one) => `${JSON.stringify(one)}\n`).join(''));
  const places = ['--repo', git.folder, '--index', index];
  const counted = await runCommand('ingest', ['reports', '--from', file, ...places]);
  expect([counted.status, counted.stdout]).toEqual([0, expect.stringContaining('2 accepted')]);
  git.git('add', 'signals');
  git.git('commit', '-qm', 'Count signals');
  await runCommand('generate', [
    '--repo',
    git.folder,
    '--out',
    index,
    '--threads',
    '1',
    '--no-site',
  ]);
  expect(readRecord(index, 'alice/web').agent_reports).toMatchObject({ success: 0, failure: 1 });
});

test('verify --guides runs the commands that run by themselves', async () => {
  const ran = await run('verify', '--guides', '--json');
  expect([ran.status, JSON.parse(ran.stdout)]).toMatchObject([
    0,
    { data: { tests: [{ command: 'node -p "1 + 1"', status: 0 }], reports: [] } },
  ]);
  // Without the registry the tests run instead.
  variables = { ...variables, STACKYARD_REGISTRY: 'http://127.0.0.1:1' };
  const instead = await reported('--guides', '--test', 'exit 4', '--service', service);
  expect(instead).toMatchObject({ status: 4, tests: [{ command: 'exit 4' }] });
});

test('verify --report leaves out builds whose files were changed', async () => {
  const lock = readFileSync(join(project, 'stackyard.lock.json'), 'utf8');
  const { builds } = JSON.parse(lock) as Lock;
  const paths = Object.keys(builds['alice/web']?.files ?? {});
  const path = paths.find((one) => one.endsWith('web.ts')) ?? '';
  const file = join(project, path);
  writeFileSync(file, `${readFileSync(file, 'utf8')}\nexport const mine = 1;\n`);
  const { status, reports, differences, warnings } = await reported('--test', TEST);
  expect([status, differences]).toMatchObject([0, [{ path }]]);
  expect(reports.map(({ build: id }) => id)).toEqual(['bob/store']);
  expect(warnings).toEqual([expect.stringMatching(/files of "alice\/web" were changed/)]);
});

test('verify --report needs something to run', async () => {
  writeFileSync(join(project, 'package.json'), '{ "name": "app" }\n');
  const { status, stderr } = await run('verify', '--report');
  expect([status, stderr]).toEqual([2, expect.stringContaining('no command that tests it')]);
});

test('report --ci sends the outcome that the workflow gives', async () => {
  const token = await issuer.token({
    aud: `stackyard:${new URL(service).host}`,
    repository_id: '77',
  });
  // As in GitLab CI.
  variables = {
    STACKYARD_REGISTRY: variables['STACKYARD_REGISTRY'] ?? '',
    STACKYARD_ID_TOKEN: token,
  };
  const sent = await run('report', '.', 'success', '--ci');
  expect([sent.status, sent.stdout]).toEqual([
    0,
    'reported  alice/web@1.0.0  success\nreported  bob/store@1.0.0  success\n',
  ]);
  const again = await run('report', 'alice/web', 'success', '--ci');
  expect([again.status, again.stdout, again.stderr]).toEqual([
    0,
    '',
    expect.stringContaining('(token_replayed)'),
  ]);
  expect((await run('report', 'carol/none', 'success', '--ci')).status).toBe(3);
});
