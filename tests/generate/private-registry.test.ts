/** A registry whose host asks for a credential: the commands that read what is published. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serveAnswers, serveChanged } from '../client/registry-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';

const SECRET = 'Bearer s3cr3t-t0k3n';
const AUTH = { scheme: 'bearer', help: 'https://corp.example/token' };

async function privateRegistry(): Promise<{ git: GitFixture; out: string; url: string }> {
  const git = new GitFixture();
  git.commit({ 'registry.config.json': JSON.stringify({ origin: 'corp.example', auth: AUTH }) });
  git.commit(build('a/x', '1.0.0'));
  const out = join(temporaryFolder(), 'index');
  const args = ['--repo', git.folder, '--out', out, '--no-site', '--no-client'];
  expect((await runCommand('generate', args)).status).toBe(0);
  const url = await serveChanged(out, (request, response) => {
    const isKnown = request.headers.authorization === SECRET;
    if (!isKnown) response.writeHead(401).end();
    return !isKnown;
  });
  return { git, out, url };
}

it('registry.json states how clients ask', async () => {
  const { out } = await privateRegistry();
  const info = JSON.parse(readFileSync(join(out, 'registry.json'), 'utf8')) as object;
  expect(info).toMatchObject({ auth: { scheme: 'bearer' } });
});

it('generate, audit and log:keep read it with STACKYARD_HEADERS, which no output has', async () => {
  const { git, url } = await privateRegistry();
  const commands = [
    ['generate', '--repo', git.folder, '--out', join(temporaryFolder(), 'i'), '--published', url],
    ['audit', url],
    ['log:keep', '--repo', git.folder, '--published', url],
  ] as const;
  for (const [command, ...args] of commands) {
    const without = await runCommand(command, args);
    expect([command, without.status]).toEqual([command, 1]);
    expect(without.stderr).toContain('the server answers 401');
    expect(without.stderr).toContain(
      `hint: set STACKYARD_HEADERS to "${url} Authorization: Bearer ..."`,
    );
    const given = await runCommand(command, args, {
      STACKYARD_HEADERS: `${url} Authorization: ${SECRET}`,
    });
    // Its log is not signed, which an audit reports.
    expect([command, given.status, given.stderr]).toEqual([
      command,
      command === 'audit' ? 1 : 0,
      expect.not.stringContaining('401'),
    ]);
    const wrong = await runCommand(command, args, {
      STACKYARD_HEADERS: `${url} Authorization: s3cr3t-old`,
    });
    expect(wrong.stderr).toContain(`the header in STACKYARD_HEADERS for ${url} is not accepted`);
    const all = [without, given, wrong].map(({ stdout, stderr }) => stdout + stderr).join();
    expect(all).not.toContain('s3cr3t');
  }
});

it('is not left for another origin, which would get the header', async () => {
  const { git, url } = await privateRegistry();
  const seen: (string | string[] | undefined)[] = [];
  const other = await serveAnswers((request, response) => {
    seen.push(request.headers['x-key']);
    response.writeHead(404).end();
  });
  const moving = await serveAnswers((request, response) => {
    response.writeHead(302, { Location: `${other}${request.url}` }).end();
  });
  const args = ['--repo', git.folder, '--out', join(temporaryFolder(), 'i'), '--published', moving];
  const headers = { STACKYARD_HEADERS: `${moving} X-Key: s3cr3t\n${url} X-Key: s3cr3t` };
  const ended = await runCommand('generate', args, headers);
  expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining('it redirects to')]);
  expect(seen).toEqual([]);
});

it('init writes how clients ask and where users put a credential, and warns that Pages are public', async () => {
  const folder = join(temporaryFolder(), 'registry');
  const base = ['--admin', 'alice:7', '--base-url', 'https://corp.example/builds'];
  const auth = ['--auth', 'bearer'];
  const ended = await runCommand('init', [folder, ...base, ...auth]);
  expect([ended.status, ended.stderr]).toEqual([
    0,
    expect.stringMatching(/^warning: Everybody reads the Pages of a private repository/),
  ]);
  const config = JSON.parse(readFileSync(join(folder, 'registry.config.json'), 'utf8')) as object;
  expect(config).toMatchObject({ auth: { scheme: 'bearer' } });
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(readme).toContain('    //corp.example/builds/:_authToken=<token>\n');
  const open = join(temporaryFolder(), 'registry');
  const other = await runCommand('init', [open, ...base]);
  expect([other.status, other.stderr]).toEqual([0, '']);
  expect(other.stdout).toContain('Pages of a private repository are public');
  expect(readFileSync(join(open, 'README.md'), 'utf8')).not.toContain('npmrc');
});
