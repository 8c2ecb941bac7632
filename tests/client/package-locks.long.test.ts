/** `undo` and `remove` bring back the lock of a real package manager byte for byte, where nothing else changed it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { installOnce } from '../run/install-once.ts';
import { runNpm } from '../run/provide-node.ts';
import { makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

let environment: Record<string, string>;
async function serve(): Promise<string> {
  const git = new GitFixture();
  const npm = (name: string, range: string): object => ({ npm: { [name]: range } });
  const pip = (name: string, range: string): object => ({ pip: { [name]: range } });
  git.commit(build('a/one', '1.0.0', { base: 'src/one', dependencies: npm('ms', '2.1.3') }));
  git.commit(build('a/two', '1.0.0', { base: 'src/two', dependencies: npm('yn', '5.0.0') }));
  git.commit(build('p/one', '1.0.0', { base: 'src/one', dependencies: pip('idna', '==3.10') }));
  git.commit(build('p/two', '1.0.0', { base: 'src/two', dependencies: pip('six', '==1.17.0') }));
  return (await serveRegistry(git)).url;
}

beforeAll(async () => {
  const node = await installOnce('node-managers-1', async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const packages = ['pnpm@10.34.9', 'yarn@1.22.22'];
    await runNpm(folder, ['install', '--no-audit', '--no-fund', ...packages]);
  });
  const python = await installOnce('python-managers-3', async (folder) => {
    execFileSync('python3', ['-m', 'venv', folder]);
    const pips = ['-m', 'pip', 'install', '--quiet', 'uv'];
    execFileSync(join(folder, 'bin/python'), pips);
    // The folder gets another name, and the programs of the environment have the present one in them.
    mkdirSync(join(folder, 'programs'));
    const script = `#!/bin/sh\nexec "$(dirname "$0")/../bin/python" -m uv "$@"\n`;
    writeFileSync(join(folder, 'programs/uv'), script, { mode: 0o755 });
    // In place of programs that resolve: their lock follows from the manifest.
    for (const name of ['poetry', 'pdm']) {
      const lock = `#!/bin/sh\n[ "$1" != lock ] || cksum pyproject.toml > ${name}.lock\n`;
      writeFileSync(join(folder, 'programs', name), lock, { mode: 0o755 });
    }
  });
  const folders = [
    join(node, 'node_modules/.bin'),
    dirname(process.execPath),
    join(python, 'programs'),
  ];
  const path = [...folders, process.env['PATH']].join(delimiter);
  environment = { PATH: path, CI: '', npm_config_fund: 'false', npm_config_audit: 'false' };
});

const PACKAGE = `${JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { 'is-odd': '3.0.1' } }, null, 2)}\n`;
const PYTHON =
  '[project]\nname = "app"\nversion = "0.1.0"\nrequires-python = ">=3.11"\ndependencies = ["toml==0.10.2"]\n';

interface Manager {
  readonly lock: string;
  readonly manifest: 'package.json' | 'pyproject.toml';
  /** Makes the lock. */
  readonly first: readonly string[];
  /** What someone else runs. */
  readonly other: readonly string[];
}

const OTHER = ['sh', '-c', 'for file in pyproject.toml p*.lock; do echo "# mine" >> $file; done'];
const NODE = { manifest: 'package.json' } as const;
const OF_PYTHON = { manifest: 'pyproject.toml' } as const;
const MANAGERS: Readonly<Record<string, Manager>> = {
  npm: {
    ...NODE,
    lock: 'package-lock.json',
    first: ['npm', 'install'],
    other: ['npm', 'install', 'isarray@2.0.5'],
  },
  pnpm: {
    ...NODE,
    lock: 'pnpm-lock.yaml',
    first: ['pnpm', 'install'],
    other: ['pnpm', 'add', 'isarray@2.0.5'],
  },
  yarn: {
    ...NODE,
    lock: 'yarn.lock',
    first: ['yarn', 'install'],
    other: ['yarn', 'add', 'isarray@2.0.5'],
  },
  uv: { ...OF_PYTHON, lock: 'uv.lock', first: ['uv', 'lock'], other: ['uv', 'add', 'pathspec'] },
  poetry: { ...OF_PYTHON, lock: 'poetry.lock', first: ['poetry', 'lock'], other: OTHER },
  pdm: { ...OF_PYTHON, lock: 'pdm.lock', first: ['pdm', 'lock'], other: OTHER },
};

describe.each(Object.entries(MANAGERS))('%s', (_, { lock, manifest, first, other }) => {
  const owner = manifest === 'package.json' ? 'a' : 'p';
  let project = '';
  let url = '';
  let before: Readonly<Record<string, string>> = {};
  const env = (): NodeJS.ProcessEnv => ({ ...process.env, ...environment, VIRTUAL_ENV: '' });
  const outside = ([program = '', ...args]: readonly string[]): void => {
    execFileSync(program, args, { cwd: project, env: env(), stdio: 'pipe' });
  };
  const run = async (...args: readonly string[]) => {
    const ended = await stackyard([...args, '-C', project], environment);
    expect([args, ended.status, ended.stderr]).toEqual([args, 0, expect.any(String)]);
    return ended;
  };
  const add = (name: string) => run('add', `${owner}/${name}`, '--registry', url);
  const read = (): Record<string, string> =>
    Object.fromEntries(
      [manifest, lock].map((name) => [name, readFileSync(join(project, name), 'utf8')]),
    );

  /** A lock that the manager itself writes in another way: with a comment, or with other white space. */
  async function makeLocked(): Promise<void> {
    url = await serve();
    project = makeProject({ [manifest]: manifest === 'package.json' ? PACKAGE : PYTHON });
    outside(first);
    const text = readFileSync(join(project, lock), 'utf8');
    const own = lock.endsWith('.json') ? text.trimEnd() : `# of this project\n${text}`;
    writeFileSync(join(project, lock), own);
    before = read();
  }

  it('undo and remove bring its lock back', async () => {
    await makeLocked();
    await add('one');
    expect(read()[lock]).not.toBe(before[lock]);
    const undone = await run('undo');
    expect(read()).toEqual(before);
    expect(undone.stdout).toContain(`~ ${lock}`);
    await add('one');
    await add('two');
    const second = read();
    await run('remove', `${owner}/two`);
    await run('undo');
    expect(read()).toEqual(second);
    // Not in the order in which they came.
    await run('remove', `${owner}/one`);
    await run('remove', `${owner}/two`);
    expect(read()).toEqual(before);
  });

  it('a lock that something else changed is left to the package manager, which is reported', async () => {
    await makeLocked();
    await add('one');
    outside(other);
    const undone = await stackyard(['undo', '-C', project], environment);
    // The manifest has changed as well.
    expect(undone.status).toBe(9);
    const removed = await run('remove', `${owner}/one`);
    expect(removed.stderr).toContain(`${lock}: what it was before these builds is not known here`);
  });
});
