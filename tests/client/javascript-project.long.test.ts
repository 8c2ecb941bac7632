/** A build in TypeScript in JavaScript projects: its types are removed, and everything else is about the files that the project has. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

function greeting(word: string, more = ''): string {
  return `import { readFileSync } from 'node:fs';
import type { Greeting } from './types.js';

/** What greets. */
export interface Greeter {
  readonly greet: (name: string) => Greeting;
}

/** Greets by name. */
export function greet(name: string): Greeting {
  const own: string = '${word}';
  return { text: \`\${own} \${name}\` };
}

/** How often it has greeted. */
export const counts: Record<string, number> = {};
${more}
export function ownName(): string {
  return (readFileSync(new URL('data:,x').href as never) as unknown as string) ?? '';
}
`;
}

const GUIDE = `# Integrate

## Steps

1. **\`src/greet.wire.ts\`**: create it, and mount the route.

   \`\`\`ts wire file src/greet.wire.ts
   import type { Application, Request } from 'express';
   import { greet } from './greet/index.js';

   export function mountGreetings(app: Application): void {
     app.get('/greet', (req: Request, res) => res.json(greet('you')));
   }
   \`\`\`

   \`\`\`ts wire import @express
   import { mountGreetings } from './greet.wire.js';
   \`\`\`

   \`\`\`ts wire insert @express routes
   mountGreetings(app);
   \`\`\`
`;

const OPTIONS = {
  base: 'src/greet',
  files: ['*.ts'],
  stack: { requires: { express: '*', typescript: '*' } },
  devDependencies: { npm: { '@types/node': '>=20' } },
};

function files(word: string, more?: string) {
  return {
    'index.ts':
      "export { counts, greet } from './greeting.js';\nexport type { Greeting } from './types.js';\n",
    'greeting.ts': greeting(word, more),
    'types.ts':
      '/** What it answers. */\nexport interface Greeting {\n  readonly text: string;\n}\n',
    'INTEGRATION.md': GUIDE,
  };
}

async function published(): Promise<string> {
  const git = new GitFixture();
  git.commit(build('a/greet', '1.0.0', OPTIONS, files('Hello')));
  git.commit(
    build('a/greet', '1.1.0', OPTIONS, files('Welcome', '\nexport const more: number = 1;\n')),
  );
  return (await serveRegistry(git)).url;
}

const ES_APP =
  "import express from 'express';\n\nconst app = express();\n\napp.get('/', (req, res) => res.json({}));\n\nexport default app;\n";
const CJS_APP =
  "const express = require('express');\n\nconst app = express();\n\napp.get('/', (req, res) => res.json({}));\n\nmodule.exports = app;\n";
const FORMS = [
  ['ES modules', { type: 'module' }, ES_APP, "import { mountGreetings } from './greet.wire.js';"],
  ['CommonJS', {}, CJS_APP, "const { mountGreetings } = require('./greet.wire.js');"],
] as const;

function project(type: object, app: string): string {
  const manifest = { name: 'app', ...type, dependencies: { express: '^5.0.0' } };
  return makeProject({
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'src/app.js': app,
  });
}

function run(folder: string, url: string, ...words: string[]) {
  const lasting = ['remove', 'undo', 'add', 'update', 'install'].includes(words[0]!)
    ? ['--no-install']
    : [];
  return stackyard([
    ...words,
    ...(words[0] === 'undo' ? [] : lasting),
    '-C',
    folder,
    '--registry',
    url,
  ]);
}

function textOf(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

describe.each(FORMS)('a project in %s', (kind, type, app, imported) => {
  it('gets JavaScript that runs, with its steps, and nothing of TypeScript', async () => {
    const [url, folder] = [await published(), project(type, app)];
    const before = readProject(folder);
    const added = await run(folder, url, 'add', 'a/greet@1.0.0', '--wire');
    expect([added.status, added.stdout]).toEqual([
      0,
      expect.stringContaining(`types are removed (${kind})`),
    ]);
    expect(existsSync(join(folder, 'src/greet/greeting.ts'))).toBe(false);
    expect(textOf(folder, 'src/greet/greeting.js')).toContain('/** Greets by name. */\n');
    expect(textOf(folder, 'src/greet/greeting.js')).not.toMatch(/interface|: string|What greets/);
    expect(textOf(folder, 'package.json')).not.toContain('@types');
    expect(textOf(folder, 'src/app.js')).toContain(imported);
    const main =
      kind === 'CommonJS'
        ? "const { greet } = require('./src/greet/index.js')"
        : "import { greet } from './src/greet/index.js'";
    const ran = spawnSync(
      process.execPath,
      [
        '--input-type',
        kind === 'CommonJS' ? 'commonjs' : 'module',
        '-e',
        `${main}; console.log(greet('you').text)`,
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    expect([ran.stdout, ran.stderr]).toEqual(['Hello you\n', '']);
    expect((await run(folder, url, 'verify')).stdout).toContain('all as installed');
    expect((await run(folder, url, 'diff')).stdout).toBe('No difference\n');
    const removed = await run(folder, url, 'remove', 'a/greet');
    expect([removed.status, readProject(folder)]).toEqual([0, before]);
    expect((await run(folder, url, 'undo')).status).toBe(0);
    expect((await run(folder, url, 'verify')).stdout).toContain('all as installed');
  });

  it('merges an update with edits, and restores what is missing', async () => {
    const [url, folder] = [await published(), project(type, app)];
    expect((await run(folder, url, 'add', 'a/greet@1.0.0')).status).toBe(0);
    const path = join(folder, 'src/greet/greeting.js');
    writeFileSync(path, readFileSync(path, 'utf8').replace('counts = {}', 'counts = { mine: 1 }'));
    const verified = await run(folder, url, 'verify');
    expect([verified.status, verified.stdout]).toEqual([
      0,
      expect.stringContaining('edited  src/greet/greeting.js'),
    ]);
    expect((await run(folder, url, 'diff')).stdout).toContain(
      '-' + (kind === 'CommonJS' ? '' : 'export ') + 'const counts = {};',
    );
    const updated = await run(folder, url, 'update', 'a/greet@1.1.0');
    expect([updated.status, updated.stderr]).toEqual([0, '']);
    expect(textOf(folder, 'src/greet/greeting.js')).toContain('counts = { mine: 1 }');
    expect(textOf(folder, 'src/greet/greeting.js')).toContain("'Welcome'");
    expect(textOf(folder, 'src/greet/greeting.js')).toContain('more = 1');
    rmSync(join(folder, 'src/greet/index.js'));
    expect((await run(folder, url, 'install')).status).toBe(0);
    expect(existsSync(join(folder, 'src/greet/index.js'))).toBe(true);
  });
});

it('names the file and the reason where a build cannot be JavaScript', async () => {
  const git = new GitFixture();
  git.commit(
    build('a/states', '1.0.0', OPTIONS, { 'state.ts': 'export enum State {\n  On,\n}\n' }),
  );
  const { url } = await serveRegistry(git);
  const folder = project({}, CJS_APP);
  const before = readProject(folder);
  const added = await run(folder, url, 'add', 'a/states');
  expect([added.status, added.stderr]).toEqual([
    4,
    expect.stringContaining(
      'its "state.ts" cannot be JavaScript in this project, as it has an enum',
    ),
  ]);
  expect(readProject(folder)).toEqual(before);
});

it('leaves a project with TypeScript its types', async () => {
  const [url, folder] = [
    await published(),
    project({ type: 'module', devDependencies: { typescript: '^5.0.0' } }, ES_APP),
  ];
  expect((await run(folder, url, 'add', 'a/greet@1.0.0')).status).toBe(0);
  expect(existsSync(join(folder, 'src/greet/greeting.ts'))).toBe(true);
});

describe('a TypeScript project with Next.js', () => {
  const ROUTE_GUIDE = `# Integrate

## Steps

1. **The route file**: create it.

   \`\`\`ts wire file @next/greet/route.ts
   import { greet } from './greet/index.js';

   export const GET = () => Response.json(greet('you'));
   \`\`\`
`;

  it('gets imports without endings, also in the route file, and is as it was after remove', async () => {
    const git = new GitFixture();
    const options = {
      ...OPTIONS,
      stack: { requires: { next: '>=14', typescript: '*' } },
      scripts: { greet: 'node dist/greet.js' },
    };
    const own = { 'INTEGRATION.md': ROUTE_GUIDE };
    git.commit(build('a/greet', '1.0.0', options, { ...files('Hello'), ...own }));
    git.commit(build('a/greet', '1.1.0', options, { ...files('Welcome'), ...own }));
    const { url } = await serveRegistry(git);
    const packages = { next: '15.4.0', typescript: '5.9.3' };
    const folder = makeProject({
      'package.json': `${JSON.stringify({ name: 'app', dependencies: packages }, null, 2)}\n`,
      'app/layout.tsx': 'export default function Layout({ children }) {\n  return children;\n}\n',
    });
    const before = readProject(folder);
    const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
    const added = await run(
      folder,
      url,
      'add',
      'a/greet@1.0.0',
      '--wire',
      '--yes',
      '--allow',
      'all',
    );
    expect(added.status).toBe(0);
    expect(read('src/greet/index.ts')).toContain("from './greeting';");
    expect(read('src/greet/greeting.ts')).toContain("import type { Greeting } from './types';");
    expect(read('app/greet/route.ts')).toContain("from '../../src/greet/index';");
    expect(read('package.json')).not.toContain('dist/greet.js');
    expect((await run(folder, url, 'verify')).status).toBe(0);
    expect((await run(folder, url, 'update', 'a/greet@1.1.0', '--yes')).status).toBe(0);
    expect(read('src/greet/greeting.ts')).toContain("'Welcome'");
    expect(read('src/greet/greeting.ts')).toContain("from './types';");
    expect((await run(folder, url, 'remove', 'a/greet', '--yes')).status).toBe(0);
    expect(readProject(folder)).toEqual(before);
  });
});

describe('a project in TypeScript that ts-node runs as CommonJS', () => {
  const made = (more: object = {}): string =>
    makeProject({
      'package.json': JSON.stringify({
        name: 'app',
        ...more,
        dependencies: { express: '^5.0.0' },
        devDependencies: { 'ts-node': '^10.9.0', typescript: '^5.0.0' },
      }),
      'tsconfig.json': '{ "compilerOptions": { "module": "commonjs" } }\n',
      'src/app.ts': ES_APP,
    });

  it('gets imports without ending, which ts-node finds, in files and steps; an update merges them', async () => {
    const [url, folder] = [await published(), made()];
    const before = readProject(folder);
    const added = await run(folder, url, 'add', 'a/greet@1.0.0', '--wire');
    expect([added.status, added.stdout]).toEqual([
      0,
      expect.stringContaining('imports have no ending'),
    ]);
    expect(textOf(folder, 'src/greet/index.ts')).toContain("from './greeting';");
    expect(textOf(folder, 'src/greet/greeting.ts')).toContain("type { Greeting } from './types';");
    expect(textOf(folder, 'src/greet.wire.ts')).toContain("from './greet/index';");
    expect(textOf(folder, 'src/app.ts')).toContain("from './greet.wire';");
    expect((await run(folder, url, 'verify')).stdout).toContain('all as installed');
    expect((await run(folder, url, 'diff')).stdout).toBe('No difference\n');
    const updated = await run(folder, url, 'update', 'a/greet@1.1.0');
    expect([updated.status, updated.stderr]).toEqual([0, '']);
    expect(textOf(folder, 'src/greet/greeting.ts')).toContain("from './types';");
    expect(textOf(folder, 'src/greet/greeting.ts')).toContain("'Welcome'");
    expect((await run(folder, url, 'remove', 'a/greet')).status).toBe(0);
    expect(readProject(folder)).toEqual(before);
  });

  it('gets them as shipped where its modules are ES modules', async () => {
    const [url, folder] = [await published(), made({ type: 'module' })];
    expect((await run(folder, url, 'add', 'a/greet@1.0.0', '--wire')).status).toBe(0);
    expect(textOf(folder, 'src/greet/index.ts')).toContain("from './greeting.js';");
  });
});
