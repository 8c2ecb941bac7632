/** A git repository as registry: the real generator makes its index in the cache, from a clone over file: and over HTTP. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Ended } from '../run/script-process.ts';
import { makeProject, readProject, serveAnswers, stackyard } from './registry-fixture.ts';

const GENERATOR = join(import.meta.dirname, '../../generator/main.ts');

let variables: Record<string, string>;
let home: string;
beforeEach(() => {
  home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  program(
    join(bin, 'stackyard-registry'),
    `echo run >> ${home}/runs; exec ${process.execPath} ${GENERATOR} "$@"`,
  );
  variables = {
    HOME: home,
    PATH: `${bin}:${process.env['PATH']}`,
    STACKYARD_CACHE: join(home, 'cache'),
    STACKYARD_STATE: join(home, 'state'),
  };
});

function program(file: string, script: string): void {
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** How often the generator ran. */
function runs(): number {
  const file = join(home, 'runs');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

function registry(): GitFixture {
  const git = new GitFixture();
  git.commit({ 'registry.config.json': JSON.stringify({ name: 'Corp', origin: 'corp.example' }) });
  git.commit(build('a/web', '1.0.0', { base: 'src/web' }));
  return git;
}

async function run(project: string, ...args: string[]): Promise<Ended> {
  return stackyard([...args, '-C', project], variables);
}

const lockOf = (project: string): string => readProject(project)['stackyard.lock.json'] ?? '';

describe('a git repository as registry', () => {
  it('is added, installed from, updated with each commit, and read without network', async () => {
    const git = registry();
    const [project, address] = [makeProject(), `git+file://${git.folder}`];
    const added = await run(project, 'registry', 'add', 'corp', address);
    expect([added.status, added.stderr]).toEqual([0, '']);
    expect(JSON.parse(lockOf(project))).toMatchObject({
      registries: { corp: { address, origin: 'corp.example' } },
    });
    expect((await run(project, 'add', 'corp:a/web')).status).toBe(0);
    expect(readProject(project)['src/web/src/index.ts']).toContain("'1.0.0'");
    // Nothing has changed: the index is used as it is.
    expect(runs()).toBe(1);
    git.commit(build('a/web', '1.1.0', { base: 'src/web' }));
    expect((await run(project, 'outdated')).stdout).toContain('1.1.0');
    expect((await run(project, 'update')).status).toBe(0);
    expect(readProject(project)['src/web/src/index.ts']).toContain("'1.1.0'");
    expect(runs()).toBe(2);
    git.commit(build('a/web', '1.2.0', { base: 'src/web' }));
    const offline = await run(project, 'info', 'a/web', '--offline');
    expect([offline.status, offline.stdout]).toEqual([0, expect.not.stringContaining('1.2.0')]);
    const other = await run(
      makeProject(),
      'info',
      'a/web',
      '--offline',
      '--registry',
      `${address}#main`,
    );
    expect([other.status, other.stderr]).toEqual([
      7,
      expect.stringContaining('with --offline: it is not in the cache'),
    ]);
  });

  it('is read at the branch that the address names', async () => {
    const git = registry();
    git.git('checkout', '-q', '-b', 'teams/next');
    git.commit(build('a/web', '2.0.0', { base: 'src/web' }));
    git.git('checkout', '-q', '-');
    const address = `git+file://${git.folder}`;
    const main = await run(makeProject(), 'info', 'a/web', '--registry', address);
    expect(main.stdout).not.toContain('2.0.0');
    const next = await run(makeProject(), 'info', 'a/web', '--registry', `${address}#teams/next`);
    expect(next.stdout).toContain('2.0.0');
  });

  it('whose branch was rewritten is refused, and its installed builds stay', async () => {
    const git = registry();
    const [project, address] = [makeProject(), `git+file://${git.folder}`];
    await run(project, 'add', 'a/web', '--registry', address);
    git.git('commit', '-q', '--amend', '-m', 'Another history');
    const before = readProject(project);
    const refused = await run(project, 'update');
    expect([refused.status, refused.stderr]).toEqual([
      6,
      expect.stringContaining('does not continue what was read of it before'),
    ]);
    expect(readProject(project)).toEqual(before);
  });

  it('whose branch of the log began again is read', async () => {
    const git = registry();
    const address = `git+file://${git.folder}`;
    const begin = (): void => {
      const tree = git.git('rev-parse', 'HEAD^{tree}');
      const commit = git.git('commit-tree', tree, '-m', `Log ${Math.random()}`);
      git.git('update-ref', 'refs/heads/stackyard-log', commit);
    };
    for (const version of ['1.1.0', '1.2.0']) {
      begin();
      git.commit(build('a/web', version, { base: 'src/web' }));
      const { stdout } = await run(makeProject(), 'info', 'a/web', '--registry', address);
      expect(stdout).toContain(version);
    }
  });

  it('is shared by two commands at once, and goes on after one that was killed', async () => {
    const git = registry();
    const address = `git+file://${git.folder}`;
    const args = ['info', 'a/web', '--registry', address];
    const both = await Promise.all([stackyard(args, variables), stackyard(args, variables)]);
    expect(both.map(({ status }) => status)).toEqual([0, 0]);
    expect(runs()).toBe(1);
    git.commit(build('a/web', '1.1.0', { base: 'src/web' }));
    program(join(home, 'bin/stackyard-registry'), 'kill -9 $$');
    expect((await stackyard(args, variables)).status).toBe(7);
    program(join(home, 'bin/stackyard-registry'), `exec ${process.execPath} ${GENERATOR} "$@"`);
    expect((await stackyard(args, variables)).stdout).toContain('1.1.0');
  });

  it('whose generator is not installed is refused with what to install', async () => {
    const git = registry();
    const path = execFileSync('sh', ['-c', 'dirname "$(command -v git)"'], {
      encoding: 'utf8',
    }).trim();
    const ended = await stackyard(['info', 'a/web', '--registry', `git+file://${git.folder}`], {
      ...variables,
      PATH: path,
    });
    expect([ended.status, ended.stderr]).toEqual([
      7,
      expect.stringContaining('there is no program "stackyard-registry" on the PATH'),
    ]);
    expect(ended.stderr).toContain('hint: install it as "A registry of your own" describes');
  });

  it('that is none, or cannot be reached, is an error with the way to check it', async () => {
    const empty = new GitFixture();
    empty.commit({ 'README.md': 'nothing' });
    const none = await run(makeProject(), 'search', '--registry', `git+file://${empty.folder}`);
    expect([none.status, none.stderr]).toEqual([
      7,
      expect.stringContaining('it has no builds/ folder'),
    ]);
    const missing = await run(
      makeProject(),
      'search',
      '--registry',
      'git+file:///no/such/repository',
    );
    expect([missing.status, missing.stderr]).toEqual([
      7,
      expect.stringContaining('hint: check that "git ls-remote file:///no/such/repository" works'),
    ]);
  });

  it('starts nothing that the repository or the configuration of a project brings', async () => {
    const git = registry();
    const started = join(home, 'started');
    const hook = `#!/bin/sh\ntouch ${started}\n`;
    git.commit({
      '.gitattributes': '* filter=evil\n',
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch ${started}"\n`,
      '.githooks/post-checkout': hook,
    });
    const project = makeProject();
    execFileSync('git', ['init', '-q', project]);
    for (const [key, value] of [
      ['filter.evil.smudge', `touch ${started}`],
      ['core.fsmonitor', `touch ${started}`],
      ['core.sshCommand', `touch ${started}`],
      ['credential.helper', `!touch ${started}`],
    ]) {
      execFileSync('git', ['-C', project, 'config', key!, value!]);
    }
    const ended = await stackyard(
      ['add', 'a/web', '--registry', `git+file://${git.folder}`],
      variables,
      undefined,
      project,
    );
    expect([ended.status, existsSync(started)]).toEqual([0, false]);
    const [clone = ''] = readdirSync(join(home, 'cache/git'));
    expect(readdirSync(join(home, 'cache/git', clone)).sort()).toEqual(
      [
        '.index.lock',
        '.index.run.json',
        '.index.state.sqlite',
        'index',
        'made.json',
        'repository.git',
      ].sort(),
    );
    expect(existsSync(join(home, 'cache/git', clone, 'repository.git/hooks'))).toBe(false);
  });

  it('over HTTP asks for the credential that git has, and without one does not wait', async () => {
    const git = registry();
    const expected = `Basic ${Buffer.from('alice:s3cr3t').toString('base64')}`;
    const url = await serveAnswers((request, response) => {
      if (request.headers.authorization !== expected) {
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
        return;
      }
      const { pathname, search } = new URL(request.url ?? '/', 'http://host');
      const child = spawn('git', ['http-backend'], {
        env: {
          PATH: process.env['PATH'],
          GIT_PROJECT_ROOT: git.folder,
          GIT_HTTP_EXPORT_ALL: '1',
          PATH_INFO: pathname,
          QUERY_STRING: search.slice(1),
          REQUEST_METHOD: request.method,
          CONTENT_TYPE: request.headers['content-type'],
          HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
          GIT_PROTOCOL: request.headers['git-protocol'] as string,
        },
      });
      request.pipe(child.stdin);
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      child.on('close', () => {
        const answer = Buffer.concat(chunks);
        const end = answer.indexOf('\r\n\r\n');
        const lines = answer.subarray(0, end).toString().split('\r\n');
        const headers = lines.map((line) => line.split(': ') as [string, string]);
        const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
        response.writeHead(status, Object.fromEntries(headers)).end(answer.subarray(end + 4));
      });
    });
    const args = ['info', 'a/web', '--registry', `git+${url}/.git`];
    const without = await stackyard(args, variables);
    expect([without.status, without.stderr]).toEqual([
      7,
      expect.stringContaining('could not read Username'),
    ]);
    const { host } = new URL(url);
    writeFileSync(join(home, '.git-credentials'), `http://alice:s3cr3t@${host}\n`, { mode: 0o600 });
    writeFileSync(join(home, '.gitconfig'), '[credential]\n\thelper = store\n');
    const given = await stackyard(args, variables);
    expect([given.status, given.stdout]).toEqual([0, expect.stringContaining('a/web')]);
  });
});
