/** The published package: its files, both Node.js versions, types, licences, the same bytes each time. */
import { isBuiltin } from 'node:module';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../tools/build.ts';
import { makeProject, readProject, serveRegistry } from '../client/registry-fixture.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { buildPackage, ended, installPacked, sharedFolder } from './packed-client.ts';
import { provideNode } from '../run/provide-node.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = sharedFolder();
let published: string;
let project: string;
/** Version to program. */
const nodes = new Map<string, string>([['24', process.execPath]]);

beforeAll(async () => {
  published = await buildPackage(folder);
  project = await installPacked(published, folder);
  nodes.set('22.12', await provideNode('22.12.0'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bin(): string {
  return join(project, 'node_modules/stackyard/dist/stackyard.mjs');
}

// The tests of the client run on the newer one.
describe.each(['22.12', '24'])('on Node.js %s', (version) => {
  it('prints its version and its help', async () => {
    const node = nodes.get(version)!;
    const result = await ended(node, [bin(), '--version'], project);
    const { version: own } = JSON.parse(readFileSync(join(ROOT, 'client/package.json'), 'utf8'));
    expect(result).toEqual({ status: 0, stdout: `${own}\n`, stderr: '' });
    const help = await ended(node, [bin(), '--help'], project);
    expect([help.status, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain('Usage: stackyard');
  });

  // In place of times: bytes of the parts that load. `add` loads no parser of code and no checks.
  it.each([
    ['--help', 120_000],
    ['--version', 120_000],
    ['add b/db --registry ./none', 2_400_000],
  ])('loads little for %s', (words, most) => {
    const noted = join(folder, `loaded ${words.replaceAll('/', ' ')} ${version}`);
    const env = { ...process.env, NODE_V8_COVERAGE: noted };
    spawnSync(nodes.get(version)!, [bin(), ...words.split(' ')], { cwd: project, env });
    const texts = readdirSync(noted).map((file) => readFileSync(join(noted, file), 'utf8'));
    const loaded = texts.flatMap(
      (text) => (JSON.parse(text) as { result: { url: string }[] }).result,
    );
    const files = loaded
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ url }) => new URL(url));
    const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(size).toBeGreaterThan(1_000);
    expect(size).toBeLessThan(most);
  });

  it('adds a build from a served index, edits the project and verifies', async () => {
    const node = nodes.get(version)!;
    const git = new GitFixture();
    git.commit(build('b/db', '1.0.0', { base: 'src/db', scripts: { seed: 'node seed.js' } }));
    const { url } = await serveRegistry(git);
    const target = makeProject();
    const args = [bin(), 'add', 'b/db', '-C', target, '--registry', url, '--json'];
    const added = await ended(node, args, project);
    const note = expect.stringMatching(/^note: Nobody signs a transparency log of \S+ .*\n$/);
    expect([added.status, added.stderr]).toEqual([0, note]);
    expect(JSON.parse(added.stdout)).toMatchObject({ schema: 'stackyard/add@1', status: 'done' });
    expect(Object.keys(readProject(target))).toContain('src/db/src/index.ts');
    expect(readProject(target)['package.json']).toContain('"seed": "node seed.js"');
    const verified = await ended(node, [bin(), 'verify', '-C', target], project);
    expect([verified.status, verified.stderr]).toEqual([0, '']);
  });

  it('serves agents', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const args = [bin(), 'mcp', '-C', makeProject()];
    const command = nodes.get(version)!;
    await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('plan');
    const answer = await client.callTool({ name: 'verify', arguments: {} });
    expect(answer).toMatchObject({ structuredContent: { error: { code: 'ERR_LOCK' } } });
    await client.close();
  });

  it('plans and applies as a library', async () => {
    const git = new GitFixture();
    git.commit(build('b/db', '1.0.0', { base: 'src/db' }));
    const { url } = await serveRegistry(git);
    const target = makeProject();
    writeFileSync(
      join(project, 'use.mjs'),
      `import { apply, plan, resolve } from 'stackyard';
       const prepared = await plan(process.argv[2], ['b/db'], { registry: process.argv[3] });
       const again = await plan(process.argv[2], ['b/db'], { registry: process.argv[3] });
       await apply(prepared);
       console.log(JSON.stringify({
         same: prepared.hash === again.hash,
         late: await apply(again).catch((error) => error.code),
         kind: resolve({ requests: [], heads: new Map(), missing: new Set(), locked: new Map(), stack: new Map() }).kind,
       }));`,
    );
    const result = await ended(nodes.get(version)!, ['use.mjs', target, url], project);
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toEqual({
      same: true,
      late: 'ERR_PROJECT_CHANGED',
      kind: 'solved',
    });
    expect(Object.keys(readProject(target))).toContain('src/db/src/index.ts');
  });
});

it('contains the expected files, and runs from any folder', async () => {
  const files = readdirSync(join(project, 'node_modules/stackyard'), { recursive: true });
  const parts = partsOf(join(project, 'node_modules/stackyard/dist'));
  const others = files.map(String).filter((file) => !parts.includes(file.replace('dist/', '')));
  expect(others.sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'dist/THIRD-PARTY-LICENSES',
    'dist/library.d.mts',
    'dist/library.mjs',
    'dist/stackyard.mjs',
    'package.json',
  ]);
  expect(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
  ).toEqual(['stackyard']);
  const manifest = JSON.parse(readFileSync(join(published, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  const alone = join(folder, 'alone');
  mkdirSync(alone);
  for (const name of ['stackyard.mjs', ...parts]) {
    copyFileSync(join(bin(), '..', name), join(alone, name));
  }
  const program = join(alone, 'stackyard.mjs');
  const result = await ended(process.execPath, [program, 'info', 'Nonsense'], folder);
  expect([result.status, result.stderr]).toEqual([2, expect.stringContaining('Cannot read build')]);
});

it('passes publint', async () => {
  const { messages, pkg } = await publint({ pkgDir: published, strict: true, pack: 'npm' });
  expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([]);
});

it('imports nothing but Node.js, in code and in types', () => {
  for (const file of ['stackyard.mjs', 'library.mjs', 'library.d.mts']) {
    const text = codeOf(join(published, 'dist', file));
    const imports = [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+["']([^"']+)/gm)];
    const requires = [...text.matchAll(/^(?:const|let|var) [^\n]*= require\(["']([^"'.][^"']*)/gm)];
    const names = [...imports, ...requires].map(([, name]) => name!);
    expect(names.filter((name) => !isBuiltin(name) && !name.startsWith('./'))).toEqual([]);
  }
});

it('is built to the same bytes again', async () => {
  const again = join(folder, 'again');
  await buildClient(again);
  for (const file of readdirSync(again)) {
    const [a, b] = [join(again, file), join(published, 'dist', file)];
    expect(readFileSync(a).equals(readFileSync(b)), file).toBe(true);
  }
});

it('contains the licence of each package that is in it', () => {
  const text = readFileSync(join(published, 'dist/THIRD-PARTY-LICENSES'), 'utf8');
  const bundled = codeOf(bin()).matchAll(
    /^\/\/ ?(?:#region )?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm,
  );
  const names = [...new Set([...bundled].map(([, name]) => name!))];
  expect(names).toEqual(expect.arrayContaining(['undici', 'zod']));
  for (const name of names) expect(text).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
});

it('reports which Node.js it needs on an older one', () => {
  // The check runs when the file is loaded, so the value that it reads is changed before.
  const fake = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'22.11.9'})`;
  const old = spawnSync(process.execPath, ['--import', fake, bin(), '--help'], {
    encoding: 'utf8',
  });
  expect([old.status, old.stdout]).toEqual([2, '']);
  expect(old.stderr).toBe(
    'error: stackyard needs Node.js 22.12 or newer, this is 22.11.9\n' +
      'hint: install a newer Node.js and run the command again\n',
  );
});

it('has traces that name functions', async () => {
  const target = makeProject();
  const args = [bin(), 'info', 'Nonsense', '--verbose', '-C', target];
  const { stderr } = await ended(process.execPath, args, project);
  expect(stderr).toMatch(/at parseRequest \(.*\/request\.mjs:\d+:\d+\)/);
});

const RESOLUTIONS = [
  ['nodenext', 'nodenext'],
  ['node16', 'node16'],
  ['preserve', 'bundler'],
] as const;

it.each(RESOLUTIONS)(
  'compiles in a project with module %s and resolution %s',
  (module, moduleResolution) => {
    writeFileSync(
      join(project, 'consumer.mts'),
      `import { StackyardError, apply, plan, resolve } from 'stackyard';
     import type { PreparedInstall, Resolution, ResolveInput } from 'stackyard';
     const input: ResolveInput = {
       requests: [{ id: 'a/b', range: '^1.0.0' }],
       heads: new Map(), missing: new Set(), locked: new Map(), stack: new Map(),
     };
     const resolution: Resolution = resolve(input);
     if (resolution.kind === 'solved') {
       for (const [id, { version, status }] of resolution.versions) console.log(id, version.length, status.is);
     }
     const prepared: PreparedInstall = await plan('.', ['a/b'], {
       onExists: ['skip', 'theirs:src/a.ts'], keep: ['zod'],
     });
     const first: string | undefined = prepared.plan.files[0]?.before;
     try { await apply(prepared); } catch (error) {
       if (error instanceof StackyardError) console.log(error.code, error.hint, first);
     }
     // @ts-expect-error a list of decisions
     await plan('.', [], { onExists: 'sometimes' });
    `,
    );
    const options = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--target', 'es2022'];
    const kind = ['--module', module, '--moduleResolution', moduleResolution];
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = [tsc, ...options, ...kind, ...types, 'consumer.mts'];
    const output = execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
    expect(output).toBe('');
  },
);

/** The files that the program loads. */
function partsOf(dist: string): string[] {
  return readdirSync(dist).filter((name) => /^(?!stackyard\.|library\.).*\.mjs$/.test(name));
}

/** The code of a built file; that of the program with its parts. */
function codeOf(file: string): string {
  const dist = join(file, '..');
  const parts = file.endsWith('stackyard.mjs') ? partsOf(dist) : [];
  const paths = [file, ...parts.map((name) => join(dist, name))];
  return paths.map((path) => readFileSync(path, 'utf8')).join('\n');
}
