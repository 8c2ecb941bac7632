/** Rules for every command of the table, including those that are added later. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { outputSchema } from './output-schema.ts';
import { PROGRAM } from '../../client/program.ts';
import { findEntry, kebab } from '../../format/command/command.ts';
import { fieldsOf } from '../../format/command/parse.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { editHead } from './edit-head.ts';
import { MAIN, runClient } from './client-process.ts';
import type { Ended } from '../run/script-process.ts';
import {
  makeProject,
  bringUpToDate,
  readProject,
  serveRegistry,
  stackyard,
} from './registry-fixture.ts';
import { restate } from './state-files.ts';

const SOURCE = join(import.meta.dirname, '../../client/main.ts');
const NOWHERE = 'http://127.0.0.1:9';
const commands = PROGRAM.commands.map(({ name }) => name);
/** Its standard output belongs to the protocol. */
const speaking = commands.filter((name) => name !== 'mcp');

/** What a command prints with `--json`: one document of the documented form. */
async function envelopeOf(command: string, { stdout }: Ended): Promise<Record<string, any>> {
  const document = JSON.parse(stdout) as Record<string, any>;
  const { error } = (await outputSchema(command)).safeParse(document);
  expect(error?.message, `${command}: ${stdout.slice(0, 400)}`).toBeUndefined();
  return document;
}

/** A value for each argument that `name` must have. */
async function argumentsOf(name: string): Promise<string[]> {
  const fields = fieldsOf((await findEntry(PROGRAM, name)!.load()).input);
  const required = fields.filter(({ isArgument, isRequired }) => isArgument && isRequired);
  return required.map(({ choices }) => choices?.[0] ?? 'a/b');
}

it('can be run from its sources', async () => {
  const run = { cwd: temporaryFolder(), variables: { STACKYARD_STATE: temporaryFolder() } };
  const help = await runClient(['--help'], { ...run, program: SOURCE });
  expect([help.status, help.stderr]).toEqual([0, '']);
  expect(help).toEqual(await runClient(['--help'], run));
});

