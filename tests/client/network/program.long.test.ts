/** The cache, private headers, addresses and the progress bar through the program. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../../generate/git-fixture.ts';
import { MAIN } from '../client-process.ts';
import { Session } from '../mcp-session.ts';
import {
  makeProject,
  readProject,
  serveAnswers,
  serveChanged,
  serveRegistry,
  stackyard,
} from '../registry-fixture.ts';

const SECRET = 'Bearer s3cr3t-t0k3n';

async function registry(): Promise<{ url: string; index: string }> {
  const git = new GitFixture();
  git.commit(build('b/db', '1.0.0', { base: 'src/db' }));
  git.commit(build('a/web', '1.0.0', { base: 'src/web', builds: { 'b/db': '^1.0.0' } }));
  return serveRegistry(git);
}

function contents(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name + readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('the cache', () => {
  it('is filled by two clients at once, and serves a third that has no network', async () => {
    const { url } = await registry();
    const variables = { STACKYARD_CACHE: temporaryFolder(), STACKYARD_REGISTRY: url };
    const add = (project: string, ...more: string[]) =>
      stackyard(['add', 'a/web', '-C', project, ...more], variables);
    const projects = [makeProject(), makeProject(), makeProject()] as const;
    const both = await Promise.all([add(projects[0]), add(projects[1])]);
    expect(both.map(({ status }) => status)).toEqual([0, 0]);
    const offline = await add(projects[2], '--offline');
    expect([offline.status, offline.stderr]).toEqual([0, '']);
    expect(readProject(projects[2])).toEqual(readProject(projects[0]));
    const checked = await stackyard(['cache', 'verify'], variables);
    expect([checked.status, checked.stdout]).toEqual([0, expect.stringMatching(/removed: 0\n$/)]);
    expect(contents(variables.STACKYARD_CACHE)).not.toContain('.tmp');
  });

  it('that cannot be used is reported once, and only with --verbose', async () => {
    const { url } = await registry();
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const variables = { STACKYARD_CACHE: file, STACKYARD_REGISTRY: url };
    const quiet = await stackyard(['add', 'a/web', '-C', makeProject()], variables);
    expect([quiet.status, quiet.stderr]).toEqual([0, '']);
    const result = await stackyard(['add', 'a/web', '-C', makeProject(), '-v'], variables);
    const warnings = result.stderr.split('\n').filter((line) => line.startsWith('warning:'));
    expect([result.status, warnings]).toEqual([
      0,
      [`warning: The cache in "${file}" is not used: it is not a folder`],
    ]);
  });
});

describe('a private registry', () => {
  it('is read by every command, and by agents, with the credential that git has', async () => {
    const { index } = await registry();
    const [home, cache, state, project] = [
      temporaryFolder(),
      temporaryFolder(),
      temporaryFolder(),
      makeProject(),
    ];
    const expected = `Basic ${Buffer.from('alice:s3cr3t').toString('base64')}`;
    const url = await serveChanged(index, (request, response) => {
      const isKnown = request.headers.authorization === expected;
      if (!isKnown) response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="b"' }).end();
      return !isKnown;
    });
    const login = join(home, '.git-credentials');
    writeFileSync(login, `http://alice:s3cr3t@${new URL(url).host}\n`, { mode: 0o600 });
    writeFileSync(join(home, '.gitconfig'), '[credential]\n\thelper = store\n');
    const variables = { HOME: home, STACKYARD_CACHE: cache, STACKYARD_STATE: state };
    const outputs: string[] = [];
    const run = async (status: number, ...args: string[]): Promise<void> => {
      const ended = await stackyard([...args, '-C', project, '--verbose'], variables);
      expect([args, ended.status, ended.stderr]).toEqual([args, status, expect.any(String)]);
      outputs.push(ended.stdout, ended.stderr);
    };
    await run(0, 'add', 'a/web', '--registry', url);
    await run(0, 'search', 'web');
    await run(0, 'info', 'a/web');
    await run(0, 'outdated');
    await run(0, 'update');
    await run(0, 'install');
    await run(0, 'list', '--licenses');
    // Nobody signs its log.
    await run(6, 'registry', 'audit', '--registry', url);
    const session = await Session.open(project, url, variables);
    const found = await session.call('search', { words: ['web'] });
    expect([found.isError, found.text]).toEqual([false, expect.stringContaining('a/web')]);
    const all = [...outputs, session.stderr, found.text, ...[cache, state, project].map(contents)];
    expect(all.join()).not.toMatch(new RegExp(`s3cr3t|${expected.slice(6)}`));
    // It tells git which credential was accepted, and git would write it into the file again.
    await session.client.close();
    // What was read with it is in the cache of this user, also without network.
    writeFileSync(login, '');
    await run(0, 'info', 'a/web', '--offline');
    await run(7, 'update');
    expect(outputs.at(-1)).toContain('git credential: nothing for it');
  });

  it('with an invalid variable is wrong usage, and its value is not quoted', async () => {
    const ended = await stackyard(['info', 'a/web'], { STACKYARD_HEADERS: `x ${SECRET}` });
    expect([ended.status, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(/^error: Cannot read STACKYARD_HEADERS, line 1: /);
    expect(ended.stderr).not.toContain('s3cr3t');
  });
});

describe('an address', () => {
  it('of this run is not written into the lock, and two are wrong usage', async () => {
    const { url, index } = await registry();
    const project = makeProject();
    await stackyard(['add', 'a/web', '-C', project], { STACKYARD_REGISTRY: ` ${url} ` });
    expect(readProject(project)['stackyard.lock.json']).toContain(`"address": "${url}"`);
    const outdated = await stackyard(['outdated', '-C', project, '--registry', index]);
    expect([outdated.status, outdated.stdout]).toEqual([0, 'All builds are up to date\n']);
    const two = await stackyard(['outdated', '-C', project], {
      STACKYARD_REGISTRY: `${url} ${url}`,
    });
    expect(two.status).toBe(2);
  });
});

/** Runs the program at a terminal of its own; `until` gets the output of the terminal so far. */
async function atTerminal(
  args: readonly string[],
  variables: object,
  until: (screen: string) => void,
): Promise<string> {
  const script = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';
  const env = {
    ...process.env,
    TERM: 'xterm',
    CI: '',
    STACKYARD_CACHE: temporaryFolder(),
    ...variables,
  };
  const child = spawn('python3', ['-c', script, process.execPath, MAIN, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    until(screen);
  });
  await once(child, 'close');
  return screen;
}

