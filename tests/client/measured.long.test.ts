/** What was measured of a build decides whether it fits, with the real programs; hints that name what to do. */
import { describe, expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

const DAY = { date: '2026-11-23', since: '2026-11-23', with: {} };

/** The rows of a tag: which versions of it work, and which do not. */
function rows(tag: string, good: readonly string[], bad: readonly string[] = []): object[] {
  return [
    ...good.map((version) => ({ tag, version, others: 'newest', outcome: 'ok', ...DAY })),
    ...bad.map((version) => {
      return {
        tag,
        version,
        others: 'newest',
        outcome: 'failed',
        step: 'types',
        error: ['x'],
        ...DAY,
      };
    }),
  ];
}

function matrix(results: readonly object[], version = '1.0.0'): string {
  return JSON.stringify({ versions: [{ version, results }] });
}

const TYPESCRIPT = { stack: { requires: { typescript: '*' } } };

/** `a/typed` was measured from TypeScript 4.9.5; `a/other` was not measured. */
async function registry(): Promise<string> {
  const git = new GitFixture();
  git.commit(build('a/typed', '0.9.0', { base: 'src/t', ...TYPESCRIPT }));
  git.commit(build('a/typed', '1.0.0', { base: 'src/t', ...TYPESCRIPT }));
  git.commit(build('a/typed', '1.1.0', { base: 'src/t', ...TYPESCRIPT }));
  git.commit(build('a/other', '1.0.0', { base: 'src/o', ...TYPESCRIPT }));
  const zod = { dependencies: { npm: { zod: '*' } } };
  git.commit(build('a/zod', '1.0.0', { base: 'src/z', ...zod }));
  const web = { stack: { requires: { hono: '>=4.10.0' }, provides: ['web'] } };
  git.commit(build('a/web', '1.0.0', { base: 'src/w', ...web }));
  const needs = { stack: { requires: { web: '*' } } };
  git.commit(build('a/needs', '1.0.0', { base: 'src/n', ...needs }));
  const same = { stack: { requires: { fastify: '>=4', typescript: '*' }, provides: ['web'] } };
  git.commit(build('a/web-fastify', '1.0.0', { base: 'src/f', ...same }));
  git.commit(
    build('a/express', '1.0.0', { base: 'src/e', stack: { requires: { express: '>=4' } } }),
  );
  git.commit({
    'signals/a/typed.matrix.json': matrix(rows('typescript', ['4.9.5', '5.9.3'])),
    'signals/a/zod.matrix.json': matrix(rows('zod', ['3.23.0', '4.6.7'], ['3.20.0'])),
  });
  return (await serveRegistry(git)).url;
}

/** A project that has `version` of a package installed; without a version it is only declared. */
function having(name: string, range: string, version?: string, table = 'devDependencies'): string {
  const installed = { [`node_modules/${name}/package.json`]: JSON.stringify({ name, version }) };
  return makeProject({
    'package.json': JSON.stringify({ name: 'app', [table]: { [name]: range } }),
    ...(version === undefined ? {} : installed),
  });
}

async function add(id: string, project: string, url: string, ...more: string[]) {
  const args = ['add', id, '-C', project, '--registry', url, '--no-install', '--json', ...more];
  const ended = await stackyard(args);
  return { ...(JSON.parse(ended.stdout) as Record<string, any>), status: ended.status } as any;
}

describe('what was measured', () => {
  it('refuses an older version than any that works, whichever version is requested', async () => {
    const url = await registry();
    for (const dry of [[], ['--dry-run']]) {
      const project = having('typescript', '^4.0.3', '4.0.3');
      const { status, error, data } = await add('a/typed', project, url, ...dry);
      expect([status, error.code]).toEqual([4, 'ERR_STACK']);
      expect(error.message).toBe(
        '"a/typed" 1.1.0 was measured (as 1.0.0) to work with typescript >=4.9.5: found 4.0.3 in node_modules/typescript',
      );
      expect(error.hint).toBe('your range ^4.0.3 admits it: npm update typescript');
      if (dry.length > 0) expect(data.reasons[0].text).toContain('has typescript 4.0.3');
      expect(Object.keys(readProject(project))).not.toContain('stackyard.lock.json');
    }
    const named = await add('a/typed@1.0.0', having('typescript', '~4.0.3', '4.0.3'), url);
    expect([named.status, named.error.hint]).toEqual([
      4,
      'have typescript >=4.9.5 in the project: npm install "typescript@^4.9.5"',
    ]);
    const old = await add('a/typed@0.9.0', having('typescript', '^4.0.3', '4.0.3'), url);
    expect(old.error.message).toContain('0.9.0 was measured (as 1.0.0) to work with');
  });

  it.each([
    ['the oldest', '^4.9.0', '4.9.5'],
    ['another patch of its minor version', '^4.9.0', '4.9.1'],
    ['a range that admits one, before it is installed', '^4.0.3', undefined],
    ['any version, before it is installed', '*', undefined],
  ])('accepts %s', async (_, range, version) => {
    const { status, warnings } = await add(
      'a/typed',
      having('typescript', range, version),
      await registry(),
    );
    expect([status, warnings ?? []]).toEqual([0, []]);
  });

  it('warns of a newer version than any that was measured', async () => {
    const { status, warnings } = await add(
      'a/typed',
      having('typescript', '^6.1.0', '6.1.2'),
      await registry(),
    );
    expect([status, warnings]).toEqual([
      0,
      [
        expect.objectContaining({
          code: 'stack-unmeasured',
          message:
            '"a/typed" 1.1.0 was measured with typescript up to 5.9.3, and the project has 6.1.2 (node_modules/typescript)',
        }),
      ],
    ]);
  });

  it('changes nothing where nothing was measured', async () => {
    const { status, warnings } = await add(
      'a/other',
      having('typescript', '^4.0.3', '4.0.3'),
      await registry(),
    );
    expect([status, warnings ?? []]).toEqual([0, []]);
  });

  it('counts for packages that no tag names, and for search --fits', async () => {
    const url = await registry();
    const project = having('zod', '^3.20.0', '3.20.2', 'dependencies');
    const { error } = await add('a/zod', project, url);
    expect([error.code, error.message]).toEqual([
      'ERR_STACK',
      '"a/zod" 1.0.0 was measured to work with zod >=3.23.0: found 3.20.2 in node_modules/zod',
    ]);
    const found = async (folder: string): Promise<string[]> => {
      const ended = await stackyard([
        'search',
        '--fits',
        '-C',
        folder,
        '--registry',
        url,
        '--json',
      ]);
      return (JSON.parse(ended.stdout) as any).data.builds.map(({ id }: { id: string }) => id);
    };
    expect(await found(project)).not.toContain('a/zod');
    expect(await found(having('typescript', '^4.0.3', '4.0.3'))).toEqual(
      expect.not.arrayContaining(['a/typed']),
    );
    expect(await found(having('zod', '^3.23.0', '3.23.1', 'dependencies'))).toContain('a/zod');
  });
});

describe('the stack of a project', () => {
  const manifest = (tables: object): string =>
    makeProject({ 'package.json': JSON.stringify(tables) });

  it('has no server framework that only development uses', async () => {
    const url = await registry();
    const mock = { dependencies: { react: '^19.0.0' }, devDependencies: { express: '^4.19.0' } };
    const { status, error } = await add('a/express', manifest(mock), url, '--dry-run');
    expect([status, error.message, error.hint]).toEqual([
      4,
      '"a/express" 1.0.0 needs express >=4: found 4.19.0 in package.json, devDependencies: ^4.19.0, with which the application does not run',
      'if your server runs with express, move it to "dependencies" in package.json',
    ]);
    for (const fitting of [
      { devDependencies: { express: '^4.19.0' } },
      { dependencies: { express: '^4.19.0' } },
      {
        dependencies: { a: '1' },
        devDependencies: { express: '4.19.0' },
        peerDependencies: { express: '4' },
      },
    ]) {
      expect((await add('a/express', manifest(fitting), url, '--dry-run')).status).toBe(0);
    }
  });

  it('is raised by a command of its package manager', async () => {
    const url = await registry();
    const pnpm = makeProject({
      'package.json': JSON.stringify({ dependencies: { hono: '^4.8.12' } }),
      'pnpm-lock.yaml': 'lockfileVersion: "9.0"\n',
      'node_modules/hono/package.json': JSON.stringify({ name: 'hono', version: '4.8.12' }),
    });
    const { error } = await add('a/web', pnpm, url);
    expect(error.hint).toBe('your range ^4.8.12 admits it: pnpm update hono');
  });

  it('is completed by builds of this registry', async () => {
    const { error } = await add('a/needs', makeProject(), await registry());
    expect(error.hint).toBe(
      'have web in the project, or add what provides it: stackyard add a/web or a/web-fastify',
    );
    const none = await add('a/typed', makeProject(), await registry());
    expect(none.error.hint).toBe(
      'have typescript in the project; no build of the registry provides it',
    );
  });

  it('gets a hint about the build that does the same for its framework', async () => {
    const url = await registry();
    const packages = { fastify: '5.12.8', typescript: '5.9.3' };
    const project = makeProject({ 'package.json': JSON.stringify({ dependencies: packages }) });
    const { error } = await add('a/web', project, url);
    expect(error.hint).toBe('take the build for this project: stackyard add a/web-fastify');
    expect((await add('a/web-fastify', project, url, '--dry-run')).status).toBe(0);
    const other = await add('a/web', having('fastify', '^3.0.0', '3.29.0', 'dependencies'), url);
    expect(other.error.hint).not.toContain('a/web-fastify');
  });

  it('has a prerelease above the range', async () => {
    const project = having('hono', '5.0.0-canary.4', '5.0.0-canary.4', 'dependencies');
    const url = await registry();
    expect((await add('a/web', project, url, '--dry-run')).status).toBe(0);
    const below = having('hono', '4.10.0-rc.1', '4.10.0-rc.1', 'dependencies');
    expect((await add('a/web', below, url, '--dry-run')).status).toBe(4);
  });

  it('is reported as one of Python', async () => {
    const python = makeProject({ 'requirements.txt': 'django==5.0\n' });
    const { error } = await add('a/typed', python, await registry());
    expect([error.message, error.hint]).toEqual([
      '"a/typed" 1.1.0 needs typescript: the project has none: it is a Python project (requirements.txt)',
      'choose a build for Python: stackyard search requires:python',
    ]);
  });
});
