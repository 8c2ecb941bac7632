/** `mcp` over real standard input and output, with the client of the protocol's own SDK. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { MAIN } from './client-process.ts';
import { editHead } from './edit-head.ts';
import { Session } from './mcp-session.ts';
import {
  makeProject,
  pathOf,
  readProject,
  serveChanged,
  serveRegistry,
  stackyard,
} from './registry-fixture.ts';
import { restate } from './state-files.ts';

const TOOLS = ['search', 'info', 'list', 'diff', 'outdated', 'verify', 'plan', 'apply', 'report'];
/** Every byte is in the context of a model. */
const MAX_LIST_BYTES = 25_000;

function exampleGit(): GitFixture {
  const git = new GitFixture();
  git.commit(build('b/db', '1.0.0', { base: 'src/db' }, { 'README.md': '# DB\n' }));
  git.commit(build('a/web', '1.0.0', { base: 'src/web', builds: { 'b/db': '^1.0.0' } }));
  return git;
}

async function example(): Promise<{ session: Session; project: string; url: string }> {
  const { url } = await serveRegistry(exampleGit());
  const project = makeProject();
  return { session: await Session.open(project, url), project, url };
}

describe('tools', () => {
  it('have descriptions and both schemas, refuse other fields, and declare whether they change the project', async () => {
    const { session } = await example();
    const { tools } = await session.client.listTools();
    for (const tool of tools) {
      expect(tool.description, tool.name).toMatch(/\.$/);
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object' });
      expect(tool.inputSchema['additionalProperties'], tool.name).toBe(false);
      expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' });
    }
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(TOOLS);
    expect(JSON.stringify(tools).length).toBeLessThan(MAX_LIST_BYTES);
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    for (const { name, inputSchema } of changing) {
      expect(inputSchema.required, name).toContain('plan_hash');
    }
    expect(session.client.getInstructions()).toContain('never instructions');
    const { isError, content } = (await session.client.callTool({
      name: 'info',
      arguments: { build: 'b/db', registry: 'https://elsewhere.example' },
    })) as unknown as { isError: boolean; content: [{ text: string }] };
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining('registry')]);
  });

  it('return data about the project and the registry', async () => {
    const { session, project, url } = await example();
    const known = await session.call('info', { build: 'b/db' });
    expect(known).toMatchObject({ ok: true, data: { id: 'b/db', readme: '' } });
    expect(JSON.parse(known.text)).toMatchObject({ ok: true, data: { id: 'b/db' } });
    const whole = await session.call('info', { build: 'b/db@1.0.0', texts: true });
    expect(whole.data?.['readme']).toMatch(
      /^\[(\w{8}): untrusted text of a publisher begins\]\n# DB\n\n\[\1: untrusted text ends\]$/,
    );
    expect(JSON.parse(whole.text)).toMatchObject({
      untrusted: ['data.description', 'data.manifest.description', 'data.readme'],
    });
    expect(await session.call('search', { words: ['web'] })).toMatchObject({
      data: { builds: [{ id: 'a/web' }], total: 1 },
    });
    expect(await session.call('info', { build: 'b/db', files: true })).toMatchObject({
      data: { files: expect.arrayContaining([expect.objectContaining({ path: 'README.md' })]) },
    });
    expect(await session.call('info', { build: 'b/db', file: 'README.md' })).toMatchObject({
      data: { content: '# DB\n' },
    });
    expect(await session.call('plan', { action: 'add', builds: ['a/web'] })).toMatchObject({
      data: { fits: true, plan: { builds: [{ id: 'a/web' }, { id: 'b/db' }] } },
    });
    await stackyard(['add', 'b/db', '-C', project, '--registry', url]);
    expect(await session.call('verify')).toMatchObject({ ok: true, status: 'done' });
    writeFileSync(join(project, 'src/db/src/index.ts'), 'edited\n');
    expect(await session.call('verify')).toMatchObject({
      ok: true,
      isError: false,
      status: 'done',
      data: { differences: [{ path: 'src/db/src/index.ts', state: 'modified' }] },
    });
    expect(await session.call('list')).toMatchObject({ data: { builds: [{ id: 'b/db' }] } });
  });

  it('report errors with code and hint', async () => {
    const { session, project } = await example();
    for (const [name, args, code] of [
      ['info', { build: 'nobody/none' }, 'ERR_BUILD_NOT_FOUND'],
      ['info', { build: 'Nonsense' }, 'ERR_USAGE'],
      ['verify', {}, 'ERR_LOCK'],
      ['plan', { action: 'add', builds: ['a/web@^9.0.0'] }, 'ERR_VERSION_NOT_FOUND'],
    ] as const) {
      const failed = await session.call(name, args);
      expect(failed).toMatchObject({ isError: true, ok: false, status: 'error', error: { code } });
      expect(failed.error?.hint).not.toBe('');
    }
    expect(Object.keys(readProject(project))).toEqual(['package.json']);
  });
});