describe('the progress bar', () => {
  const BAR = /\[[=> ]+\] \d+ of \d+, \d+\.\d MB/;

  /** A registry that delays its first response until it is released. */
  async function held(): Promise<{ url: string; release: () => void }> {
    const { url } = await registry();
    let release = (): void => {};
    const free = new Promise<void>((resolve) => (release = resolve));
    const slow = await serveAnswers(async (request, response) => {
      await free;
      const answer = await fetch(`${url}${request.url}`);
      response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
    });
    return { url: slow, release };
  }

  it('is shown at a terminal during a download, and removed at the end', async () => {
    const { url, release } = await held();
    const screen = await atTerminal(['info', '--files', 'a/web', '--registry', url], {}, (text) => {
      if (BAR.test(text)) release();
    });
    expect(screen).toMatch(BAR);
    const end = screen.slice(screen.lastIndexOf('MB') + 2);
    const erased = '\r\u{1B}[K';
    expect(end.startsWith(erased)).toBe(true);
    expect(end.slice(erased.length)).toMatch(/^ *\d+ {2}/);
    expect(end).toContain('stackyard.json');
  });

  it.each<[string, object, string[]]>([
    ['in CI', { CI: 'true' }, []],
    ['at a dumb terminal', { TERM: 'dumb' }, []],
    ['when quiet', {}, ['-q']],
    ['with --json', {}, ['--json']],
  ])('is not shown %s', async (_, variables, more) => {
    const { url, release } = await held();
    // Long enough for a bar to appear: in the first test it appears much earlier.
    setTimeout(release, 1500);
    const screen = await atTerminal(
      ['info', '--files', 'a/web', '--registry', url, ...more],
      variables,
      () => {},
    );
    expect(screen).toContain('stackyard.json');
    expect(screen).not.toMatch(/ of \d+, /);
    expect(screen).not.toContain('\r\u{1B}[K');
  });
});

it('view at a terminal strips control characters, and refuses binary files', async () => {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0', {}, { 'r.md': 'a\u{1B}[2Jb\n', 'b.bin': Buffer.from([0, 7]) }));
  const { url } = await serveRegistry(git);
  // In CI mode, so that no progress bar appears on a slow machine.
  const view = (...args: string[]) =>
    atTerminal(
      ['info', '--files', 'a/x', '--registry', url, ...args],
      { NO_COLOR: '1', CI: 'true' },
      () => {},
    );
  expect(await view('r.md')).toBe('a[2Jb\r\n');
  expect(await view('b.bin')).toContain('error: "b.bin" is binary: 2 bytes');
});
