/** A new project with accounts: made and wired by `new`, tested over HTTP, and as before after `remove`. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { stackyard } from '../client/registry-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { ourRegistry, runIn } from './our-registry.ts';
import { runServer, startServer } from './server-process.ts';

const BUILDS = join(import.meta.dirname, '../../builds');
/** The starter, with the module that fits it. */
const PROJECTS = [['stackyard/express-api', 'stackyard/account']] as const;

describe.each(PROJECTS)('%s with %s', (foundation, module) => {
  const registry = ourRegistry();
  const project = (): string => join(registry.folder(), 'app');

  beforeAll(async () => {
    await registry.stackyard('new', foundation, 'app', '--with', module, '--allow', 'all');
  });

  test('has a registered user after two commands, "new" and "npm run dev"', async () => {
    const port = await findFreePort();
    const dev = { file: 'npm', args: ['run', '-s', 'dev'], cwd: project(), isGroup: true } as const;
    const server = await startServer({ ...dev, env: { PORT: String(port) } }, port);
    try {
      expect(await registerTwice(server.url)).toEqual([201, 409, 200, 401]);
    } finally {
      await server.stop();
    }
    rmSync(join(project(), 'data'), { recursive: true });
  });

  test('passes its type check, its linter and all tests', () => {
    expect(runIn(project(), 'npm', 'run', '-s', 'typecheck')).toBe('');
    expect(runIn(project(), 'npm', 'run', '-s', 'lint')).toContain('Found 0 warnings and 0 errors');
    expect(runIn(project(), 'npm', 'test')).toMatch(/Tests\s+\d+ passed/);
  });

  test('lists and applies all migrations in the order of the lists, on a new database', () => {
    const ids = ['0001_account_create_users', '0001_app_create_notes'];
    const lists = join(project(), 'src/migrations.ts');
    const before = readFileSync(lists, 'utf8');
    // As the comment of the file shows.
    writeFileSync(lists, before.replace('// { id:', '{ id:'));
    expect(runIn(project(), 'npm', 'run', '-s', 'build')).toBe('');
    const file = join(project(), 'data', 'new.db');
    writeFileSync(join(project(), '.env'), `SQLITE_PATH=${file}\n`);
    const status = (): string => runIn(project(), 'npm', 'run', '-s', 'db:status');
    expect(status()).toMatch(
      new RegExp(`^status 1: .*${ids.map((id) => `\\npending {3}${id}`).join('')}\n`),
    );
    expect(runIn(project(), 'npm', 'run', '-s', 'db:migrate')).toBe(
      ids.map((id) => `applied   ${id}\n`).join(''),
    );
    expect(status()).toMatch(/\nNothing is pending\n$/);
    rmSync(join(project(), '.env'));
    writeFileSync(lists, before);
  });

  test('does not start without NODE_ENV and a secret, and prints why', async () => {
    const port = await findFreePort();
    // What `npm start` runs; npm itself would not pass the signal on.
    const command = { file: process.execPath, args: ['dist/server.js'], cwd: project() };
    for (const env of [{}, { NODE_ENV: 'production', JWT_SECRET: 'short' }]) {
      const server = runServer({ ...command, env: { PORT: String(port), ...env } }, port);
      expect((await server.exit).code).toBe(1);
      expect(server.stderr()).toContain('JWT_SECRET: is not set or too short');
    }
  });

  /** Compiles the project with one more import in its entry file, and starts it for `use`. */
  async function withImport(
    path: string,
    use: (server: Awaited<ReturnType<typeof startServer>>) => Promise<void>,
  ): Promise<void> {
    const file = join(project(), 'src/server.ts');
    const entry = readFileSync(file, 'utf8');
    writeFileSync(file, entry.replace(/^import /m, `import '${path}';\nimport `));
    expect(runIn(project(), 'npm', 'run', '-s', 'typecheck')).toBe('');
    expect(runIn(project(), 'npm', 'run', '-s', 'build')).toBe('');
    const port = await findFreePort();
    const command = { file: process.execPath, args: ['dist/server.js'], cwd: project() };
    const env = { PORT: String(port), NODE_ENV: 'development', SQLITE_PATH: ':memory:' };
    const server = await startServer({ ...command, env }, port);
    try {
      await use(server);
    } finally {
      await server.stop();
      writeFileSync(file, entry);
    }
  }

  test('refuses common passwords with the options of the guide', async () => {
    const before = copyOf(project());
    runIn(project(), 'npm', 'install', '--no-audit', '--no-fund', '@zxcvbn-ts/language-common');
    const [block = ''] = blocksOf(module, '\n## Configure');
    const from = `import { accountModule } from './account/index.js';\n`;
    writeFileSync(join(project(), 'src/options.ts'), from + block);
    await withImport('./options.js', async (server) => {
      const statuses: number[] = [];
      for (const password of ['12345678', 'PassWord', 'correct horse']) {
        const body = JSON.stringify({ email: `p${statuses.length}@example.com`, password });
        const answer = await fetch(`${server.url}/auth/register`, { method: 'POST', body });
        statuses.push(answer.status);
      }
      expect(statuses).toEqual([400, 400, 201]);
    });
    before.restore();
  });

  test('is as before after "remove"', async () => {
    const plain = join(registry.folder(), 'plain', 'app');
    mkdirSync(dirname(plain));
    await registry.stackyard('new', foundation, 'plain/app', '--allow', 'all', '--no-install');
    const removed = join(registry.folder(), 'removed', 'app');
    cpSync(project(), removed, {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    });
    const ended = await stackyard(['remove', module, '--no-install', '-C', removed]);
    // What the lock was is kept for the folder that the project was made in.
    expect([ended.status, ended.stderr]).toEqual([
      0,
      'package-lock.json: what it was before these builds is not known here, so the package manager writes it again\n',
    ]);
    // "new" writes two files for what the project is started with, and leaves them to the user.
    const written =
      /^(?:package-lock\.json|README\.md|compose\.yaml|tsconfig\.tsbuildinfo)$|^(?:data|dist|\.git)\//;
    const filesOf = (folder: string): [string, string][] =>
      Object.entries(readTree(folder)).filter(([path]) => !written.test(path));
    expect(filesOf(removed)).toEqual(filesOf(plain));
  });

  test('what git would add holds no database and no secret', () => {
    spawnSync('git', ['init', '-q'], { cwd: project() });
    const listed = ['--cached', '--others', '--exclude-standard'];
    const files = runIn(project(), 'git', 'ls-files', ...listed).split('\n');
    expect(files).toContain('stackyard.lock.json');
    expect(
      files.filter((file) => /^(?:data|dist|node_modules)\//.test(file) || file === '.env'),
    ).toEqual([]);
  });
});

/** The status of a registration, of the same again, of `/me` with the token, and without it. */
async function registerTwice(url: string): Promise<number[]> {
  const body = JSON.stringify({ email: 'first@example.com', password: 'correct horse' });
  const register = (): Promise<Response> => fetch(`${url}/auth/register`, { method: 'POST', body });
  const registered = await register();
  const { token } = (await registered.json()) as { token: string };
  const again = await register();
  const headers = { Authorization: `Bearer ${token}` };
  const [me, stranger] = [
    await fetch(`${url}/auth/me`, { headers }),
    await fetch(`${url}/auth/me`),
  ];
  return [registered, again, me, stranger].map(({ status }) => status);
}

/** The files of a project without its packages, to be put back. */
function copyOf(project: string): { restore(): void } {
  const copy = mkdtempSync(join(tmpdir(), 'stackyard-copy-'));
  const filter = (path: string): boolean => !path.endsWith('node_modules');
  cpSync(project, copy, { recursive: true, filter });
  return {
    restore() {
      for (const name of readdirSync(project))
        if (name !== 'node_modules') rmSync(join(project, name), { recursive: true });
      cpSync(copy, project, { recursive: true });
      rmSync(copy, { recursive: true });
    },
  };
}

/** The code blocks of a guide after a text, which people carry out. */
function blocksOf(id: string, after: string): string[] {
  const guide = readFileSync(join(BUILDS, id, 'INTEGRATION.md'), 'utf8');
  const rest = guide.slice(guide.indexOf(after));
  const found = rest.matchAll(/^( {3})?```ts\n([\s\S]*?)^\1```$/gm);
  return Array.from(found, ([, indent, block = '']) =>
    indent === undefined ? block : block.replaceAll(/^ {3}/gm, ''),
  );
}
