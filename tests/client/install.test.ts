/** The program `stackyard` against a served registry, where `tests/scripts/` has no example of it. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { packTarball } from '../../format/archive/tarball.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { editHead } from './edit-head.ts';
import { GitFixture, build, manifest, temporaryFolder } from '../generate/git-fixture.ts';
import {
  makeProject,
  pathOf,
  readProject,
  serveChanged,
  serveRegistry,
  stackyard,
} from './registry-fixture.ts';
import { restate } from './state-files.ts';

const PROJECT = { 'package.json': '{\n  "name": "app"\n}\n' };

/** `a/web` requires `b/db`; `a/web` 2 requires a Node.js that does not exist. */
async function exampleRegistry(): Promise<{ url: string; index: string }> {
  const git = new GitFixture();
  git.commit(build('b/db', '1.0.0', { base: 'src/db' }));
  git.commit(
    build('a/web', '1.0.0', {
      base: 'src/web',
      builds: { 'b/db': '^1.0.0' },
      scripts: { web: 'node src/web/src/index.ts' },
      env: { WEB_PORT: { description: 'Port', required: true, example: '3000' } },
    }),
  );
  git.commit(build('a/web', '2.0.0', { base: 'src/web', stack: { requires: { node: '>=900' } } }));
  git.commit(build('a/start', '1.0.0', { kind: 'foundation' }));
  return serveRegistry(git);
}

function json(ended: { stdout: string }): Record<string, any> {
  return JSON.parse(ended.stdout) as Record<string, any>;
}

describe('info', () => {
  it('prints the record, whole as JSON', async () => {
    const { url, index } = await exampleRegistry();
    const result = await stackyard(['info', 'a/web@^1.0.0', '--registry', url]);
    expect([result.status, result.stderr]).toEqual([0, '']);
    expect(result.stdout).toContain('a/web  Build web');
    expect(result.stdout).toContain(`Install: stackyard add a/web@1.0.0 --registry ${url}`);
    const document = json(
      await stackyard(['info', 'a/web', '--json'], { STACKYARD_REGISTRY: url }),
    );
    expect(document).toMatchObject({ schema: 'stackyard/info@1', ok: true, status: 'done' });
    expect(document['data']).toEqual(
      JSON.parse(readFileSync(join(index, 'builds/a/web.json'), 'utf8')),
    );
  });

  it('prints README without terminal control characters', async () => {
    const git = new GitFixture();
    git.commit(build('a/x', '1.0.0', {}, { 'README.md': '# X\n\u{1B}[2Jfine\n' }));
    const { url } = await serveRegistry(git);
    const result = await stackyard(['info', 'a/x', '--readme', '--registry', url]);
    expect(result.stdout).toBe('# X\n[2Jfine\n');
  });
});

describe('add', () => {
  it('changes nothing and needs no network the second time', async () => {
    const { url } = await exampleRegistry();
    const project = makeProject(PROJECT);
    await stackyard(['add', 'a/web', '-C', project, '--registry', url]);
    const before = readProject(project);
    const away = ['--registry', 'http://127.0.0.1:9', '--json'];
    const again = await stackyard(['add', 'a/web', '-C', project, ...away]);
    expect([again.status, json(again)['status']]).toEqual([0, 'noop']);
    expect(readProject(project)).toEqual(before);
    const required = await stackyard(['add', 'b/db', '-C', project]);
    expect(required.status).toBe(0);
    const lock = JSON.parse(readProject(project)['stackyard.lock.json']!) as Record<string, any>;
    expect(lock['builds']['b/db']).toMatchObject({ requested: '^1.0.0', required_by: ['a/web'] });
  });

  it('refuses a linked folder, and changes nothing', async () => {
    const { url } = await exampleRegistry();
    const outside = temporaryFolder();
    const linked = makeProject(PROJECT);
    symlinkSync(outside, join(linked, 'src'));
    const refused = await stackyard(['add', 'a/web', '-C', linked, '--registry', url]);
    expect([refused.status, refused.stderr]).toEqual([
      6,
      expect.stringContaining('"src" is a symlink'),
    ]);
    expect(readProject(outside)).toEqual({});
  });

  it('keeps the files when the package manager fails, and prints what to run', async () => {
    const git = new GitFixture();
    git.commit(
      build('a/x', '1.0.0', {
        base: 'lib/x',
        dependencies: { npm: { 'no-such-package-of-ours': '^1.0.0' } },
      }),
    );
    const { url } = await serveRegistry(git);
    const project = makeProject(PROJECT);
    const offline = { npm_config_offline: 'true', npm_config_cache: temporaryFolder() };
    const ended = await stackyard(
      ['add', 'a/x', '-C', project, '--registry', url, '--json'],
      offline,
    );
    expect(ended.status).toBe(11);
    expect(json(ended)).toMatchObject({
      ok: false,
      status: 'error',
      error: { code: 'ERR_PACKAGES' },
    });
    expect(json(ended)['next'][0]['command']).toMatch(/^npm install /);
    expect((await stackyard(['verify', '-C', project])).status).toBe(0);
    const other = makeProject(PROJECT);
    const without = await stackyard(['add', 'a/x', '-C', other, '--registry', url, '--no-install']);
    expect([without.status, without.stdout]).toEqual([
      0,
      expect.stringContaining('Next: npm install'),
    ]);
  });
});

