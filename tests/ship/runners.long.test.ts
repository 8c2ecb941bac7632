/**
 * The client that a registry serves, as the runners of npm, pnpm and bun start it for a user who has nothing: from an
 * empty folder, with an empty home, on the oldest and the newest Node.js.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { clientPackage } from '../../generator/client-package/client-package.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { serveChanged, serveFolder } from '../client/registry-fixture.ts';
import { makeOnce } from '../run/make-once.ts';
import { provideNode, runNpm } from '../run/provide-node.ts';

const run = promisify(execFile);
const PACKAGES = { pnpm: 'pnpm@10.34.9', bun: 'bun@1.4.5' };

type Runner = 'npx' | 'pnpm' | 'bunx';
const RUNNERS: readonly Runner[] = ['npx', 'pnpm', 'bunx'];
const NODES = ['22.12', '24'];

/** What users type before the words for the client. */
async function commandOf(runner: Runner, address: string): Promise<string[]> {
  if (runner === 'npx') return ['npx', '--yes', address];
  const home = await makeOnce(`runner-${runner}`, async (folder) => {
    const name = runner === 'pnpm' ? 'pnpm' : 'bun';
    const manifest = { private: true, allowScripts: { bun: true } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const options = ['--no-audit', '--no-fund', '--ignore-scripts=false'];
    await runNpm(folder, ['install', ...options, PACKAGES[name]]);
  });
  const program = join(home, 'node_modules/.bin', runner);
  return runner === 'pnpm'
    ? [program, 'dlx', address]
    : [program, '--package', address, 'stackyard'];
}

/** Nothing of this machine but programs. */
function emptyMachine(node: string): { env: Record<string, string>; folder: string } {
  const home = temporaryFolder();
  const path = `${dirname(node)}:${process.env['PATH']}`;
  const env = { HOME: home, PATH: path, TMPDIR: temporaryFolder(), NO_COLOR: '1' };
  return { env: { ...env, npm_config_update_notifier: 'false' }, folder: temporaryFolder() };
}

describe.each(NODES)('on Node.js %s', (version) => {
  it.each(RUNNERS)(
    '%s starts, adds and updates from the registry that served it',
    async (runner) => {
      const node = version === '24' ? process.execPath : await provideNode('22.12.0');
      const git = new GitFixture();
      const manifest = '{\n  "name": "base",\n  "version": "1.0.0"\n}\n';
      git.commit(build('a/base', '1.0.0', { kind: 'foundation' }, { 'package.json': manifest }));
      const guide = { 'INTEGRATION.md': '# Integrate\n' };
      const needs = { stack: { requires: { node: '>=22' } } };
      git.commit(build('b/db', '1.0.0', { base: 'src/db', ...needs }, guide));
      const index = join(temporaryFolder(), 'index');
      const client = await clientPackage();
      await generateDocuments({ repo: git.folder, out: index, threads: 1, client });
      const url = await serveFolder(index);

      const { env, folder } = emptyMachine(node);
      const [program = '', ...first] = await commandOf(runner, `${url}/client/stackyard.tgz`);
      const stackyard = async (...words: string[]): Promise<string> => {
        const args = [...first, ...words, '--no-install'];
        return (await run(program, args, { cwd: folder, env })).stdout;
      };
      const app = join(folder, 'app');
      await stackyard('new', 'a/base', 'app', '--allow', 'all');
      expect(readFileSync(join(app, 'stackyard.lock.json'), 'utf8')).toContain(url);
      const added = await stackyard('add', 'b/db', '-C', 'app');
      expect(added).toContain(`Next: ${[runner, ...first].join(' ')} info b/db --integration`);
      expect(readFileSync(join(app, 'src/db/src/index.ts'), 'utf8')).toContain("'1.0.0'");

      git.commit(build('b/db', '1.1.0', { base: 'src/db' }));
      await generateDocuments({ repo: git.folder, out: index, threads: 1, client });
      await stackyard('update', '-C', 'app');
      expect(readFileSync(join(app, 'src/db/src/index.ts'), 'utf8')).toContain("'1.1.0'");
    },
  );
});

it('without npm, curl and netrc fetch the client of a private registry, whose digest the registry states', async () => {
  const { index } = await generateRegistry();
  const expected = `Basic ${btoa('a:s3cr3t')}`;
  const url = await serveChanged(index, (request, response) => {
    const isKnown = request.headers.authorization === expected;
    if (!isKnown) response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="b"' }).end();
    return !isKnown;
  });
  const { env, folder } = emptyMachine(process.execPath);
  // curl knows a host by its name alone, and the client by its port as well.
  const entries = ['127.0.0.1', new URL(url).host].map(
    (host) => `machine ${host} login a password s3cr3t\n`,
  );
  writeFileSync(join(env['HOME']!, '.netrc'), entries.join(''), { mode: 0o600 });
  const { client } = JSON.parse(readFileSync(join(index, 'registry.json'), 'utf8')) as {
    client: { integrity: string };
  };
  const script = `curl --fail --silent --netrc -o stackyard.tgz "$ADDRESS/client/stackyard.tgz"
echo "$DIGEST  stackyard.tgz" | sha256sum --check --quiet
npx --yes ./stackyard.tgz new a/base app --allow all --no-install --registry "$ADDRESS"`;
  const digest = Buffer.from(client.integrity.replace('sha256-', ''), 'base64').toString('hex');
  await run('sh', ['-ec', script], { cwd: folder, env: { ...env, ADDRESS: url, DIGEST: digest } });
  expect(readFileSync(join(folder, 'app/stackyard.lock.json'), 'utf8')).toContain(url);
});

async function generateRegistry(): Promise<{ git: GitFixture; index: string }> {
  const git = new GitFixture();
  const manifest = '{\n  "name": "base",\n  "version": "1.0.0"\n}\n';
  git.commit(build('a/base', '1.0.0', { kind: 'foundation' }, { 'package.json': manifest }));
  const index = join(temporaryFolder(), 'index');
  await generateDocuments({
    repo: git.folder,
    out: index,
    threads: 1,
    client: await clientPackage(),
  });
  return { git, index };
}

it('npx on a Node.js that is too old ends with one clear sentence', async () => {
  const client = await clientPackage();
  const index = temporaryFolder();
  mkdirSync(join(index, 'client'));
  writeFileSync(join(index, 'client/stackyard.tgz'), client!.bytes);
  const url = await serveFolder(index);
  const { env, folder } = emptyMachine(process.execPath);
  // npm itself reads the version as well: only the program sees the old one.
  const old = join(folder, 'old.cjs');
  writeFileSync(
    old,
    `if (/stackyard/.test(process.argv[1])) Object.defineProperty(process.versions, 'node', { value: '20.11.1' });\n`,
  );
  const args = ['--yes', `${url}/client/stackyard.tgz`, 'list'];
  const options = { cwd: folder, env: { ...env, NODE_OPTIONS: `--require=${old}` } };
  const failed: unknown = await run('npx', args, options).catch((error: unknown) => error);
  expect(failed).toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      'error: stackyard needs Node.js 22.12 or newer, this is 20.11.1\n' +
      'hint: install a newer Node.js and run the command again\n',
  });
});
