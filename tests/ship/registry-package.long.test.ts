/** The package of the generator: few dependencies, the same index as from the sources, on both Node.js versions. */
import { execFile, spawn } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientPackage } from '../../generator/client-package/client-package.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { provideNode } from '../run/provide-node.ts';
import { sharedFolder } from './packed-client.ts';
import { installRegistry, packRegistry } from './packed-registry.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const folder = sharedFolder();
let [program, home, installed] = ['', '', ''];

beforeAll(async () => {
  const packed = await installRegistry(folder);
  ({ program, home } = packed);
  installed = join(packed.project, 'node_modules/stackyard-registry');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the package with an empty home. */
async function stackyardRegistry(args: readonly string[], node = process.execPath) {
  const PATH = `${dirname(node)}:${process.env['PATH']}`;
  return run(node, [program, ...args], { cwd: folder, env: { ...emptyEnv(), PATH } });
}

function emptyEnv(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, HOME: home };
}

describe.each(['22.14.0', '24'])('on Node.js %s', (version) => {
  it('makes the same index as the sources, with one thread and with several', async () => {
    const node = version === '24' ? process.execPath : await provideNode(version);
    const git = new GitFixture();
    git.commit({ ...build('a/x', '1.0.0'), ...build('b/y', '1.0.0') });
    git.commit(build('a/x', '1.1.0', {}, { 'src/index.ts': 'export default eval(input);\n' }));
    const expected = join(temporaryFolder(), 'index');
    await generate({ repo: git.folder, out: expected, threads: 1, client: await clientPackage() });
    for (const threads of ['1', '2']) {
      const out = join(temporaryFolder(), 'index');
      const args = ['generate', '--repo', git.folder, '--out', out, '--threads', threads];
      expect((await stackyardRegistry(args, node)).stdout).toContain('(full run)');
      expect(readTree(out)).toEqual(readTree(expected));
      expect((await stackyardRegistry(args, node)).stdout).toContain('0 written');
    }
  });
});

it('serves a home page with a style sheet, a typeface and a module, and a page of each build', async () => {
  const git = new GitFixture();
  const text = '# a/x\n\n```ts\nconst a = 1;\n```\n';
  git.commit(build('a/x', '1.0.0', {}, { 'README.md': text }));
  const out = join(temporaryFolder(), 'index');
  const args = [program, 'serve', '--repo', git.folder, '--out', out, '--port', '0'];
  const child = spawn(process.execPath, args, {
    env: emptyEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let printed = '';
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      if (printed.includes('In a project')) break;
    }
    const [address] = /http:\/\/[\d.:]+/.exec(printed) ?? [];
    const page = await (await fetch(`${address}/`)).text();
    const loaded = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(
      ([, path]) => path!,
    );
    const endings = loaded.map((path) => path.slice(path.lastIndexOf('.') + 1));
    expect(new Set(endings)).toEqual(new Set(['css', 'js', 'svg', 'woff2']));
    for (const path of loaded) expect((await fetch(`${address}/${path}`)).status).toBe(200);
    const own = await (await fetch(`${address}/builds/a/x/`)).text();
    expect(own).toContain('<span class="tk">const</span>');
  } finally {
    child.kill();
  }
});

it('has every program, whose help names it as users call it', async () => {
  const { stdout } = await stackyardRegistry(['--help']);
  const names = [...stdout.matchAll(/^ {2}([a-z:]+) {2,}/gm)].map(([, name]) => name!);
  expect(names).toEqual(
    expect.arrayContaining(['generate', 'gate', 'ingest', 'serve', 'deploy', 'audit']),
  );
  for (const name of names) {
    const help = (await stackyardRegistry([name, '--help'])).stdout;
    expect(help).toMatch(new RegExp(`^Usage: stackyard-registry ${name}( |$)`, 'm'));
    expect(help).not.toMatch(/npm (?:run|start|test)/);
  }
});

it('makes a registry with the workflows of its templates', async () => {
  const made = join(temporaryFolder(), 'registry');
  const software = await packRegistry();
  await stackyardRegistry(['init', made, '--admin', 'alice:1', '--software', software]);
  for (const path of ['README.md', '.github/workflows/publish.yml', '.stackyard/install.mjs']) {
    expect(readFileSync(join(made, path), 'utf8')).not.toBe('');
  }
});

it('refuses an unknown program', async () => {
  const failed: unknown = await stackyardRegistry(['publish']).catch((error: unknown) => error);
  expect(failed).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Command "publish" is unknown'),
  });
});

it('needs only the packages that it declares, in the versions that are tested', () => {
  const own = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    engines: unknown;
  };
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; engines?: unknown }>;
  };
  for (const [name, version] of Object.entries(own.dependencies)) {
    expect(lock.packages[`node_modules/${name}`]).toMatchObject({ version });
  }
  expect(own.engines).toEqual(lock.packages['']?.engines);
  const names = new Set<string>();
  for (const file of readdirSync(join(installed, 'dist')).filter((name) => name.endsWith('.mjs'))) {
    const text = readFileSync(join(installed, 'dist', file), 'utf8');
    for (const [, name] of text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s*"([^."][^"]*)"/gm)) {
      if (!isBuiltin(name!)) names.add(name!);
    }
    expect(text).not.toContain(ROOT);
  }
  expect(Object.keys(own.dependencies)).toEqual(expect.arrayContaining([...names]));
});

it('contains the licence of each package that is in it, and passes publint', async () => {
  const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES'), 'utf8');
  for (const name of ['@aws-sdk/client-s3', '@fontsource-variable/geist', 'diff', 'hono', 'zod']) {
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
  }
  const { messages, pkg } = await publint({ pkgDir: installed, strict: true, pack: false });
  expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([]);
});