describe('add refuses', () => {
  it('an archive of another build', async () => {
    const { index } = await exampleRegistry();
    const bytes = Buffer.from(manifest('other', '1.0.0'));
    const impostor = packTarball([{ path: 'stackyard.json', bytes, executable: false }]);
    const file = join(index, 'heads/b/db.json');
    const head = editHead(readFileSync(file), ({ versions }) => {
      versions[0]!.integrity = integrityOf(impostor);
    });
    writeFileSync(file, head);
    restate(index);
    const url = await serveChanged(index, (request, response) => {
      if (!pathOf(request).endsWith('.tgz')) return false;
      response.end(impostor);
      return true;
    });
    const project = makeProject(PROJECT);
    const ended = await stackyard(['add', 'b/db', '-C', project, '--registry', url]);
    expect(ended.status).toBe(6);
    expect(ended.stderr).toContain('it contains "other" 1.0.0');
    expect(readProject(project)).toEqual(PROJECT);
  });

  it('the default registry when it does not run', async ({ skip }) => {
    // A registry may be running under "npm start" during the tests.
    const isServed = await fetch('http://127.0.0.1:4173/').then(
      () => true,
      () => false,
    );
    skip(isServed, 'a registry runs at the default address');
    const ended = await stackyard(['search', 'web']);
    expect([ended.status, ended.stdout]).toEqual([7, '']);
    expect(ended.stderr).toContain('hint: no registry was named, and none runs here');
    const named = await stackyard(['search', 'web'], { STACKYARD_REGISTRY: 'http://127.0.0.1:9' });
    expect([named.status, named.stderr]).toEqual([7, expect.stringContaining('check the address')]);
  });
});

it('a killed add is undone by the next one, which states it', async () => {
  const git = new GitFixture();
  const files = Array.from({ length: 500 }, (_, n) => [`src/f${n}.ts`, `${n}\n`]);
  git.commit(build('a/big', '1.0.0', { base: 'big' }, Object.fromEntries(files)));
  const { url } = await serveRegistry(git);
  const project = makeProject(PROJECT);
  const add = ['add', 'a/big', '-C', project, '--registry', url];
  const ended = stackyard(add);
  while (!existsSync(join(project, '.stackyard/journal.json'))) await sleep(1);
  const lock = readFileSync(join(project, '.stackyard/lock'), 'utf8');
  process.kill((JSON.parse(lock) as { pid: number }).pid, 'SIGKILL');
  expect((await ended).status).toBe(null);
  expect((await stackyard(add)).stderr).toBe('warning: An interrupted run was undone\n');
});

describe('verify', () => {
  it('reports what was changed, removed and replaced', async () => {
    const { url } = await exampleRegistry();
    const project = makeProject(PROJECT);
    await stackyard(['add', 'a/web', '-C', project, '--registry', url]);
    writeFileSync(join(project, 'src/web/src/index.ts'), 'mine\n');
    rmSync(join(project, 'src/web/LICENSE'));
    rmSync(join(project, 'src/db/LICENSE'));
    mkdirSync(join(project, 'src/db/LICENSE'));
    const ended = await stackyard(['verify', '-C', project, '--json']);
    expect(ended.status).toBe(10);
    expect(json(ended)).toMatchObject({
      ok: false,
      status: 'different',
      data: {
        builds: 2,
        files: 4,
        differences: [
          { build: 'b/db', path: 'src/db/LICENSE', state: 'not-a-file' },
          { build: 'a/web', path: 'src/web/LICENSE', state: 'missing' },
          { build: 'a/web', path: 'src/web/src/index.ts', state: 'modified' },
        ],
      },
    });
  });
});

describe('install', () => {
  it('asks about a dangerous version, also where a lock brings it', async () => {
    const { index, url } = await exampleRegistry();
    const project = makeProject(PROJECT);
    await stackyard(['add', 'b/db', '-C', project, '--registry', url, '--no-install']);
    const file = join(index, 'heads/b/db.json');
    const change = editHead(readFileSync(file), ({ versions }) => {
      versions[0]!.risk = 'danger';
    });
    writeFileSync(file, change);
    restate(index);
    rmSync(join(project, 'src'), { recursive: true });
    const install = ['install', '-C', project, '--no-install'];
    const refused = await stackyard(install);
    expect([refused.status, existsSync(join(project, 'src'))]).toEqual([8, false]);
    expect(refused.stderr).toContain('--yes');
    expect((await stackyard([...install, '--yes'])).status).toBe(0);
  });

  it('asks for consent where the lock has another path that programs read', async () => {
    const { url } = await exampleRegistry();
    const project = makeProject();
    await stackyard(['add', 'a/web@1.0.0', '-C', project, '--registry', url, '--no-install']);
    const file = join(project, 'stackyard.lock.json');
    const lock = readFileSync(file, 'utf8');
    writeFileSync(file, lock.replace('"src/web/src/index.ts"', '".github/workflows/x.yml"'));
    const install = ['install', '-C', project, '--no-install'];
    // The file is there, at the place of its build.
    expect((await stackyard(install)).stdout).toMatch(/^Every file is there\n/);
    rmSync(join(project, 'src/web/src/index.ts'));
    const before = readProject(project);
    const refused = await stackyard(install);
    expect([refused.status, refused.stderr]).toEqual([
      6,
      expect.stringContaining('.github/workflows/x.yml'),
    ]);
    expect(readProject(project)).toEqual(before);
  });

  it('--frozen fails when lock and project do not match', async () => {
    const { url } = await exampleRegistry();
    const project = makeProject();
    await stackyard(['add', 'a/web', '-C', project, '--registry', url]);
    const file = join(project, 'stackyard.lock.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"^1.0.0"', '"^2.0.0"'));
    const stopped = await stackyard(['install', '--frozen', '-C', project, '--no-install']);
    expect([stopped.status, stopped.stderr]).toEqual([
      9,
      expect.stringContaining('"a/web" requires "b/db" ^2.0.0, and the lock has 1.0.0'),
    ]);
  });
});
