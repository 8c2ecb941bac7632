/** A registry that is taken over names a service of its own, to get the identity of CI runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { clientPackage } from '../../generator/client-package/client-package.ts';
import { type Issuer, startIssuer } from '../auth/issuer-fixture.ts';
import { makeProject, serveRegistry, stackyard } from '../client/registry-fixture.ts';
import { GitFixture, temporaryFolder } from '../generate/git-fixture.ts';
import { build } from './gate-fixture.ts';

const GITHUB = join(import.meta.dirname, '../../.github');
const Action = z.object({ runs: z.object({ steps: z.array(z.object({ run: z.string() })) }) });

let issuer: Issuer;
let index: string;
let project: string;
let variables: Readonly<Record<string, string>>;
const servers: Server[] = [];

/** A service that keeps every token that it gets. */
interface Recorder {
  readonly address: string;
  readonly tokens: string[];
  readonly bodies: object[];
}

async function record(): Promise<Recorder> {
  const tokens: string[] = [];
  const bodies: object[] = [];
  const server = createServer((request, response) => {
    tokens.push(request.headers.authorization ?? '');
    void json(request).then((body) => bodies.push(body as object));
    response.writeHead(202, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ results: [{ build: 'alice/web', version: '1.0.0', id: 'x' }] }));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tokens, bodies };
}

/** What the host of the registry serves as `registry.json`. */
function serve(reports: object): void {
  const file = join(index, 'registry.json');
  const info = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...info, reports }));
}

const run = (...words: readonly string[]) => stackyard([...words, '-C', project], variables);

beforeEach(async () => {
  issuer = await startIssuer();
  const git = new GitFixture();
  git.commit(build('alice/web', '1.0.0'));
  const served = await serveRegistry(git);
  index = served.index;
  variables = { STACKYARD_REGISTRY: served.url, ...issuer.variables };
  project = makeProject({ 'package.json': '{ "name": "app" }\n' });
  const added = await run('add', 'alice/web', '--no-install', '--yes');
  if (added.status !== 0) throw new Error(added.stderr);
});

