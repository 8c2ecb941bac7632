/** The CLI of shadcn installs first-party modules from a served index, with the bytes that we publish. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, afterAll, expect, it } from 'vitest';
import { readTarball } from '../../format/archive/tarball.ts';
import { tarballPath } from '../../format/index/layout.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { findFreePort } from '../../tools/free-port.ts';
import { GitFixture, temporaryFolder } from '../generate/git-fixture.ts';
import { readRecord } from '../generate/index-reader.ts';
import { provideShadcn } from '../run/provide-shadcn.ts';

const BUILDS = join(import.meta.dirname, '../../builds/stackyard');
const MODULES = readdirSync(BUILDS).filter((name) => {
  const file = join(BUILDS, name, 'stackyard.json');
  if (!existsSync(file)) return false;
  return (JSON.parse(readFileSync(file, 'utf8')) as { kind: string }).kind === 'module';
});
/** They have files that users consent to, such as `test-database.ts`. */
const WITHOUT_ITEM = ['fastapi-sqlalchemy', 'postgres'];
const OFFERED = MODULES.filter((name) => !WITHOUT_ITEM.includes(name));

const run = promisify(execFile);
let program = '';
let address = '';
let index = '';
let close: () => void = () => undefined;

beforeAll(async () => {
  program = await provideShadcn();
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-shadcn-'));
  index = join(folder, 'index');
  const port = await findFreePort();
  address = `http://127.0.0.1:${port}`;
  const source = join(folder, 'registry');
  mkdirSync(source);
  const git = new GitFixture(source);
  for (const name of MODULES) {
    cpSync(join(BUILDS, name), join(git.folder, 'builds/stackyard', name), { recursive: true });
  }
  const config = { base_url: address, shadcn: true };
  git.commit({ 'registry.config.json': JSON.stringify(config) });
  await generate({ repo: git.folder, out: index });
  const server = await serveIndex(index, port);
  close = () => {
    server.close();
    rmSync(folder, { recursive: true });
  };
});
afterAll(() => close());

it.each(OFFERED)('shadcn add of stackyard/%s by address', async (name) => {
  const project = makeProject({});
  await add(project, `${address}/r/stackyard/${name}.json`);
  expect(installed(project)).toEqual(published(name));
});

it('shadcn add by namespace, one version', async () => {
  const name = 'account';
  const { version } = readRecord(index, `stackyard/${name}`);
  const project = makeProject({
    'components.json': JSON.stringify({
      style: 'new-york',
      // A name of a colour would be looked up at the site of shadcn.
      tailwind: { css: 'src/app.css', baseColor: '' },
      aliases: { components: '@/components', utils: '@/lib/utils' },
      registries: { '@stackyard': `${address}/r/stackyard/{name}.json` },
    }),
    'tsconfig.json': JSON.stringify({ compilerOptions: { paths: { '@/*': ['./src/*'] } } }),
    'src/app.css': '@import "tailwindcss";\n',
  });
  await add(project, `@stackyard/${name}@${version}`);
  const { 'src/app.css': css, ...files } = installed(project);
  expect(css).toBe('@import "tailwindcss";\n');
  expect(files).toEqual(published(name));
});

it('shadcn search lists the modules that have an item', async () => {
  const project = makeProject({});
  writeFileSync(
    join(project, 'components.json'),
    JSON.stringify({ registries: { '@yard': `${address}/r/{name}.json` } }),
  );
  const { stdout } = await shadcn(project, ['search', '@yard', '--json']);
  const { items } = JSON.parse(stdout) as { items: { name: string }[] };
  expect(items.map(({ name }) => name)).toEqual(OFFERED.map((name) => `stackyard/${name}`));
});

async function add(project: string, item: string): Promise<void> {
  const { stdout, stderr } = await shadcn(project, ['add', '--yes', item]);
  expect(stdout + stderr).toContain('# Integrate');
}

/** Without standard input it never asks. Packages are downloaded, and their scripts not run. */
function shadcn(project: string, args: string[]): Promise<{ stdout: string; stderr: string }> {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = {
    ...process.env,
    PATH,
    npm_config_ignore_scripts: 'true',
    npm_config_audit: 'false',
  };
  const running = run(process.execPath, [program, ...args], { cwd: project, env });
  running.child.stdin?.end();
  return running;
}

function makeProject(files: Readonly<Record<string, string>>): string {
  const project = temporaryFolder();
  for (const [path, text] of Object.entries({
    'package.json': '{ "private": true }\n',
    ...files,
  })) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  return project;
}

/** Path to content of the files in the project's folders `app` and `src`. */
function installed(project: string): Record<string, string> {
  const files = ['app', 'src']
    .map((folder) => join(project, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
    .sort();
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(project, path), 'utf8')]));
}

/** The same of the tarballs of a module and of those that it requires and that have an item. */
function published(name: string): Record<string, string> {
  const { manifest, version, files } = readRecord(index, `stackyard/${name}`);
  const paths = new Set(files.map(({ path }) => path));
  const entries = readTarball(readFileSync(join(index, tarballPath(`stackyard/${name}`, version))));
  const own = entries
    .filter(({ path }) => paths.has(path))
    .map(({ path, bytes }) => [`${manifest.base}/${path}`, Buffer.from(bytes).toString()]);
  const required = Object.keys(manifest.builds ?? {})
    .map((id) => id.slice(id.indexOf('/') + 1))
    .filter((one) => OFFERED.includes(one))
    .map(published);
  const all = Object.entries(Object.assign({}, ...required, Object.fromEntries(own)));
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))) as Record<string, string>;
}