describe('plan, then apply', () => {
  it('applies only the plan that was shown', async () => {
    const { session, project } = await example();
    const before = readProject(project);
    const planned = await session.call('plan', { action: 'add', builds: ['a/web'] });
    expect(planned).toMatchObject({ ok: true, status: 'planned' });
    expect(readProject(project)).toEqual(before);
    const added = await session.call('apply', { plan_hash: planned.data?.['plan_hash'] });
    expect(added).toMatchObject({ ok: true, status: 'done' });
    expect(added.data?.['plan']).toEqual(planned.data?.['plan']);
    expect(Object.keys(readProject(project))).toContain('src/web/src/index.ts');
    const nothing = await session.call('plan', { action: 'add', builds: ['a/web'] });
    expect(nothing).toMatchObject({ status: 'noop', data: {} });
    const again = await session.call('apply', { plan_hash: planned.data?.['plan_hash'] });
    expect(again).toMatchObject({ isError: true, error: { code: 'ERR_PLAN_CHANGED' } });
  });

  it('refuses another hash, other values, and a project that has changed, and writes nothing', async () => {
    const git = exampleGit();
    git.commit(build('c/cli', '1.0.0', { scripts: { cli: 'node cli.js' } }));
    const { url } = await serveRegistry(git);
    const project = makeProject();
    const session = await Session.open(project, url);
    const builds = ['a/web', 'c/cli'];
    const { data } = await session.call('plan', { action: 'add', builds });
    const approved = { plan_hash: data?.['plan_hash'] };
    const refuse = async (values: Record<string, unknown>, code: string): Promise<void> => {
      const before = readProject(project);
      const refused = await session.call('apply', values);
      expect(refused).toMatchObject({ isError: true, error: { code } });
      if (code === 'ERR_PLAN_CHANGED') expect(refused.error?.hint).toContain('call "plan" again');
      expect(readProject(project)).toEqual(before);
    };
    await refuse({ ...approved, builds: ['b/db'] }, 'ERR_USAGE');
    await refuse({ ...approved, on_exists: ['theirs'] }, 'ERR_USAGE');
    await refuse({ ...approved, install: true }, 'ERR_USAGE');
    await refuse({ plan_hash: `sha256-${'A'.repeat(43)}=` }, 'ERR_PLAN_CHANGED');
    await session.call('plan', { action: 'add', builds });
    writeFileSync(join(project, 'package.json'), '{"name":"other"}\n');
    await refuse(approved, 'ERR_PLAN_CHANGED');
  });

  it('refuses when the registry has changed since the plan', async () => {
    const old = await serveRegistry(exampleGit());
    const git = exampleGit();
    git.commit(build('b/db', '1.1.0', { base: 'src/db' }));
    const next = await serveRegistry(git);
    let isNew = false;
    const url = await serveChanged(old.index, (request, response) => {
      const file = join(next.index, pathOf(request));
      if (!isNew || !existsSync(file)) return false;
      response.end(readFileSync(file));
      return true;
    });
    const project = makeProject();
    const session = await Session.open(project, url);
    const change = { builds: ['a/web'] };
    const { data } = await session.call('plan', { action: 'add', ...change });
    isNew = true;
    const refused = await session.call('apply', { plan_hash: data?.['plan_hash'] });
    expect(refused).toMatchObject({ isError: true, error: { code: 'ERR_PLAN_CHANGED' } });
    expect(Object.keys(readProject(project))).toEqual(['package.json']);
  });

  it('places a build where the plan that was shown has it', async () => {
    const { session, project } = await example();
    const change = { builds: ['b/db'], to: 'lib/rows' };
    const { data } = await session.call('plan', { action: 'add', ...change });
    expect(data?.['plan']).toMatchObject({ builds: [{ id: 'b/db', to: 'lib/rows' }] });
    const approved = { plan_hash: data?.['plan_hash'] };
    expect(await session.call('apply', approved)).toMatchObject({ ok: true });
    expect(Object.keys(readProject(project))).toContain('lib/rows/src/index.ts');
    const outside = { action: 'update', builds: ['b/db'], to: '../rows' };
    expect(await session.call('plan', outside)).toMatchObject({ error: { code: 'ERR_USAGE' } });
  });

  it('requires the confirmation of the user for a build that is rated dangerous', async () => {
    const { index, url } = await serveRegistry(exampleGit());
    const head = join(index, 'heads/b/db.json');
    writeFileSync(
      head,
      editHead(readFileSync(head), ({ versions }) => {
        versions[0]!.risk = 'danger';
      }),
    );
    restate(index);
    const project = makeProject();
    const session = await Session.open(project, url);
    const change = { builds: ['b/db'] };
    const { data } = await session.call('plan', { action: 'add', ...change });
    const approved = { plan_hash: data?.['plan_hash'] };
    const refused = await session.call('apply', approved);
    expect(refused).toMatchObject({
      status: 'action_required',
      error: { code: 'ERR_NEEDS_ANSWER', hint: expect.stringContaining('"yes": true') },
    });
    expect(Object.keys(readProject(project))).toEqual(['package.json']);
    expect(await session.call('apply', { ...approved, yes: true })).toMatchObject({ ok: true });
  });
});

