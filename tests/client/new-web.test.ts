/** `new` with a front end: one repository, of which each part is a project of builds, with one command for both. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { readProject, serveRegistry, stackyard } from './registry-fixture.ts';

const run = promisify(execFile);
const DOCKERFILE = `FROM node:24-slim AS build
COPY package.json package-lock.json ./
RUN npm ci
COPY src ./src
`;
const CI =
  'jobs:\n  check:\n    timeout-minutes: 15\n    steps:\n      - run: npm test\n      - run: npm run build\n';

/** A package whose scripts print what they are, and `dev` until it is ended. */
function packageOf(name: string, dependencies: object): string {
  const print = (script: string): string => `node print.mjs ${name}-${script}`;
  const browser = name === 'pages' ? { 'test:browser': print('browser') } : {};
  const scripts = {
    dev: 'node dev-server.mjs',
    test: print('test'),
    build: print('build'),
    ...browser,
  };
  return JSON.stringify({ name, type: 'module', scripts, dependencies }, null, 2);
}

function filesOf(name: string, dependencies: object): Record<string, string> {
  return {
    'package.json': packageOf(name, dependencies),
    'print.mjs': "console.log(process.argv.slice(2).join(' '));\n",
    'dev-server.mjs': `console.log('${name} runs');\nsetInterval(() => {}, 1000);\n`,
  };
}

async function makeProject(...args: string[]): Promise<string> {
  const git = new GitFixture();
  const foundation = { kind: 'foundation', files: ['**'] };
  const api = {
    ...filesOf('api', { express: '^5.0.0' }),
    Dockerfile: DOCKERFILE,
    '.dockerignore': '*\n!src\n**/*.test.ts\n',
    '.env.example': 'PORT=3000\n',
    '.github/workflows/ci.yml': CI,
  };
  git.commit(build('a/api', '1.0.0', foundation, api));
  const web = { ...foundation, stack: { provides: ['web-app'] } };
  git.commit(build('a/pages', '1.0.0', web, filesOf('pages', { react: '^19.0.0' })));
  const module = (id: string, stack: object, more: object = {}): void => {
    git.commit(build(id, '1.0.0', { base: `src/${id.slice(2)}`, stack, ...more }));
  };
  const secret = { JWT_SECRET: { description: 'Signs tokens', required: true } };
  module('a/postgres', { provides: ['database', 'postgres'] });
  module('a/sqlite', { provides: ['database', 'sqlite'] });
  module('a/auth', { provides: ['auth'] }, { env: secret });
  module('a/mail', { provides: ['mail'] });
  module('a/ui', { requires: { react: '>=19' } });
  const { url } = await serveRegistry(git);
  const folder = temporaryFolder();
  const fixed = ['--allow', 'all', '--no-install', '-C', folder, '--registry', url];
  const ended = await stackyard(['new', 'a/api', 'shop', ...args, ...fixed]);
  expect([ended.status, ended.stderr]).toEqual([0, expect.stringContaining('')]);
  return join(folder, 'shop');
}

function idsOf(lock: string | undefined): string[] {
  return Object.keys((JSON.parse(lock ?? '{}') as { builds: object }).builds);
}

it('makes one repository with the pages in web/, whose tests run in CI, too', async () => {
  const project = await makeProject('--with', 'auth,postgres,mail,ui');
  const files = readProject(project);
  expect(idsOf(files['stackyard.lock.json'])).toEqual(['a/api', 'a/auth', 'a/mail', 'a/postgres']);
  expect(idsOf(files['web/stackyard.lock.json'])).toEqual(['a/pages', 'a/ui']);
  const root = JSON.parse(files['package.json']!) as object;
  expect(root).toMatchObject({
    workspaces: ['web'],
    scripts: { 'dev:api': 'node dev-server.mjs', dev: 'node dev.mjs' },
  });
  expect(JSON.parse(files['web/package.json']!)).toMatchObject({ name: 'shop-web' });
  expect(files['Dockerfile']).toContain(
    'package-lock.json ./\nCOPY web/package.json ./web/\nRUN npm ci\nCOPY src ./src\nCOPY web ./web\n',
  );
  expect(files['.dockerignore']).toBe('*\n!src\n!web\nweb/node_modules\nweb/dist\n**/*.test.ts\n');
  expect(files['.env.example']).toContain('\nPOSTGRES_PASSWORD=\n');
  const ci = parseDocument(files['.github/workflows/ci.yml']!).toJS() as object;
  expect(ci).toMatchObject({
    jobs: {
      check: {
        services: { postgres: { image: 'postgres:17', ports: ['5432:5432'] } },
        env: { DATABASE_URL: expect.stringContaining('@localhost:5432/') },
        steps: [{ run: 'npm test' }, { run: 'npm run build' }, { run: 'node --run test:browser' }],
      },
    },
  });
  const compose = parseDocument(files['compose.yaml']!);
  expect(compose.errors).toEqual([]);
  expect(compose.toJS()).toMatchObject({
    services: {
      app: { environment: { JWT_SECRET: '${JWT_SECRET:?set it in .env}', PORT: 3000 } },
      database: { image: 'postgres:17' },
    },
  });

  const scripts = ['test', 'test:browser', 'build'].map(async (name) => {
    const { stdout } = await run(process.execPath, ['--run', name], { cwd: project });
    return stdout.trim().split('\n');
  });
  expect(await Promise.all(scripts)).toEqual([
    ['api-test', 'pages-test'],
    ['pages-browser'],
    ['api-build', 'pages-build --outDir ../dist/web --emptyOutDir'],
  ]);
  const verified = ['.', 'web'].map(async (member) => {
    const { status, stdout } = await stackyard(['verify', '-C', project, '-w', member]);
    return [status, stdout];
  });
  expect(await Promise.all(verified)).toEqual([
    [0, expect.stringContaining('all as installed')],
    [0, expect.stringContaining('all as installed')],
  ]);
  // What the user writes there is seen.
  writeFileSync(join(project, 'Dockerfile'), `${files['Dockerfile']}USER 7\n`);
  const { status, stdout } = await stackyard(['verify', '--strict', '-C', project]);
  expect([status, stdout]).toEqual([10, expect.stringMatching(/^edited {2}Dockerfile /)]);
});

it('starts both with one command, and ends both when one ends', async () => {
  const project = await makeProject('--with', 'sqlite,a/pages');
  const ends =
    "console.log('pages run');\nprocess.stdin.on('data', () => {});\nsetTimeout(() => process.exit(3), 500);\n";
  writeFileSync(join(project, 'web/dev-server.mjs'), ends);
  const child = spawn(process.execPath, ['--run', 'dev'], { cwd: project });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  const [code] = (await once(child, 'close')) as [number];
  // Node.js answers 1 for each script that fails.
  expect(code).toBe(1);
  expect(
    printed
      .split('\n')
      .filter((line) => / runs?$/.test(line))
      .sort(),
  ).toEqual(['api runs', 'pages run']);
  expect(readFileSync(join(project, 'compose.yaml'), 'utf8')).toContain(
    "volumes: ['data:/app/data']",
  );
});
