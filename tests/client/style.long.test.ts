/** Files of builds in the style of the project: its own fixers run on a copy of it, and what they change is no edit of a person. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

const OURS = join(import.meta.dirname, '../../node_modules');
const OXFMT = { singleQuote: true, semi: false, printWidth: 60 };
const MANIFEST =
  '{\n  "name": "app",\n  "devDependencies": { "oxfmt": "*", "oxlint": "*", "eslint": "*" }\n}\n';

/** A shipped file of numbered functions, in the style of its publisher. */
function source(name: string, changes: Readonly<Record<number, string>> = {}): string {
  const all = Array.from({ length: 12 }, (_, at) => {
    const value = changes[at + 1] ?? `"${name}" + ${at + 1}`;
    return `export function ${name}${at + 1}(first: string, second: string): string {\n  return first + second + (${value});\n}\n`;
  });
  return all.join('\n');
}

const FILES_1_0 = Object.fromEntries(
  'abcdef'.split('').map((name) => [`src/${name}.ts`, source(name)]),
);
const FILES_1_1 = {
  ...FILES_1_0,
  'src/a.ts': source('a', { 3: '"three of 1.1"' }),
  'src/b.ts': source('b', { 9: '"nine of 1.1"' }),
  'src/c.ts': source('c', { 5: '"five of 1.1"' }),
};

async function published(): Promise<string> {
  const git = new GitFixture();
  git.commit(build('a/kit', '1.0.0', { base: 'lib', files: ['src/**'] }, FILES_1_0));
  git.commit(build('a/kit', '1.1.0', { base: 'lib', files: ['src/**'] }, FILES_1_1));
  return (await serveRegistry(git)).url;
}

/** A project with the formatter of this repository as its own. */
function formattedProject(): string {
  const project = makeProject({
    'package.json': MANIFEST,
    '.oxfmtrc.json': JSON.stringify(OXFMT),
    'src/own.ts': 'export const own = 1\n',
  });
  mkdirSync(join(project, 'node_modules'));
  // Its binary package is beside it.
  symlinkSync(join(OURS, 'oxfmt'), join(project, 'node_modules/oxfmt'));
  return project;
}

/** A program of the project's own `node_modules`, in place of eslint. */
function withEslint(project: string, code: string): string {
  const folder = join(project, 'node_modules/eslint');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"eslint","bin":{"eslint":"bin.cjs"}}');
  writeFileSync(
    join(folder, 'bin.cjs'),
    `const fs = require('node:fs'), path = require('node:path');\nconst files = process.argv.slice(2).filter((word) => word.endsWith('.ts'));\n${code}\n`,
  );
  writeFileSync(join(project, 'eslint.config.js'), 'export default [];\n');
  return project;
}

const APP = `import express from 'express'

const app = express()
app.get('/', (_req, res) => res.end())
app.listen(3000)
`;

/** A build whose guide creates a file, and puts a long line into the application. */
async function wiredBuild(): Promise<string> {
  const git = new GitFixture();
  for (const [version, more] of [
    ['1.0.0', ''],
    ['1.1.0', '\n     more: ["of", "1.1"],'],
  ]) {
    const guide = `## Steps

1. Create the file, and mount it:

   \`\`\`ts wire file src/hello.wire.ts
   import { a1 } from "../lib/src/index.js";

   export const hello = {
     greeting: "Hello",
     second: a1("first", "second"),
     third: "a line between the two",
     fourth: "and another line",${more}
   };
   \`\`\`

   \`\`\`ts wire import @express
   import { hello } from "./hello.wire.js";
   \`\`\`

   \`\`\`ts wire insert @express routes
   app.get("/hello", (_first, _second, third) => third(hello.greeting + hello.second));
   \`\`\`
`;
    const files = { 'INTEGRATION.md': guide, 'src/index.ts': source('a') };
    git.commit(build('a/hello', version!, { base: 'lib', files: ['src/**'] }, files));
  }
  return (await serveRegistry(git)).url;
}