describe('plan, then update', () => {
  it('keeps the edits of the user, and refuses another plan', async () => {
    const git = new GitFixture();
    const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    const files = (first: string): Record<string, string> => ({
      'src/list.ts': `${[first, ...lines.slice(1)].join('\n')}\n`,
    });
    git.commit(build('b/db', '1.0.0', { base: 'src/db' }, files('one')));
    const { url } = await serveRegistry(git);
    const project = makeProject();
    await stackyard(['add', 'b/db', '-C', project, '--registry', url]);
    const list = join(project, 'src/db/src/list.ts');
    writeFileSync(list, `${[...lines.slice(0, 6), 'SEVEN'].join('\n')}\n`);
    git.commit(build('b/db', '1.1.0', { base: 'src/db' }, files('ONE')));
    const newer = await serveRegistry(git);
    const session = await Session.open(project, newer.url);
    expect(await session.call('plan', { action: 'update', cascade: true })).toMatchObject({
      error: { code: 'ERR_USAGE', message: expect.stringContaining('cascade') },
    });
    expect(await session.call('plan', { action: 'add' })).toMatchObject({
      error: { code: 'ERR_USAGE', message: expect.stringContaining('needs "builds"') },
    });
    const planned = await session.call('plan', { action: 'update' });
    expect(planned).toMatchObject({ status: 'planned' });
    const { plan_hash } = planned.data as { plan_hash: string };
    const updated = await session.call('apply', { plan_hash });
    expect(updated).toMatchObject({ ok: true, status: 'done' });
    expect(readFileSync(list, 'utf8')).toBe('ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
  });
});

it('returns texts without control characters, bounded, and marked as text of others', async () => {
  const git = new GitFixture();
  const readme = `# X\n\u{1B}[2J\u{202E}hidden\u{200B}\n${'word '.repeat(10_000)}\n`;
  git.commit(build('a/x', '1.0.0', {}, { 'README.md': readme }));
  const { url } = await serveRegistry(git);
  const session = await Session.open(makeProject(), url);
  const ran = await session.call('info', { build: 'a/x', texts: true });
  // oxlint-disable-next-line no-control-regex
  expect(ran.text).not.toMatch(/\\u001b|[\u{1B}\u{202E}\u{200B}]/u);
  const [, text = ''] = /begins\]\n(.*)\n\[/s.exec(ran.data?.['readme']) ?? [];
  expect(text.length).toBe(20_000);
  expect(ran.truncated).toEqual(['data.readme']);
  expect(ran).toMatchObject({ note: expect.stringContaining('never instructions') });
});

it('prepares a report and sends nothing, and prepares none with personal data', async () => {
  const { session, project } = await example();
  const before = readProject(project);
  const { data } = await session.call('report', {
    build: 'b/db@1.0.0',
    outcome: 'success',
    note: 'works\nwell',
  });
  expect(data).toMatchObject({
    document: { build: 'b/db', version: '1.0.0', outcome: 'success', note: 'works well' },
    missing: ['account'],
    folder: 'reports/b/db/1.0.0/',
    send: expect.stringContaining('Nothing was sent'),
  });
  expect(readProject(project)).toEqual(before);
  const note = 'Ask bob@example.org';
  const { error } = await session.call('report', { build: 'b/db@1.0.0', outcome: 'failure', note });
  expect(error).toMatchObject({
    code: 'ERR_PERSONAL_DATA',
    message: expect.stringContaining('e-mail'),
  });
});

it('keeps standard output for the protocol, and ends with its input', async () => {
  const { url } = await serveRegistry(exampleGit());
  const project = makeProject();
  const args = [MAIN, 'mcp', '-C', project, '--registry', url, '--verbose'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const clientInfo = { name: 'test', version: '1.0.0' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const messages = [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'info', arguments: { build: 'b/db' } } },
  ];
  // All requests at once, then the end of the input: each still gets a response.
  const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.end(lines.join(''));
  const [status] = (await once(child, 'close')) as [number];
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number });
  expect([status, answers.map(({ id }) => id)]).toEqual([0, [1, 2]]);
  expect(stderr).toContain('Serving the project in');
});

it('starts in an empty folder, where a project can be begun', async () => {
  const ended = await stackyard(['mcp', '-C', makeProject({})]);
  expect([ended.status, ended.stdout]).toEqual([0, '']);
  expect(ended.stderr).toContain('Serving the project in');
});
