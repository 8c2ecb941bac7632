/** `add --prove` with the real programs: what is new after a change, and what must not happen on the way. */
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { treeOf } from './project-tree.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { runAtTerminal } from '../run/pseudo-terminal.ts';
import { MAIN } from './client-process.ts';
import { APP, START, add, addWith, project, registry } from './prove-fixture.ts';
import { stackyard } from './registry-fixture.ts';

const RUNS_TESTS = 'Running npm run test, ';
const HELLO = 'a/hello@1.0.0';
const ANSWERED = ['start: listened, as before', 'GET /hello answered 200'];

describe('add --prove', () => {
  it('starts the application, sends what the guide promises, and records the facts', async () => {
    const folder = project(START);
    const { status, data } = await add(folder, HELLO, '--prove');
    expect(data.proof).toEqual({
      is_good: true,
      facts: ANSWERED,
      problems: [],
    });
    expect(status).toBe(0);
    const lock = JSON.parse(readFileSync(join(folder, 'stackyard.lock.json'), 'utf8')) as object;
    expect(lock).toMatchObject({
      proof: { of: ['a/hello@1.0.0'], is_good: true, facts: data.proof?.facts },
    });
  });

  it('changes nothing where the checks before the change rewrite what it would change', async () => {
    const write = "import { writeFileSync } from 'node:fs'; writeFileSync('src/app.js', 'x');";
    const folder = project({ test: 'node write.mjs' }, { 'write.mjs': write });
    const ended = await add(folder, HELLO, '--prove');
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'ERR_PROJECT_CHANGED' } });
    expect(existsSync(join(folder, 'stackyard.lock.json'))).toBe(false);
  });

  it('runs nothing without a yes, and names what it could run', async () => {
    const mark = join(temporaryFolder(), 'ran');
    const scripts = { test: `node -e "require('fs').writeFileSync('${mark}', '')"` };
    const planned = await add(project(scripts), HELLO, '--dry-run');
    expect(planned.data.prove).toEqual({
      commands: [`npm run test (${scripts.test})`],
      runs: false,
      requests: 1,
    });
    const { data } = await add(project(scripts), 'a/hello@1.0.0');
    expect([data.proof, existsSync(mark)]).toEqual([undefined, false]);
  });

  it('does not blame a change for tests and a start that need a database', async () => {
    const needs =
      "import { connect } from 'node:net';\nconnect(1, '127.0.0.1').on('error', (error) => { console.error(error.message); process.exit(1); });\n";
    const scripts = { ...START, test: 'node test.mjs' };
    const text = `${needs}${APP.replace(/app\.listen.*\n/, '')}`;
    const files = { 'test.mjs': needs, 'src/app.js': text };
    const { status, data } = await add(project(scripts, files), HELLO, '--prove');
    expect([status, data.proof]).toEqual([
      0,
      {
        is_good: false,
        facts: [
          'tests: failed, as before',
          'start: did not listen, as before',
          'requests of the guides: not sent, the application did not listen',
        ],
        problems: [],
        output: expect.arrayContaining(['connect ECONNREFUSED 127.0.0.1:1']),
      },
    ]);
  });

  it('sends no request of a guide that names another host', async () => {
    const { status, data } = await add(project(START), 'a/hello@4.0.0', '--prove');
    expect([status, data.proof]).toEqual([
      0,
      {
        is_good: false,
        facts: [
          'start: listened, as before',
          'requests of a/hello: not sent, its guide has a wrong line',
        ],
        problems: [],
      },
    ]);
  });

  it('runs nothing where a setting refuses it, and states it', async () => {
    const mark = join(temporaryFolder(), 'ran');
    const folder = project({ test: `node -e "require('fs').writeFileSync('${mark}', '')"` });
    const never = { STACKYARD_PROVE: 'never' };
    const { status, stderr, data } = await addWith(never, folder, HELLO, '--prove');
    expect([status, data.proof, existsSync(mark)]).toEqual([0, undefined, false]);
    expect(stderr).toContain('Not proved: STACKYARD_PROVE is "never"');
  });

  it('states where the project has nothing that proves it', async () => {
    const { status, stderr } = await add(project({}), HELLO, '--prove');
    expect(status).toBe(0);
    expect(stderr).toContain('Not proved: the project has no type check, lint, tests or start');
  });
});

it('verify --guides sends the requests of wired builds, as the measurements do', async () => {
  for (const [id, status] of [
    ['a/hello@1.0.0', 0],
    ['a/hello@2.0.0', 1],
  ] as const) {
    const folder = project(START);
    await add(folder, id);
    const ended = await stackyard(['verify', '--guides', '-C', folder, '--json']);
    expect(ended.status).toBe(status);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      data: { tests: [{ command: 'GET /hello', status }] },
    });
  }
});

