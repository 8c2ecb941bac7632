/**
 * The program, killed with SIGKILL at every single change of the file system of an add, an update and a
 * removal: the next run finds the project exactly as before or exactly as after.
 */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withProjectLock } from '../../client/install/project-lock.ts';
import { recover } from '../../client/install/recover.ts';
import { treeOf } from '../../client/install/tree.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

const PRELOAD = join(import.meta.dirname, 'kill-at.ts');
const KILLED_AT_ONCE = 4;
/** Every so manyth is mended by the program, the others by the function that it calls. */
const BY_PROGRAM = 8;

const PACKAGE = '{\n  "name": "app",\n  "dependencies": {\n    "a": "^1.0.0"\n  }\n}\n';

async function registry(): Promise<string> {
  const git = new GitFixture();
  const changes = { base: 'src/kit', files: ['src/**'] };
  const npm = { dependencies: { npm: { zod: '^4.0.0' } }, env: { KEY: { required: true } } };
  git.commit(build('a/kit', '1.0.0', { ...changes, ...npm }, { 'src/old.ts': 'old\n' }));
  git.commit({
    'builds/a/kit/src/old.ts': null,
    ...build('a/kit', '1.1.0', changes, { 'src/deep/new.ts': 'new\n' }),
  });
  return (await serveRegistry(git)).url;
}

/** What the next run does first: here mostly without a process for it, which would cost the most. */
async function mend(project: string, isByProgram: boolean): Promise<void> {
  if (!isByProgram) {
    await withProjectLock(project, () => recover(project));
    return;
  }
  const recovered = await stackyard(['recover', '-C', project]);
  expect(recovered.status, recovered.stderr).toBe(0);
}

it.each([
  ['add', [], ['add', 'a/kit@1.0.0']],
  ['update', [['add', 'a/kit@1.0.0']], ['update', 'a/kit@^1.1.0']],
  ['remove', [['add', 'a/kit@1.0.0']], ['remove', 'a/kit']],
])(
  '%s',
  async (_, preparations, args) => {
    const url = await registry();
    const state = temporaryFolder();
    const run = (
      project: string,
      command: readonly string[],
      variables: Readonly<Record<string, string>> = {},
    ): ReturnType<typeof stackyard> =>
      stackyard([...command, '-C', project, '--registry', url, '--no-install'], {
        STACKYARD_STATE: state,
        ...variables,
      });
    const start = makeProject({ 'package.json': PACKAGE, 'src/mine.ts': 'mine\n' });
    for (const command of preparations) expect((await run(start, command)).status).toBe(0);
    const before = await treeOf(start);
    const copy = (): string => {
      const project = temporaryFolder();
      cpSync(start, project, { recursive: true, preserveTimestamps: true });
      return project;
    };

    const done = copy();
    const counter = join(temporaryFolder(), 'count');
    const options = { NODE_OPTIONS: `--import=${PRELOAD}` };
    expect((await run(done, args, { ...options, KILL_COUNT: counter })).status).toBe(0);
    const after = await treeOf(done);
    const steps = readFileSync(counter, 'utf8').trim().split('\n');
    expect(steps.length).toBeGreaterThan(20);

    const outcomes = new Set<string>();
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < steps.length; at = next++) {
        const project = copy();
        const killed = await run(project, args, { ...options, KILL_AT: String(at) });
        expect(killed.status, `${at} ${steps[at]}`).toBeNull();
        await mend(project, at % BY_PROGRAM === 0);
        const tree = await treeOf(project);
        const isDone = tree['stackyard.lock.json'] === after['stackyard.lock.json'];
        expect(tree, `${at} ${steps[at]}`).toEqual(isDone ? after : before);
        outcomes.add(isDone ? 'after' : 'before');
      }
    };
    await Promise.all(Array.from({ length: KILLED_AT_ONCE }, worker));
    expect([...outcomes].sort()).toEqual(['after', 'before']);
  },
  240_000,
);