describe.each(commands)('%s', (name) => {
  it('prints a help with its purpose and an example, and its own options alone', async () => {
    const help = await stackyard([name, '--help']);
    expect([help.status, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(new RegExp(`^Usage: stackyard ${name}( |\n)`));
    expect(help.stdout).toContain(`Example: stackyard ${name}`);
    expect(help.stdout).toContain('Options of every command: stackyard --help');
    expect(help.stdout).not.toContain('--json <');
    for (const { name: shared } of PROGRAM.shared) {
      expect(help.stdout).not.toMatch(new RegExp(`^ +(?:-., )?--(?:no-)?${kebab(shared)}\\b`, 'm'));
    }
    const entry = findEntry(PROGRAM, name)!;
    expect(entry.summary).toMatch(/^[a-z]/);
    expect((await entry.load()).description).toMatch(/^[A-Z].*[^.]$/s);
  });

  it('refuses an unknown option and suggests the known one', async () => {
    const ended = await stackyard([name, ...(await argumentsOf(name)), '--jsn']);
    expect([ended.status, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain('error: Option "--jsn" is unknown\n');
    expect(ended.stderr).toContain(`did you mean --json? See stackyard ${name} --help`);
  });
});

describe.each(speaking)('%s --json', (name) => {
  it('prints one document for wrong usage', async () => {
    const ended = await stackyard([
      name,
      ...(await argumentsOf(name)),
      '--no-such-option',
      '--json',
    ]);
    expect([ended.status, ended.stderr]).toEqual([2, '']);
    expect(await envelopeOf(name, ended)).toMatchObject({
      ok: false,
      error: { code: 'ERR_USAGE' },
    });
  });

  it('prints one document for its help', async () => {
    const ended = await stackyard([name, '--help', '--json']);
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    expect(await envelopeOf('help', ended)).toMatchObject({ ok: true, data: { command: name } });
  });

  it('prints one document in a folder without a project, and writes nothing there', async () => {
    const folder = temporaryFolder();
    const args = [
      name,
      ...(await argumentsOf(name)),
      '-C',
      folder,
      '--registry',
      NOWHERE,
      '--json',
    ];
    const cache = { XDG_CACHE_HOME: temporaryFolder(), XDG_STATE_HOME: temporaryFolder() };
    const ended = await stackyard(args, cache);
    const document = await envelopeOf(name, ended);
    expect(document['ok']).toBe(ended.status === 0);
    if (ended.status !== 0) expect([0, 1]).not.toContain(ended.status);
    expect(readProject(folder)).toEqual({});
  });
});

it('prints documents of the documented form when it succeeds', async () => {
  const git = new GitFixture();
  git.commit(build('a/b', '1.0.0', { base: 'src/b', env: { KEY: { required: true } } }));
  const { url } = await serveRegistry(git);
  const project = makeProject();
  const place = ['-C', project, '--registry', url, '--json'];
  const calls: [string, ...string[]][] = [
    ['add', 'a/b', '--dry-run'],
    ['add', 'a/b'],
    ['add', 'a/b'],
    ['info', 'a/b'],
    ['list'],
    ['list', 'src/b/src/index.ts'],
    ['list', '--licenses'],
    ['outdated'],
    ['verify'],
    ['info', 'a/b', '--files'],
    ['completion', 'bash'],
  ];
  for (const [name, ...args] of calls) {
    const ended = await stackyard([name, ...args, ...place]);
    expect(await envelopeOf(name, ended)).toMatchObject({ ok: true });
    expect([name, ended.status]).toEqual([name, 0]);
  }
  const sick = await stackyard(['doctor', ...place], { KEY: '' });
  expect(await envelopeOf('doctor', sick)).toMatchObject({ ok: false, status: 'different' });
  expect(await envelopeOf('version', await stackyard(['--version', '--json']))).toMatchObject({
    ok: true,
  });
  expect(await envelopeOf('help', await stackyard(['--help', '--json']))).toMatchObject({
    ok: true,
  });
});

it('escapes terminal control characters in JSON, and loses nothing', async () => {
  const git = new GitFixture();
  const readme = 'a\u{202E}b\u{1B}[2Jc\u{E0041}\n';
  git.commit(build('a/b', '1.0.0', {}, { 'README.md': readme }));
  const { url } = await serveRegistry(git);
  const { stdout } = await stackyard(['info', 'a/b', '--registry', url, '--json']);
  expect(stdout).toContain('a\\u202eb\\u001b[2Jc\\udb40\\udc41');
  expect(JSON.parse(stdout)).toMatchObject({ data: { readme } });
});

it('names in its help the options of every command, once', async () => {
  const { stdout } = await stackyard(['--help']);
  const options = [
    '--json',
    '--registry',
    '--quiet',
    '--verbose',
    '--yes',
    '--no-input',
    '--no-color',
  ];
  for (const option of ['-C, --cwd', ...options]) expect(stdout.split(option).length).toBe(2);
  for (const name of commands) expect(stdout).toMatch(new RegExp(`^  ${name}[, ]`, 'm'));
});

it('prints the help on standard error and exits with status 2 without a command', async () => {
  const bare = await stackyard([]);
  expect([bare.status, bare.stdout]).toEqual([2, '']);
  expect(bare.stderr).toContain('Usage: stackyard');
  const early = await stackyard(['--json', '-C', temporaryFolder(), 'list']);
  expect([early.status, early.stderr]).toEqual([4, '']);
  expect(await envelopeOf('list', early)).toMatchObject({ error: { code: 'ERR_NO_PROJECT' } });
});

it('ends without an error when its reader closes the pipe', async () => {
  const child = spawn(process.execPath, [MAIN, 'completion', 'bash'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.destroy();
  const [status] = (await once(child, 'close')) as [number];
  expect([status, stderr]).toEqual([0, '']);
});

describe('colour', () => {
  const args = ['verify', '-C', '/no/such/folder'];
  it.each<[Record<string, string>, boolean]>([
    [{ NO_COLOR: '', FORCE_COLOR: '1' }, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [{ NO_COLOR: '', FORCE_COLOR: '0' }, false],
    [{ NO_COLOR: '', CI: 'true' }, false],
  ])('with %j is %s', async (variables, isColored) => {
    const { stderr } = await stackyard(args, variables);
    expect(stderr.includes('\u{1B}[31merror:')).toBe(isColored);
  });

  it('changes no character of any command', async () => {
    const git = new GitFixture();
    git.commit(build('a/b', '1.0.0', { base: 'src' }));
    git.commit(build('c/d', '1.0.0', { base: 'lib', builds: { 'a/b': '^1.0.0' } }));
    const { url, index } = await serveRegistry(git);
    const project = makeProject();
    const common = ['-C', project, '--registry', url];
    await stackyard(['add', 'a/b', ...common]);
    git.commit(build('a/b', '1.1.0', { base: 'src' }));
    await bringUpToDate(git, index);
    writeFileSync(join(project, 'src/src/index.ts'), 'edited();\n');
    for (const words of [
      ['list'],
      ['info', 'a/b'],
      ['search'],
      ['verify'],
      ['outdated'],
      ['add', 'c/d', '--dry-run'],
      ['list', 'src/src/index.ts'],
    ]) {
      const plain = await stackyard([...words, ...common]);
      const painted = await stackyard([...words, ...common], { NO_COLOR: '', FORCE_COLOR: '1' });
      expect(painted.stdout, words[0]).toContain('\u{1B}[');
      expect(stripVTControlCharacters(painted.stdout), words[0]).toBe(plain.stdout);
      expect(plain.stdout, words[0]).not.toContain('\u{1B}');
    }
  });

  it('is off with --no-color', async () => {
    const { stderr } = await stackyard([...args, '--no-color'], { NO_COLOR: '', FORCE_COLOR: '1' });
    expect(stderr).toMatch(/^error: /);
  });
});

it('prints more with --verbose and less with --quiet, on standard error only', async () => {
  const git = new GitFixture();
  git.commit(build('c/d', '1.0.0'));
  const { url } = await serveRegistry(git);
  const args = ['info', 'a/b', '--registry', url];
  const variables = { STACKYARD_CACHE: temporaryFolder(), STACKYARD_STATE: temporaryFolder() };
  const run = { cwd: temporaryFolder(), program: SOURCE, variables };
  const verbose = await runClient([...args, '--verbose'], run);
  expect(verbose.stderr).toMatch(/^stackyard \d.*\n(?:.*\n)*error: There is no build/);
  expect(verbose.stderr).toMatch(/at .*info\.ts:\d+/);
  const both = await stackyard([...args, '--verbose', '--quiet']);
  expect([both.stdout, both.stderr]).toEqual(['', expect.stringMatching(/^error: /)]);
});

describe('questions', () => {
  async function dangerous(): Promise<{ url: string; project: string }> {
    const git = new GitFixture();
    git.commit(build('a/b', '1.0.0', { base: 'src/b' }));
    const { index, url } = await serveRegistry(git);
    const head = join(index, 'heads/a/b.json');
    writeFileSync(
      head,
      editHead(readFileSync(head), ({ versions }) => {
        versions[0]!.risk = 'danger';
      }),
    );
    restate(index);
    return { url, project: makeProject() };
  }

  it('are errors that name the flag when there is no terminal', async () => {
    const { url, project } = await dangerous();
    const args = ['add', 'a/b', '-C', project, '--registry', url];
    const refused = await stackyard([...args, '--json']);
    expect(refused.status).toBe(8);
    expect(await envelopeOf('add', refused)).toMatchObject({
      ok: false,
      status: 'action_required',
      error: { code: 'ERR_NEEDS_ANSWER', hint: expect.stringContaining('--yes') },
    });
    expect(Object.keys(readProject(project))).toEqual(['package.json']);
    expect((await stackyard([...args, '--yes'])).status).toBe(0);
    expect(Object.keys(readProject(project))).toContain('src/b/src/index.ts');
  });

  /**
   * Runs the program in a terminal of its own with the typed text `input`.
   * @param later further questions, each with its own answer
   */
  async function typed(
    args: readonly string[],
    input: string,
    variables = {},
    question = '[y/N]',
    later: readonly (readonly [question: string, input: string])[] = [],
  ): Promise<Ended> {
    const answers = [[question, input] as const, ...later];
    const line = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ');
    // The cache of this user may hold another registry that once had the same port.
    const own = { STACKYARD_CACHE: temporaryFolder(), STACKYARD_STATE: temporaryFolder() };
    const env = { ...process.env, NO_COLOR: '1', TERM: 'xterm', CI: '', ...own, ...variables };
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const [asked, answer] = answers[0] ?? [];
      if (asked === undefined || !stdout.includes(asked)) return;
      child.stdin.write(answer!);
      answers.shift();
      if (answers.length === 0) child.stdin.end();
    });
    const [status] = (await once(child, 'close')) as [number];
    return { status, stdout, stderr: '' };
  }

  it.each<[string, number]>([
    ['y\n', 0],
    ['n\n', 8],
    ['\n', 8],
    ['\u{4}', 130],
  ])('appear in a terminal: %j ends with status %i', async (input, status) => {
    const { url, project } = await dangerous();
    const ended = await typed(['add', 'a/b', '-C', project, '--registry', url], input);
    expect([ended.status, ended.stdout]).toEqual([status, expect.stringContaining('[y/N]')]);
    expect(existsSync(join(project, 'src/b/src/index.ts'))).toBe(status === 0);
  });

  it.each<[string, string, string, number]>([
    ['o\nlib/b\n', 'lib/b/src/index.ts', 'lib/b', 0],
    // Neither of the first two may be written to.
    ['other\n../out\n.git/hooks\nlib\n', 'lib/src/index.ts', 'lib', 0],
    // Where another file is in the way, the client asks again.
    ['o\nother\nk\n', 'other/src/index.ts', 'other', 0],
    ['o\nlib\n', '', '', 5],
    ['o\n\u{4}', '', '', 130],
  ])('place a build elsewhere: %j', async (input, path, place, status) => {
    const git = new GitFixture();
    git.commit(build('a/b', '1.0.0', { base: 'src' }, { 'src/index.ts': 'export const x = 1;\n' }));
    git.commit(build('a/taken', '1.0.0', { base: 'lib' }));
    const { url } = await serveRegistry(git);
    const project = makeProject({
      'package.json': '{}\n',
      'src/src/index.ts': 'mine\n',
      'other/src/index.ts': 'also mine\n',
    });
    const common = ['-C', project, '--registry', url];
    if (status === 5) expect((await stackyard(['add', 'a/taken', ...common])).status).toBe(0);
    const before = readProject(project);
    const ended = await typed(['add', 'a/b', ...common], input, {}, '[s]top');
    expect([ended.status, ended.stdout]).toEqual([status, expect.any(String)]);
    if (status !== 0) {
      expect(readProject(project)).toEqual(before);
      return;
    }
    const after = readProject(project);
    expect(after['src/src/index.ts']).toBe('mine\n');
    const shipped = place === 'other' ? 'also mine\n' : 'export const x = 1;\n';
    expect(after[path]).toBe(shipped);
    expect(JSON.parse(after['stackyard.lock.json']!)).toMatchObject({
      builds: { 'a/b': { placement: { to: place } } },
    });
    expect((await stackyard(['verify', ...common])).status).toBe(0);
  });

  it('are followed by a sentence with what was done and its time, in a terminal only', async () => {
    const git = new GitFixture();
    git.commit(build('a/b', '1.0.0', { base: 'src' }));
    const { url } = await serveRegistry(git);
    const project = makeProject();
    const common = ['-C', project, '--registry', url];
    const ended = await typed(['add', 'a/b', ...common], '');
    expect(ended.stdout).toMatch(/\nAdded a\/b, 2 files written, in \d+\.\d s\r?\n$/);
    const verified = await typed(['verify', ...common], '');
    expect(verified.stdout).toMatch(/\nCompared 2 files, in \d+\.\d s\r?\n$/);
    expect((await stackyard(['verify', ...common])).stdout).toMatch(/all as installed\n$/);
    const json = await typed(['verify', '--json', ...common], '');
    expect(json.stdout).toMatch(/\}\r?\n$/);
  });

  it.each<[string[], Record<string, string>]>([
    [['--no-input'], {}],
    [['--json'], {}],
    [[], { CI: 'true' }],
    [[], { TERM: 'dumb' }],
  ])('do not appear in a terminal with %j and %j', async (more, variables) => {
    const { url, project } = await dangerous();
    const args = ['add', 'a/b', '-C', project, '--registry', url, ...more];
    const ended = await typed(args, 'y\n', variables);
    // As data, a question has no blank at its end.
    expect([ended.status, ended.stdout]).toEqual([8, expect.not.stringContaining('[y/N] ')]);
  });
});

it('starts other programs without standard input', async () => {
  const git = new GitFixture();
  git.commit(
    build('a/b', '1.0.0', { base: 'src/b', dependencies: { npm: { leftpad: '^1.0.0' } } }),
  );
  const { url } = await serveRegistry(git);
  const project = makeProject();
  const programs = temporaryFolder();
  mkdirSync(programs, { recursive: true });
  const heard = join(programs, 'heard');
  writeFileSync(join(programs, 'npm'), `#!/bin/sh\necho "talk of npm"\ncat > '${heard}'\n`);
  chmodSync(join(programs, 'npm'), 0o755);
  const env = { ...process.env, PATH: `${programs}${delimiter}${process.env['PATH']}` };
  const args = [MAIN, 'add', 'a/b', '-C', project, '--registry', url];
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {});
  child.stdin.write('secret of the user\n');
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number];
  expect([status, readFileSync(heard, 'utf8')]).toEqual([0, '']);
  expect(stdout).not.toContain('talk of npm');

  // Two lock files: nothing is started or written.
  const mixed = { 'package.json': '{}\n', 'package-lock.json': '{}\n', 'yarn.lock': '\n' };
  const several = makeProject(mixed);
  const unclear = await stackyard(['add', 'a/b', '-C', several, '--registry', url]);
  expect([unclear.status, unclear.stderr]).toEqual([
    9,
    expect.stringMatching(/"package-lock\.json" and "yarn\.lock"[^]*--no-install/),
  ]);
  expect(readProject(several)).toEqual(mixed);
});
