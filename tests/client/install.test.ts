/** The program `stackyard` against a served registry: its output, and the files on the disk. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { packTarball } from '../../format/archive/tarball.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { editHead } from './edit-head.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import {
  makeProject,
  pathOf,
  readProject,
  serveAnswers,
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

  it.each([
    ['nobody/none', 3, 'ERR_BUILD_NOT_FOUND'],
    ['a/web@^7.0.0', 3, 'ERR_VERSION_NOT_FOUND'],
    ['Web', 2, 'ERR_USAGE'],
    ['a/web@1.x.y', 2, 'ERR_USAGE'],
  ])('%s ends with status %i', async (request, status, code) => {
    const { url } = await exampleRegistry();
    const ended = await stackyard(['info', request, '--registry', url, '--json']);
    expect(ended.status).toBe(status);
    expect(json(ended)).toMatchObject({ ok: false, error: { code } });
  });
});

describe('add', () => {
  it('installs a build with what it requires, and verify confirms it', async () => {
    const { url } = await exampleRegistry();
    const project = makeProject(PROJECT);
    const ended = await stackyard(['add', 'a/web', '-C', project, '--registry', url]);
    expect(ended.stderr).toBe('');
    expect(ended.status).toBe(0);
    expect(ended.stdout).toContain('a/web 1.0.0 from');
    expect(ended.stdout).toContain(`b/db 1.0.0 from ${url}, required by a/web`);
    expect(ended.stdout).toContain('Set these variables:\n  WEB_PORT  Port');
    const files = readProject(project);
    expect(Object.keys(files)).toEqual([
      '.env.example',
      'package.json',
      'src/db/LICENSE',
      'src/db/src/index.ts',
      'src/web/LICENSE',
      'src/web/src/index.ts',
      'stackyard.lock.json',
    ]);
    expect(files['package.json']).toBe(
      '{\n  "name": "app",\n  "scripts": {\n    "web": "node src/web/src/index.ts"\n  }\n}\n',
    );
    const lock = JSON.parse(files['stackyard.lock.json']!) as Record<string, any>;
    expect(lock).toMatchObject({
      lockVersion: 2,
      registries: {
        default: { origin: expect.stringMatching(/^test.example\//) as string, address: url },
      },
      builds: {
        'a/web': { version: '1.0.0', requested: '^1.0.0', required_by: [] },
        'b/db': { version: '1.0.0', required_by: ['a/web'] },
      },
    });
    expect(lock['builds']['b/db']).not.toHaveProperty('requested');
    const verified = await stackyard(['verify', '-C', project]);
    expect([verified.status, verified.stdout]).toEqual([
      0,
      'builds: 2, files: 4, all as installed\n',
    ]);
  });

  it('changes nothing and needs no network the second time', async () => {
    const { url } = await exampleRegistry();
    const project = makeProject(PROJECT);
    await stackyard(['add', 'a/web', '-C', project, '--registry', url]);
    const before = readProject(project);
    const again = await stackyard([
      'add',
      'a/web',
      '-C',
      project,
      '--registry',
      'http://127.0.0.1:9',
      '--json',
    ]);
    expect([again.status, json(again)['status']]).toEqual([0, 'noop']);
    expect(readProject(project)).toEqual(before);
    const required = await stackyard(['add', 'b/db', '-C', project]);
    expect(required.status).toBe(0);
    const lock = JSON.parse(readProject(project)['stackyard.lock.json']!) as Record<string, any>;
    expect(lock['builds']['b/db']).toMatchObject({ requested: '^1.0.0', required_by: ['a/web'] });
  });

  it('--dry-run plans the same and leaves no trace', async () => {
    const { url } = await exampleRegistry();
    const project = makeProject(PROJECT);
    const dry = await stackyard([
      'add',
      'a/web',
      '-C',
      project,
      '--registry',
      url,
      '--dry-run',
      '--json',
    ]);
    expect(readProject(project)).toEqual(PROJECT);
    const real = await stackyard(['add', 'a/web', '-C', project, '--registry', url, '--json']);
    expect([json(dry)['status'], json(real)['status']]).toEqual(['planned', 'done']);
    expect(json(dry)['data']['plan']).toEqual(json(real)['data']['plan']);
  });

  it('never overwrites a file without an option', async () => {
    const { url } = await exampleRegistry();
    const files = { ...PROJECT, 'src/db/src/index.ts': 'mine\n' };
    const project = makeProject(files);
    const refused = await stackyard(['add', 'b/db', '-C', project, '--registry', url]);
    expect(refused.status).toBe(5);
    expect(refused.stderr).toContain('src/db/src/index.ts');
    expect(readProject(project)).toEqual(files);
    const skipped = await stackyard([
      'add',
      'b/db',
      '-C',
      project,
      '--registry',
      url,
      '--on-exists',
      'skip',
    ]);
    expect(skipped.status).toBe(0);
    expect(readProject(project)['src/db/src/index.ts']).toBe('mine\n');
    expect((await stackyard(['verify', '-C', project])).status).toBe(0);
  });

  it.each([
    [['add', 'nobody/none'], 3, 'The registry has no build "nobody/none"'],
    [['add', 'a/web@^2.0.0'], 4, '"a/web" 2.0.0 needs node >=900'],
    [['add', 'a/start'], 4, 'is a foundation'],
    [['add', 'a/web', 'b/db@^9.0.0'], 3, '"b/db" has no version that fits ^9.0.0'],
    [['add', 'a/web', '--allow', 'everything'], 2, 'Option --allow is "everything"'],
    [['add'], 2, 'Argument <builds> is missing'],
    [['ad', 'a/web'], 2, 'did you mean add?'],
    [['add', 'a/web', '--dryrun'], 2, 'Option "--dryrun" is unknown'],
  ])('%o ends with status %i and changes nothing', async (args, status, message) => {
    const { url } = await exampleRegistry();
    const project = makeProject(PROJECT);
    const ended = await stackyard([
      ...args,
      ...(args.length > 1 ? ['-C', project, '--registry', url] : []),
    ]);
    expect(ended.stderr).toContain(message);
    expect([ended.status, ended.stdout]).toEqual([status, '']);
    expect(readProject(project)).toEqual(PROJECT);
  });

  it('refuses a missing, broken or linked project, and changes nothing', async () => {
    const { url } = await exampleRegistry();
    const add = (project: string): ReturnType<typeof stackyard> =>
      stackyard(['add', 'a/web', '-C', project, '--registry', url]);
    const absent = await add(join(temporaryFolder(), 'absent'));
    expect([absent.status, absent.stderr]).toEqual([
      2,
      expect.stringContaining('There is no folder'),
    ]);
    const broken = makeProject({ 'package.json': '{ "name": "app", }' });
    const answer = await add(broken);
    expect(answer.status).toBe(9);
    expect(answer.stderr).toContain('package.json", line 1');
    expect(readProject(broken)).toEqual({ 'package.json': '{ "name": "app", }' });
    const merged = makeProject({
      ...PROJECT,
      'stackyard.lock.json': '<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n',
    });
    expect((await add(merged)).stderr).toContain('it contains merge markers');
    const outside = temporaryFolder();
    const linked = makeProject(PROJECT);
    symlinkSync(outside, join(linked, 'src'));
    const refused = await add(linked);
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
  it.each(['cut', 'altered', 'absent', 'html'])(
    'a tarball that is %s, with nothing written',
    async (kind) => {
      const { index } = await exampleRegistry();
      const url = await serveChanged(index, (request, response) => {
        const path = pathOf(request);
        if (!path.endsWith('.tgz')) return false;
        const bytes = readFileSync(join(index, path));
        if (kind === 'absent') response.writeHead(404).end();
        else if (kind === 'html') response.end('<html>');
        else if (kind === 'cut') response.end(bytes.subarray(0, bytes.length / 2));
        else response.end(bytes.with(20, bytes[20]! ^ 1));
        return true;
      });
      const project = makeProject(PROJECT);
      const ended = await stackyard(['add', 'a/web', '-C', project, '--registry', url]);
      expect(ended.status).toBe(kind === 'absent' ? 7 : 6);
      expect(ended.stderr).toMatch(/^error: Cannot (use|read) .*\nhint: .*\n$/);
      expect(readProject(project)).toEqual(PROJECT);
    },
  );

  it('an archive of another build', async () => {
    const { index } = await exampleRegistry();
    const impostor = packTarball([
      {
        path: 'stackyard.json',
        bytes: Buffer.from(
          JSON.stringify({
            name: 'other',
            version: '1.0.0',
            kind: 'module',
            description: 'd',
            license: 'MIT',
          }),
        ),
        executable: false,
      },
      { path: 'x.ts', bytes: Buffer.from('x'), executable: false },
    ]);
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

  it.each([
    ['down', 'http://127.0.0.1:9', 7],
    ['not encrypted', 'http://registry.example.org', 2],
  ])('a registry that is %s', async (_, url, status) => {
    const project = makeProject(PROJECT);
    const ended = await stackyard(['add', 'a/web', '-C', project, '--registry', url]);
    expect(ended.status).toBe(status);
    expect(ended.stderr).toMatch(/^error: .*\nhint: .*\n$/);
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

  it('a registry that answers HTML', async () => {
    const url = await serveAnswers((_, response) => response.end('<!doctype html>'));
    const ended = await stackyard(['add', 'a/web', '-C', makeProject(PROJECT), '--registry', url]);
    expect([ended.status, ended.stderr]).toEqual([7, expect.stringContaining('not JSON')]);
  });
});

it('a killed add is undone by the next one', async () => {
  const git = new GitFixture();
  const files = Array.from({ length: 500 }, (_, n) => [`src/f${n}.ts`, `${n}\n`]);
  git.commit(build('a/big', '1.0.0', {}, Object.fromEntries(files)));
  const { url } = await serveRegistry(git);
  const project = makeProject(PROJECT);
  const journal = join(project, '.stackyard/journal.json');
  const ended = stackyard(['add', 'a/big', '-C', project, '--registry', url, '--allow', 'root']);
  while (!existsSync(journal)) await sleep(1);
  const lock = readFileSync(join(project, '.stackyard/lock'), 'utf8');
  process.kill((JSON.parse(lock) as { pid: number }).pid, 'SIGKILL');
  expect((await ended).status).toBe(null);
  expect(existsSync(journal)).toBe(true);
  expect(existsSync(join(project, 'stackyard.lock.json'))).toBe(false);
  const next = await stackyard([
    'add',
    'a/big',
    '-C',
    project,
    '--registry',
    url,
    '--allow',
    'root',
  ]);
  expect([next.status, next.stderr]).toEqual([0, 'warning: An interrupted run was undone\n']);
  expect((await stackyard(['verify', '-C', project])).status).toBe(0);
  expect(existsSync(join(project, '.stackyard'))).toBe(false);
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

  it.each([
    ['{', 9],
    ['{"lockVersion":3,"registries":{},"builds":{}}', 9],
    ['{"lockVersion":2,"registry":"","builds":{}}', 9],
    ['{"lockVersion":1,"registry":"","builds":{"a/x":{}}}', 9],
  ])('of a lock that is %s ends with status %i', async (lock, status) => {
    const ended = await stackyard([
      'verify',
      '-C',
      makeProject({ ...PROJECT, 'stackyard.lock.json': lock }),
    ]);
    expect([ended.status, ended.stdout]).toEqual([status, '']);
    expect(ended.stderr).toMatch(/^error: Cannot read "stackyard\.lock\.json".*\nhint: .*\n$/);
  });
});

it('--help and --version print on standard output', async () => {
  for (const args of [['--help'], ['add', '--help'], ['--version']]) {
    const ended = await stackyard(args);
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).not.toBe('');
  }
  expect((await stackyard([])).status).toBe(2);
});
