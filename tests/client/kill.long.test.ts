/**
 * The program, killed with SIGKILL at every single change of the file system of an add, an update and a
 * removal, with and without wired text: the next run finds the project exactly as before or exactly as after. A killed `new` leaves a
 * complete project or none, and the next `new` leaves nothing else.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withProjectLock } from '../../client/apply/project-lock.ts';
import { recover } from '../../client/apply/recover.ts';
import { treeOf } from './project-tree.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { bundleClient, CLIENT_PROGRAM } from '../../generator/client-package/bundle.ts';
import { runClient } from './client-process.ts';
import type { Ended } from '../run/script-process.ts';
import { makeProject, serveRegistry } from './registry-fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const PRELOAD = join(import.meta.dirname, 'kill-at.ts');
const KILLED_AT_ONCE = 4;
/** The program recovers one of this many projects; the function that it calls recovers the others. */
const BY_PROGRAM = 8;

/** The steps of both versions put other text into the files of the project. */
function guide(path: string): string {
  return `## Steps

1. Create it:

   \`\`\`ts wire file src/kit.wire.ts
   export const path = '${path}';
   \`\`\`

2. Mount it:

   \`\`\`ts wire import @express
   import { path } from './kit.wire.js';
   \`\`\`

   \`\`\`ts wire insert @express routes
   app.get('${path}', (_req, res) => res.json({ path }));
   \`\`\`
`;
}

const APP = `import express from 'express';

const app = express();
app.get('/', (_req, res) => res.end());
`;
const PACKAGE = '{\n  "name": "app",\n  "dependencies": {\n    "a": "^1.0.0"\n  }\n}\n';

/** The program as it is published, which starts in half the time. */
const folder = mkdtempSync(join(tmpdir(), 'stackyard-kill-'));
const program = join(folder, CLIENT_PROGRAM);
beforeAll(async () => {
  const { parts } = await bundleClient(ROOT);
  for (const { name, code } of parts) writeFileSync(join(folder, name), code);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function registry(): Promise<string> {
  const git = new GitFixture();
  const changes = { base: 'src/kit', files: ['src/**'] };
  const npm = { dependencies: { npm: { zod: '^4.0.0' } }, env: { KEY: { required: true } } };
  git.commit(
    build(
      'a/kit',
      '1.0.0',
      { ...changes, ...npm },
      { 'src/old.ts': 'old\n', 'INTEGRATION.md': guide('/one') },
    ),
  );
  git.commit({
    'builds/a/kit/src/old.ts': null,
    ...build('a/kit', '1.1.0', changes, {
      'src/deep/new.ts': 'new\n',
      'INTEGRATION.md': guide('/two'),
    }),
  });
  return (await serveRegistry(git)).url;
}

const ADD = ['add', 'a/kit@1.0.0', '--no-install'];
const WIRE = [...ADD, '--wire'];
const UPDATE = ['update', 'a/kit@^1.1.0', '--no-install'];
const REMOVE = ['remove', 'a/kit', '--no-install'];

it.each([
  ['add', [], ADD],
  ['add --wire', [], WIRE],
  ['update', [ADD], UPDATE],
  ['update of wired text', [WIRE], UPDATE],
  ['remove', [ADD], REMOVE],
  ['remove of wired text', [WIRE], REMOVE],
])(
  '%s',
  async (_, preparations, args) => {
    const url = await registry();
    const state = temporaryFolder();
    const run = (
      project: string,
      command: readonly string[],
      variables: Readonly<Record<string, string>> = {},
    ): Promise<Ended> =>
      runClient([...command, '-C', project], {
        cwd: project,
        program,
        variables: {
          STACKYARD_REGISTRY: url,
          STACKYARD_STATE: state,
          STACKYARD_CACHE: temporaryFolder(),
          ...variables,
        },
      });
    const start = makeProject({ 'package.json': PACKAGE, 'src/app.ts': APP });
    for (const command of preparations) expect((await run(start, command)).status).toBe(0);
    const before = await treeOf(start);
    const copy = (): string => {
      const project = temporaryFolder();
      cpSync(start, project, { recursive: true, preserveTimestamps: true });
      return project;
    };

    // Of its own: runs side by side would change the number of each other's steps.
    const copyOfState = (): { STACKYARD_STATE: string } => {
      const own = temporaryFolder();
      cpSync(state, own, { recursive: true, preserveTimestamps: true });
      return { STACKYARD_STATE: own };
    };

    const done = copy();
    const counter = join(temporaryFolder(), 'count');
    const options = { NODE_OPTIONS: `--import=${PRELOAD}` };
    const counted = { ...options, ...copyOfState(), KILL_COUNT: counter };
    expect((await run(done, args, counted)).status).toBe(0);
    const after = await treeOf(done);
    expect(JSON.stringify(before).includes('src/kit.wire.ts')).toBe(preparations[0] === WIRE);
    const steps = readFileSync(counter, 'utf8').trim().split('\n');
    expect(steps.length).toBeGreaterThan(20);

    const outcomes = new Set<string>();
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < steps.length; at = next++) {
        const [project, own] = [copy(), copyOfState()];
        const killed = await run(project, args, { ...options, ...own, KILL_AT: String(at) });
        expect(killed.status, `${at} ${steps[at]}`).toBeNull();
        if (at % BY_PROGRAM === 0) {
          const recovered = await run(project, ['install', '--no-install'], own);
          // Where the run was undone there is no lock to install from.
          expect([0, 9], `${at} ${steps[at]}: ${recovered.stderr}`).toContain(recovered.status);
        } else await withProjectLock(project, () => recover(project));
        const tree = await treeOf(project);
        const isDone = tree['stackyard.lock.json'] === after['stackyard.lock.json'];
        expect(tree, `${at} ${steps[at]}`).toEqual(isDone ? after : before);
        outcomes.add(isDone ? 'after' : 'before');
      }
    };
    await Promise.all(Array.from({ length: KILLED_AT_ONCE }, worker));
    expect([...outcomes].sort()).toEqual(['after', 'before']);
  },
  600_000,
);