afterEach(() => {
  issuer.close();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const COMMANDS = [
  ['report', '.', 'success', '--ci'],
  ['verify', '--report', '--test', 'exit 0'],
];

describe.each(COMMANDS.map((words) => [words.join(' '), words] as const))('%s', (_, words) => {
  it.each(['sts.amazonaws.com', 'stackyard', 'https://reports.example'])(
    'gets no token for "%s", and sends none to an address that nobody accepted',
    async (audience) => {
      const attacker = await record();
      serve({ address: attacker.address, audience });
      const { status, stderr } = await run(...words);
      expect([attacker.tokens, issuer.audiences]).toEqual([[], []]);
      expect([status, stderr]).toEqual([0, expect.stringContaining('registry reports default')]);
    },
  );
});

describe('a service that was accepted', () => {
  const lock = () => readFileSync(join(project, 'stackyard.lock.json'), 'utf8');
  const reports = (...words: readonly string[]) => run('registry', 'reports', 'default', ...words);

  it('gets a token for its host, and another one that the registry names later gets none', async () => {
    const [service, attacker] = [await record(), await record()];
    serve({ address: service.address });
    expect(await reports(service.address)).toMatchObject({ status: 0 });
    expect(JSON.parse(lock())).toMatchObject({
      registries: { default: { reports: service.address } },
    });
    expect((await run('registry', 'list')).stdout).toContain(`reports to ${service.address}`);
    for (const words of COMMANDS) {
      const sent = await run(...words);
      expect([sent.status, sent.stdout]).toEqual([0, expect.stringContaining('reported  ')]);
    }
    const { host } = new URL(service.address);
    expect(issuer.audiences).toEqual([`stackyard:${host}`, `stackyard:${host}`]);
    expect(service.tokens).toHaveLength(2);

    serve({ address: attacker.address, audience: 'sts.amazonaws.com' });
    for (const words of COMMANDS) {
      const refused = await run(...words, '--json');
      expect([refused.status, JSON.parse(refused.stdout)]).toMatchObject([
        6,
        {
          error: {
            code: 'ERR_REPORT_SERVICE',
            message: `The registry "default" names ${attacker.address} for reports of CI runs, and stackyard.lock.json has ${service.address}: nothing was sent`,
            hint: `if its operators confirm the new address: stackyard registry reports default ${attacker.address}`,
          },
        },
      ]);
    }
    // The tests come first.
    const failed = await run('verify', '--report', '--test', 'exit 3');
    expect(failed.status).toBe(3);
    expect([attacker.tokens, service.tokens.length, issuer.audiences.length]).toEqual([[], 2, 2]);

    expect(await reports('none')).toMatchObject({ status: 0 });
    expect(lock()).not.toContain('"reports"');
  });

  it('is the one that the registry names, and stays in the lock', async () => {
    const service = await record();
    serve({ address: service.address });
    const before = lock();
    for (const [address, status, code] of [
      ['http://127.0.0.1:9', 6, 'ERR_REPORT_SERVICE'],
      ['http://reports.example', 2, 'ERR_USAGE'],
      ['https://reports.example/$(id)', 2, 'ERR_USAGE'],
    ] as const) {
      const { status: ended, stdout } = await reports(address, '--json');
      expect([ended, JSON.parse(stdout)]).toMatchObject([status, { error: { code } }]);
    }
    expect(lock()).toBe(before);
    await reports(service.address);
    const again = await run('add', 'alice/web@1.0.0', '--no-install', '--yes');
    expect([again.status, lock()]).toEqual([0, expect.stringContaining(service.address)]);
  });

  it.each(['http://reports.example', 'https://x.example/$(id)', 'https://a.example@b.example'])(
    'is never %s, which no token may go to',
    async (address) => {
      serve({ address });
      const ran = await run('report', '.', 'success', '--ci');
      expect([ran.status, ran.stderr]).toEqual([0, expect.stringContaining('names no service')]);
      const edited = lock().replace(
        '"registries": {\n    "default": {',
        `$&"reports": "${address}",`,
      );
      expect(edited).not.toBe(lock());
      writeFileSync(join(project, 'stackyard.lock.json'), edited);
      expect(await run('report', '.', 'success', '--ci')).toMatchObject({ status: 9 });
      expect(issuer.audiences).toEqual([]);
    },
  );

  it('gets no token that another service accepts as well', async () => {
    const service = await record();
    const { host } = new URL(service.address);
    for (const aud of [
      'stackyard',
      'sts.amazonaws.com',
      [`stackyard:${host}`, 'sts.amazonaws.com'],
      undefined,
    ]) {
      const token = await issuer.token({ aud });
      variables = { ...variables, STACKYARD_ID_TOKEN: token };
      const ran = await run('report', '.', 'success', '--ci', '--service', service.address);
      expect([ran.status, ran.stderr]).toEqual([0, expect.stringContaining('is not sent to')]);
    }
    expect(service.tokens).toEqual([]);
    variables = {
      ...variables,
      STACKYARD_ID_TOKEN: await issuer.token({ aud: `stackyard:${host}` }),
    };
    await run('report', '.', 'success', '--ci', '--service', service.address);
    expect(service.tokens).toHaveLength(1);
  });
});

describe('the step that reports, in verify.yml and the action', () => {
  const action = readFileSync(join(GITHUB, 'actions/report/action.yml'), 'utf8');
  const { runs } = Action.parse(parse(action));

  /** Runs it as a runner does, in a checkout that does what it can to be started. */
  async function runStep(change: Readonly<Record<string, string>> = {}) {
    const client = await clientPackage();
    if (client === undefined) throw new Error('There is no client');
    const [programs, temporary] = [temporaryFolder(), temporaryFolder()];
    const served = join(programs, 'served.tgz');
    writeFileSync(served, client.bytes);
    // As curl with the options of the step; only the address is another one.
    const curl = `while [ "$1" != -o ]; do shift; done\n[ -f '${served}' ] && cp '${served}' "$2"`;
    writeFileSync(join(programs, 'curl'), `#!/bin/sh\n${curl}\n`, { mode: 0o755 });
    const stolen = join(programs, 'stolen');
    const steal = `require('node:fs').writeFileSync(${JSON.stringify(stolen)}, 'x');\n`;
    for (const [file, content] of Object.entries({
      '.npmrc': 'node-options=--require ./steal.cjs\n',
      'steal.cjs': steal,
      'index.js': steal,
      'package/dist/stackyard.mjs': `import './../../steal.cjs';\n`,
      'node_modules/.bin/node': `#!/bin/sh\ntouch '${stolen}'\n`,
      '.yarnrc.yml': 'yarnPath: ./steal.cjs\n',
      'yarn.lock': '',
      '.env': 'NODE_OPTIONS=--require=./steal.cjs\n',
    })) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), content, { mode: 0o755 });
    }
    const script = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', runs.steps[0]?.run ?? ''];
    const child = spawn('bash', script, {
      cwd: project,
      env: {
        PATH: `${programs}:${process.env['PATH'] ?? ''}`,
        HOME: temporaryFolder(),
        RUNNER_TEMP: temporary,
        GITHUB_WORKSPACE: project,
        ...issuer.variables,
        CLIENT: 'https://registry.example/client/stackyard.tgz',
        INTEGRITY: client.integrity,
        OUTCOME: 'success',
        REPORTS: '',
        FOLDER: '.',
        ...change,
      },
    });
    const ended = once(child, 'close') as Promise<[number]>;
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [status] = await ended;
    return { status, stdout, stderr, stolen: existsSync(stolen) };
  }

  it(
    'reports with the pinned client, and starts nothing of the checkout',
    { timeout: 120_000 },
    async () => {
      const service = await record();
      const ran = await runStep({ REPORTS: service.address });
      expect(ran).toMatchObject({ status: 0, stolen: false });
      expect(ran.stdout).toContain('reported  alice/web@1.0.0  success');
      expect(issuer.audiences).toEqual([`stackyard:${new URL(service.address).host}`]);
      expect(service.bodies).toMatchObject([
        { reports: [{ build: 'alice/web', outcome: 'success' }] },
      ]);
    },
  );

  it.each([
    ['another client than the pinned one', { INTEGRITY: `sha256-${'A'.repeat(43)}=` }, 1],
    ['a client without a digest', { INTEGRITY: '' }, 1],
    ['an outcome that is none', { OUTCOME: '$(touch stolen); success' }, 1],
    ['an outcome with a command for the runner', { OUTCOME: 'success\n::set-env name=A::b' }, 1],
    ['a service without TLS', { REPORTS: 'http://reports.example' }, 0],
    ['a service that is an option', { REPORTS: '--registry=https://evil.example' }, 0],
  ])('sends no token with %s', async (_, change, status) => {
    const service = await record();
    serve({ address: service.address });
    const ran = await runStep(change);
    expect(ran).toMatchObject({ status, stolen: false });
    expect([service.tokens, issuer.audiences]).toEqual([[], []]);
  });
});