describe('a proof at a terminal', () => {
  const run = async (
    folder: string,
    state: string,
    id: string,
    steps: Parameters<typeof runAtTerminal>[1]['steps'],
  ) => {
    const args = [
      'add',
      id,
      '-C',
      folder,
      '--wire',
      '--no-install',
      '--registry',
      await registry(),
    ];
    return runAtTerminal([process.execPath, MAIN, ...args], {
      env: { CI: '', NO_COLOR: '1', STACKYARD_STATE: state },
      steps,
    });
  };

  it('asks once in a project', async () => {
    const [folder, state] = [project(START), temporaryFolder()];
    const first = await run(folder, state, 'a/hello@1.0.0', [{ at: 'ever?', type: 'yes\r' }]);
    expect(first.shown).toContain('npm run start (node src/app.js)');
    expect(first.shown).toContain('GET /hello answered 200');
    expect(await stackyard(['undo', '-C', folder], { STACKYARD_STATE: state })).toMatchObject({
      status: 0,
    });
    const second = await run(folder, state, 'a/hello@1.0.0', []);
    expect(second.shown).not.toContain('ever?');
    expect(second.shown).toContain('GET /hello answered 200');
  });

  it('offers to revert a change that broke something', async () => {
    const [folder, state] = [project(START), temporaryFolder()];
    const before = await treeOf(folder);
    const ended = await run(folder, state, 'a/hello@2.0.0', [
      { at: 'ever?', type: 'yes\r' },
      { at: 'ithout wiring?', type: 'revert\r' },
    ]);
    expect(ended.shown).toContain('GET /hello answered 200, not 201');
    expect(await treeOf(folder)).toEqual(before);
  });

  it.each([
    ['before the change', 'true', 'nothing was changed', []],
    ['after it', "existsSync('src/hello')", 'the change is in place', [RUNS_TESTS]],
  ])(
    'ends all programs at Ctrl-C %s, and states what is in place',
    async (_, when, what, first) => {
      const pids = temporaryFolder();
      mkdirSync(pids, { recursive: true });
      const slow = `import { existsSync, writeFileSync } from 'node:fs'; writeFileSync('${pids}/' + process.pid, ''); if (${when}) setInterval(() => {}, 1000);`;
      const folder = project({ test: 'node slow.mjs & node slow.mjs' }, { 'slow.mjs': slow });
      const state = temporaryFolder();
      const steps = [...first, RUNS_TESTS].map((at) => ({ at, type: '' }));
      const ended = await run(folder, state, 'a/hello@1.0.0', [
        { at: 'ever?', type: 'yes\r' },
        ...steps.with(-1, { at: RUNS_TESTS, type: '\u0003' }),
      ]);
      expect(ended.status).toBe(130);
      expect(ended.shown).toContain(what);
      expect(existsSync(join(folder, 'stackyard.lock.json'))).toBe(first.length > 0);
      const isAlive = (pid: string): boolean => existsSync(`/proc/${pid}/cmdline`);
      await vi.waitFor(() => expect(readdirSync(pids).filter(isAlive)).toEqual([]));
    },
  );
});

it('nothing of a proof leaves the machine', async () => {
  const bytes: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      bytes.push(data.toString());
      socket.end('HTTP/1.1 503 Unavailable\r\ncontent-length: 0\r\n\r\n');
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const address = `http://127.0.0.1:${port}`;
  const env = { HTTP_PROXY: address, HTTPS_PROXY: address, https_proxy: address };
  const folder = project(START);
  const { status, data } = await addWith(env, folder, HELLO, '--prove');
  expect([status, data.proof?.facts]).toEqual([0, ANSWERED]);
  expect(bytes).toEqual([]);
});

it('a report of a proof is one of the version that it shows to work', async () => {
  const report = async (folder: string, build: string): Promise<string> => {
    const args = ['report', build, 'proof', '-C', folder, '--registry', await registry()];
    const more = ['--account-id', '77', '--dry-run', '--json'];
    return (await stackyard([...args, ...more], { STACKYARD_REPOSITORY: folder })).stdout;
  };
  const folder = project(START);
  expect(await report(folder, 'a/hello')).toContain('ERR_LOCK');
  await add(folder, HELLO);
  expect(await report(folder, 'a/hello')).toContain('has none');
  const bad = project(START);
  expect((await add(bad, 'a/hello@2.0.0', '--prove')).status).toBe(12);
  expect(await report(bad, 'a/hello')).toContain('does not show that it works');
  expect(await report(bad, 'a/other')).toContain('the last one is about a/hello@2.0.0');
});