it('new', async () => {
  const git = new GitFixture();
  git.commit(build('a/start', '1.0.0', { kind: 'foundation', files: ['src/**'] }));
  const { url } = await serveRegistry(git);
  const run = (parent: string, variables: Readonly<Record<string, string>>): Promise<Ended> =>
    runClient(['new', 'a/start', 'app', '--no-git', '--allow', 'all', '--no-install'], {
      cwd: parent,
      program,
      variables: {
        STACKYARD_REGISTRY: url,
        STACKYARD_STATE: temporaryFolder(),
        STACKYARD_CACHE: temporaryFolder(),
        ...variables,
      },
    });
  const options = { NODE_OPTIONS: `--import=${PRELOAD}` };
  const counter = join(temporaryFolder(), 'count');
  const done = temporaryFolder();
  expect((await run(done, { ...options, KILL_COUNT: counter })).status).toBe(0);
  const after = await treeOf(done);
  const steps = readFileSync(counter, 'utf8').trim().split('\n');
  const outcomes = new Set<string>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < steps.length; at = next++) {
      const parent = temporaryFolder();
      expect((await run(parent, { ...options, KILL_AT: String(at) })).status).toBeNull();
      const isDone = existsSync(join(parent, 'app'));
      const again = await run(parent, {});
      expect(again.status, `${at} ${steps[at]}: ${again.stderr}`).toBe(isDone ? 5 : 0);
      expect(await treeOf(parent), `${at} ${steps[at]}`).toEqual(after);
      outcomes.add(isDone ? 'after' : 'before');
    }
  };
  await Promise.all(Array.from({ length: KILLED_AT_ONCE }, worker));
  expect([...outcomes].sort()).toEqual(['after', 'before']);
}, 240_000);
