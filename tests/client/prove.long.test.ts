/** `add --prove` in real projects, with the real programs: what is new after a change, and what must not happen on the way. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { treeOf } from './project-tree.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { runAtTerminal } from '../run/pseudo-terminal.ts';
import { MAIN } from './client-process.ts';
import { APP, START, add, project, registry } from './prove-fixture.ts';
import { stackyard } from './registry-fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const RUNS_TESTS = 'Running npm run test, ';
/** Where nothing starts the application. */
const UNSENT = 'requests of the guides: not sent, nothing shows how it is started';

describe('add --prove', () => {
  it('starts the application, sends what the guide promises, and records the facts', async () => {
    const folder = project(START);
    const { status, data } = await add(folder, 'a/hello@1.0.0', '--prove');
    expect(data.proof).toEqual({
      is_good: true,
      facts: ['start: listened, as before', 'GET /hello answered 200'],
      problems: [],
    });
    expect(status).toBe(0);
    const lock = JSON.parse(readFileSync(join(folder, 'stackyard.lock.json'), 'utf8')) as object;
    expect(lock).toMatchObject({
      proof: { of: ['a/hello@1.0.0'], is_good: true, facts: data.proof?.facts },
    });
  });

  it('is undone with the change that it is about', async () => {
    const folder = project(START);
    const before = await treeOf(folder);
    const state = { STACKYARD_STATE: temporaryFolder() };
    const args = ['add', 'a/hello@1.0.0', '-C', folder, '--wire', '--no-install', '--prove'];
    expect(await stackyard([...args, '--registry', await registry()], state)).toMatchObject({
      status: 0,
    });
    expect(await stackyard(['undo', '-C', folder], state)).toMatchObject({ status: 0 });
    expect(await treeOf(folder)).toEqual(before);
  });

  it('reports what the guide promises and the application does not answer', async () => {
    const { status, data } = await add(project(START), 'a/hello@2.0.0', '--prove');
    expect(data.proof).toMatchObject({
      is_good: false,
      problems: [{ text: 'GET /hello answered 200, not 201' }],
    });
    expect(status).toBe(12);
  });

  it('finds an application at another port, and one that listens twice', async () => {
    const other = APP.replace('Number(process.env.PORT ?? 3000)', '0');
    const twice = `${APP}app.listen(0);\n`;
    for (const text of process.platform === 'linux' ? [other, twice] : [twice]) {
      const { data } = await add(
        project(START, { 'src/app.js': text }),
        'a/hello@1.0.0',
        '--prove',
      );
      expect(data.proof?.facts).toContain('GET /hello answered 200');
    }
  });

  it('shows what an application wrote that does not listen, before and after', async () => {
    const silent = `${APP.replace(/app\.listen.*\n/, '')}console.error('No database');\nprocess.exit(3);\n`;
    const { status, data } = await add(
      project(START, { 'src/app.js': silent }),
      'a/hello@1.0.0',
      '--prove',
    );
    expect(data.proof?.facts).toEqual([
      'start: did not listen, as before',
      'requests of the guides: not sent, the application did not listen',
    ]);
    expect(data.proof?.output).toContain('No database');
    expect([status, data.proof?.problems, data.proof?.is_good]).toEqual([0, [], false]);
  });

  it('counts new errors of types only, and names the step that they are in', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const config = {
      compilerOptions: {
        allowJs: true,
        checkJs: true,
        noEmit: true,
        strict: true,
        types: [],
        module: 'nodenext',
      },
      include: ['src'],
    };
    const typed = {
      'tsconfig.json': JSON.stringify(config),
      'src/old.ts': "export const n: number = 'x';\n",
    };
    const folder = project({ typecheck: `node ${tsc} -p tsconfig.json` }, typed);
    const { data } = await add(folder, 'a/hello@1.0.0', '--prove');
    const { facts = [], problems = [] } = data.proof ?? {};
    expect(facts[0]).toMatch(/^type check: failed, with \d+ new lines about problems$/);
    const [{ cause = '', output = [] } = {}] = problems;
    expect(cause).toContain('step 1 of a/hello');
    expect(output.join('\n')).toMatch(/^src\/app\.js\(\d+,\d+\): error TS7006/m);
    expect(output.join('\n')).not.toContain('src/old.ts');
  });

  it('leaves what the scripts write as they do by hand', async () => {
    const write =
      "import { mkdirSync, writeFileSync } from 'node:fs'; mkdirSync('out', { recursive: true }); writeFileSync('out/x', 'x');";
    const make = (): string => project({ test: 'node write.mjs' }, { 'write.mjs': write });
    const [proved, other] = [make(), make()];
    const { data } = await add(proved, 'a/hello@1.0.0', '--prove');
    expect(data.proof?.facts).toEqual(['tests: passed, as before', UNSENT]);
    await add(other, 'a/hello@1.0.0', '--no-prove');
    execFileSync(process.execPath, ['write.mjs'], { cwd: other });
    const trees = [await treeOf(proved), await treeOf(other)].map((tree) =>
      Object.fromEntries(Object.entries(tree).filter(([path]) => !path.includes('lock.json'))),
    );
    expect(trees[0]).toEqual(trees[1]);
  });

  it('changes nothing where the checks before the change rewrite what it would change', async () => {
    const write = "import { writeFileSync } from 'node:fs'; writeFileSync('src/app.js', 'x');";
    const folder = project({ test: 'node write.mjs' }, { 'write.mjs': write });
    const ended = await add(folder, 'a/hello@1.0.0', '--prove');
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'ERR_PROJECT_CHANGED' } });
    expect(existsSync(join(folder, 'stackyard.lock.json'))).toBe(false);
  });

  it('reports tests that fail after the change only', async () => {
    const test =
      "import { existsSync } from 'node:fs'; if (existsSync('src/hello')) throw new Error('Oops');";
    const { status, data } = await add(
      project({ test: 'node t.mjs' }, { 't.mjs': test }),
      'a/hello@1.0.0',
      '--prove',
    );
    expect(data.proof?.facts).toEqual(['tests: failed, passed before', UNSENT]);
    expect(data.proof?.problems[0]?.output).toContain('Error: Oops');
    expect(status).toBe(12);
    const failing = project({ test: 'node t.mjs' }, { 't.mjs': 'process.exit(1);' });
    const again = await add(failing, 'a/hello@1.0.0', '--prove');
    expect(again.data.proof?.facts).toEqual(['tests: failed, as before', UNSENT]);
    expect(again.status).toBe(0);
  });

  it('runs nothing without a yes, and names what it could run', async () => {
    const mark = join(temporaryFolder(), 'ran');
    const scripts = { test: `node -e "require('fs').writeFileSync('${mark}', '')"` };
    const planned = await add(project(scripts), 'a/hello@1.0.0', '--dry-run');
    expect(planned.data.prove).toEqual({
      commands: [`npm run test (${scripts.test})`],
      runs: false,
      requests: 1,
    });
    const { data } = await add(project(scripts), 'a/hello@1.0.0');
    expect([data.proof, existsSync(mark)]).toEqual([undefined, false]);
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