function oxfmtAll(project: string, folder = 'lib'): void {
  const { status, stderr } = spawnSync(process.execPath, [join(OURS, 'oxfmt/bin/oxfmt'), folder], {
    cwd: project,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
}

function run(project: string, url: string, state: string, ...words: string[]) {
  return stackyard([...words, '-C', project, '--registry', url], { STACKYARD_STATE: state });
}

function textOf(project: string, path: string): string {
  return readFileSync(join(project, path), 'utf8');
}

describe('style of the project', () => {
  it('places formatted files, keeps the digest of the shipped ones, and removes them', async () => {
    const [url, project, state] = [await published(), formattedProject(), temporaryFolder()];
    const before = readProject(project);
    const added = await run(project, url, state, 'add', 'a/kit@1.0.0', '--style=project');
    expect([added.status, added.stderr]).toEqual([0, expect.stringContaining('oxfmt')]);
    expect(textOf(project, 'lib/src/a.ts')).toContain('(first: string, second: string): string {');
    expect(textOf(project, 'lib/src/a.ts')).toContain("'a' + 1");
    const lock = JSON.parse(textOf(project, 'stackyard.lock.json'));
    expect(lock.builds['a/kit'].placement.style).toBe('project');
    const locked = textOf(project, 'stackyard.lock.json');
    oxfmtAll(project, 'stackyard.lock.json');
    expect(textOf(project, 'stackyard.lock.json')).toBe(locked);
    const verified = await run(project, url, state, 'verify');
    expect([verified.status, verified.stdout]).toEqual([
      0,
      expect.stringContaining('all as installed'),
    ]);
    expect((await run(project, url, state, 'diff')).stdout).toBe('No difference\n');
    expect((await run(project, url, state, 'remove', 'a/kit')).status).toBe(0);
    expect(readProject(project)).toEqual(before);
  });

  it('merges an update after the fixers ran over everything, and keeps what a person changed', async () => {
    const [url, project, state] = [await published(), formattedProject(), temporaryFolder()];
    expect((await run(project, url, state, 'add', 'a/kit@1.0.0', '--style=shipped')).status).toBe(
      0,
    );
    oxfmtAll(project);
    // Beside the line that the new version changes.
    const edited = textOf(project, 'lib/src/b.ts').replace("'b' + 10", "'mine' + 10");
    writeFileSync(join(project, 'lib/src/b.ts'), edited);
    const shipped = await run(
      project,
      url,
      state,
      'update',
      'a/kit@1.1.0',
      '--style=shipped',
      '--dry-run',
    );
    expect([shipped.status, shipped.stderr]).toEqual([5, expect.stringContaining('lib/src/b.ts')]);
    expect(shipped.stderr).toContain('where only oxfmt changed these files, --style=project');
    const updated = await run(project, url, state, 'update', 'a/kit@1.1.0', '--style=project');
    expect([updated.status, updated.stdout]).toEqual([0, expect.stringContaining('lib/src/b.ts')]);
    expect(textOf(project, 'lib/src/a.ts')).toContain("'three of 1.1'");
    expect(textOf(project, 'lib/src/b.ts')).toContain("'nine of 1.1'");
    expect(textOf(project, 'lib/src/b.ts')).toContain("'mine'");
    const own = readProject(project);
    oxfmtAll(project);
    expect(readProject(project)).toEqual(own);
  });

  it('has rules ignored that cannot be fixed, and merges files with such a comment', async () => {
    const [url, state] = [await published(), temporaryFolder()];
    const project = withEslint(
      formattedProject(),
      `console.log(JSON.stringify(files.map((file) => {
        const text = fs.readFileSync(file, 'utf8');
        const isIgnored = text.includes('eslint-disable no-plus');
        const unresolved = ['error typed', '\`error\` type'].map((type) => ({ ruleId: 'no-unsafe-call', message: 'Unsafe call of a(n) ' + type + ' typed value.' }));
        return { filePath: path.resolve(file), messages: isIgnored || !file.includes('/c.') ? unresolved : [...unresolved, { ruleId: 'no-plus' }] };
      })));`,
    );
    const added = await run(
      project,
      url,
      state,
      'add',
      'a/kit@1.0.0',
      '--style=project',
      '--verbose',
    );
    expect([added.status, added.stdout]).toEqual([
      0,
      expect.stringContaining('not fixable, ignored: /* eslint-disable no-plus */'),
    ]);
    expect(textOf(project, 'lib/src/c.ts')).toMatch(
      /^\/\* eslint-disable no-plus \*\/\nexport function c1/,
    );
    expect(textOf(project, 'lib/src/a.ts')).toMatch(/^export function a1/);
    writeFileSync(
      join(project, 'lib/src/c.ts'),
      textOf(project, 'lib/src/c.ts').replace("'c' + 6", "'mine'"),
    );
    expect(
      (await run(project, url, state, 'update', 'a/kit@1.1.0', '--style=project')).status,
    ).toBe(0);
    expect(textOf(project, 'lib/src/c.ts')).toMatch(
      /^\/\* eslint-disable no-plus \*\/\nexport function c1/,
    );
    expect(textOf(project, 'lib/src/c.ts')).toContain("'mine'");
    expect(textOf(project, 'lib/src/c.ts')).toContain("'five of 1.1'");
  });

  it('names files that the linter of the project cannot read', async () => {
    const [url, state] = [await published(), temporaryFolder()];
    const project = withEslint(
      formattedProject(),
      `console.log(JSON.stringify(files.map((file) => ({ filePath: path.resolve(file), messages: [{ ruleId: null, fatal: true }] }))));`,
    );
    const added = await run(project, url, state, 'add', 'a/kit@1.0.0', '--style=project');
    const warned = 'The linter of the project cannot read lib/src/a.ts and 6 more of builds';
    expect([added.status, added.stderr]).toEqual([0, expect.stringContaining(warned)]);
    expect(textOf(project, 'lib/src/a.ts')).toContain("'a' + 1");
  });

  it('runs nothing that nobody agreed to', async () => {
    const [url, state] = [await published(), temporaryFolder()];
    const project = withEslint(formattedProject(), 'process.exit(9)');
    const added = await run(project, url, state, 'add', 'a/kit@1.0.0');
    expect(added.status).toBe(0);
    expect(textOf(project, 'lib/src/a.ts')).toBe(FILES_1_0['src/a.ts']);
  });

  it.each([
    ['crashes', 'console.error("Oops"); process.exit(2)', 'ended with status 2: Oops'],
    [
      'needs the network',
      `fetch('http://127.0.0.1:9').catch((error) => { console.error(error.message); process.exit(3) })`,
      'ended with status 3: fetch failed',
    ],
    [
      'writes nonsense',
      `for (const file of files) fs.writeFileSync(file, 'x')`,
      'rewrote lib/src/a.ts as another text',
    ],
    ['removes files', `fs.rmSync(files[1])`, 'removed lib/src/b.ts'],
    [
      'changes other files',
      `fs.writeFileSync('src/own.ts', '')`,
      'changed src/own.ts, which it was not asked to',
    ],
  ])('uses the shipped form and names the reason where a fixer %s', async (_, code, why) => {
    const [url, project, state] = [
      await published(),
      withEslint(formattedProject(), code),
      temporaryFolder(),
    ];
    const added = await run(project, url, state, 'add', 'a/kit@1.0.0', '--style=project');
    expect([added.status, added.stderr]).toEqual([
      0,
      expect.stringContaining(`eslint --fix ${why}`),
    ]);
    expect(textOf(project, 'lib/src/a.ts')).toBe(FILES_1_0['src/a.ts']);
    expect(textOf(project, 'src/own.ts')).toBe('export const own = 1\n');
  });

  it('brings what guides write into that style, where the file of the user has it', async () => {
    const [url, state] = [await wiredBuild(), temporaryFolder()];
    const clean = formattedProject();
    writeFileSync(
      join(clean, 'package.json'),
      MANIFEST.replace('"oxfmt"', '"express": "5.1.0", "oxfmt"'),
    );
    writeFileSync(join(clean, 'src/app.ts'), APP);
    const before = readProject(clean);
    const add = ['add', 'a/hello@1.0.0', '--wire', '--style=project', '--no-install'];
    const added = await run(clean, url, state, ...add);
    expect([added.status, added.stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    expect(textOf(clean, 'src/hello.wire.ts')).toContain("  greeting: 'Hello',\n");
    const placed = readProject(clean);
    expect(placed['src/app.ts']).toMatch(/app\.get\('\/hello', \(_first, _second, third\) =>\n/);
    for (const path of ['src', 'lib']) oxfmtAll(clean, path);
    expect(readProject(clean)).toEqual(placed);
    expect((await run(clean, url, state, 'verify')).status).toBe(0);
    // An edit of the user in the file that a step has created is merged with the next version.
    const edited = textOf(clean, 'src/hello.wire.ts').replace("'Hello'", "'Hello, all'");
    writeFileSync(join(clean, 'src/hello.wire.ts'), edited);
    const updated = await run(
      clean,
      url,
      state,
      'update',
      'a/hello@1.1.0',
      '--style=project',
      '--no-install',
    );
    expect([updated.status, updated.stderr]).toEqual([0, expect.any(String)]);
    expect(textOf(clean, 'src/hello.wire.ts')).toContain("'Hello, all'");
    expect(textOf(clean, 'src/hello.wire.ts')).toContain('more:');
    expect((await run(clean, url, state, 'undo')).status).toBe(0);
    writeFileSync(join(clean, 'src/hello.wire.ts'), placed['src/hello.wire.ts']!);
    expect((await run(clean, url, state, 'remove', 'a/hello', '--no-install')).status).toBe(0);
    expect(readProject(clean)).toEqual(before);
  });

  it('leaves the lines of guides as shipped in a file that has another style, and reports it', async () => {
    const [url, state, project] = [await wiredBuild(), temporaryFolder(), formattedProject()];
    writeFileSync(
      join(project, 'package.json'),
      MANIFEST.replace('"oxfmt"', '"express": "5.1.0", "oxfmt"'),
    );
    writeFileSync(join(project, 'src/app.ts'), APP.replace('const app', 'const  app'));
    const before = readProject(project);
    const add = ['add', 'a/hello@1.0.0', '--wire', '--style=project', '--no-install'];
    const added = await run(project, url, state, ...add);
    expect([added.status, added.stderr]).toEqual([
      0,
      expect.stringContaining('src/app.ts: the lines of the guides stay as they were shipped'),
    ]);
    expect(textOf(project, 'src/app.ts')).toContain('const  app');
    expect((await run(project, url, state, 'remove', 'a/hello', '--no-install')).status).toBe(0);
    expect(readProject(project)).toEqual(before);
  });
});