describe('report --ci', () => {
  it.each([
    '$(id)',
    'success; id',
    'success\n::set-output name=x::y',
    'cancelled',
    '',
    '--version',
  ])('takes %j for no outcome', async (outcome) => {
    const service = await record();
    const words = ['report', '.', '--ci', '--service', service.address, '--', outcome];
    const { status } = await run(...words);
    expect([status, service.tokens, issuer.audiences]).toEqual([2, [], []]);
  });

  it('starts no program of the project while the run has an identity', async () => {
    const service = await record();
    const programs = temporaryFolder();
    // As Yarn: what the settings of the folder name is run, whatever the command is.
    const yarn = '#!/bin/sh\n[ -f .yarn.sh ] && . ./.yarn.sh\necho 1.22.22\n';
    writeFileSync(join(programs, 'yarn'), yarn, { mode: 0o755 });
    const stolen = join(programs, 'stolen');
    writeFileSync(join(project, '.yarn.sh'), `env > '${stolen}'\n`);
    writeFileSync(join(project, 'yarn.lock'), '');
    variables = { ...variables, PATH: `${programs}:${process.env['PATH'] ?? ''}` };
    const ran = await run('report', '.', 'success', '--ci', '--service', service.address);
    expect([ran.status, service.tokens.length, existsSync(stolen)]).toEqual([0, 1, false]);
    expect(service.bodies[0]).toMatchObject({
      reports: [{ ran_on: { manager: 'yarn 1.22.22' } }],
    });
  });
});
