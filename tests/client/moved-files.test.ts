/**
 * Projects in which the user moved, renamed, deleted and swapped files of builds, before and between updates: after each update the
 * project compiles and every edit is where its file went.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  BEFORE_MODULES,
  ourRegistry,
  projectEnvironment,
  runIn,
} from '../foundations/our-registry.ts';
import { installOnce } from '../run/install-once.ts';
import { runNpm } from '../run/provide-node.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { readProject, stackyard } from './registry-fixture.ts';

const EXPRESS = 'stackyard/express-api';
const HONO = 'stackyard/hono-api';
const registry = ourRegistry(BEFORE_MODULES);
/** The packages of all projects, of the newest versions. */
let packages = '';

interface Step {
  /** What to update; without it, all. */
  readonly update?: readonly string[];
  /** Old path or folder to new one; imports of moved files follow, as in an editor. */
  readonly move?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly add?: Readonly<Record<string, string>>;
  /** Path to a text in it and what takes its place; the empty text is the end. */
  readonly edit?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  /** Texts that files have after the update. */
  readonly has?: Readonly<Record<string, string | RegExp>>;
  /** Paths that the project does not have after the update. */
  readonly without?: readonly string[];
  readonly prints?: string;
}

interface Case {
  readonly start: readonly string[];
  readonly steps: readonly Step[];
}

const NOTE = '// A note of the user.\n';

/** What a user takes out with the example. */
const EXAMPLE_EDITS = {
  'src/routes.ts': [
    ["import { createExampleRouter } from './features/example/router.js';\n", ''],
    ["    { prefix: '/example', router: createExampleRouter() },\n", ''],
  ],
} as const;

const CASES: Readonly<Record<string, Case>> = {
  'a folder that moved into another one': {
    start: [`${EXPRESS}@1.1.0`],
    steps: [
      {
        move: { 'src/http': 'src/lib/http' },
        has: { 'src/lib/http/cursor.ts': 'cursor', 'src/app.ts': './lib/http/security-headers.js' },
        without: ['src/http'],
        prints: 'src/lib/http: you moved 6 files of src/http here',
      },
    ],
  },
  'all sources in another folder': {
    start: [`${EXPRESS}@1.1.0`],
    steps: [
      {
        move: { src: 'server' },
        edit: {
          'tsconfig.json': [['"src"', '"server"']],
          'tsconfig.build.json': [['"src', '"server']],
          'package.json': [['src/dev.ts', 'server/dev.ts']],
        },
        has: { 'server/shutdown.ts': 'export', 'server/app.ts': './http/security-headers.js' },
        without: ['src'],
      },
    ],
  },
  'single files that were renamed and edited': {
    start: [`${EXPRESS}@1.1.0`],
    steps: [
      {
        move: {
          'src/http/cors.ts': 'src/http/cross-origin.ts',
          'src/logger.ts': 'src/log/pino.ts',
          'src/http/error-handler.ts': 'src/errors/answer-errors.ts',
        },
        edit: { 'src/http/cross-origin.ts': [['', NOTE]], 'src/log/pino.ts': [['', NOTE]] },
        has: {
          'src/http/cross-origin.ts': NOTE,
          'src/log/pino.ts': NOTE,
          'src/app.ts': './errors/answer-errors.js',
        },
        without: ['src/http/cors.ts', 'src/logger.ts', 'src/http/error-handler.ts'],
      },
    ],
  },
  'swapped names': {
    start: [`${EXPRESS}@1.1.0`],
    steps: [
      {
        move: {
          'src/http/cors.ts': 'src/http/parse-json.ts',
          'src/http/parse-json.ts': 'src/http/cors.ts',
        },
        has: { 'src/http/parse-json.ts': 'export function cors', 'src/http/cors.ts': 'parseJson' },
      },
    ],
  },
  'names that differ in case alone': {
    start: [`${EXPRESS}@1.1.0`],
    steps: [
      {
        move: { 'src/http/cors.ts': 'src/http/CORS.ts', 'src/logger.ts': 'src/Logger.ts' },
        edit: { 'src/Logger.ts': [['', NOTE]] },
        has: { 'src/Logger.ts': NOTE, 'src/app.ts': './http/CORS.js' },
        without: ['src/http/cors.ts', 'src/logger.ts'],
      },
    ],
  },
  'a file that moved and left its name to another one': {
    start: [`${EXPRESS}@1.1.0`],
    steps: [
      {
        move: { 'src/logger.ts': 'src/log/logger.ts' },
        add: { 'src/logger.ts': "export * from './log/logger.js';\n" },
        has: { 'src/logger.ts': "export * from './log/logger.js';" },
      },
    ],
  },
  'a folder that moved before each update': {
    start: [`${EXPRESS}@1.0.0`],
    steps: [
      {
        update: [`${EXPRESS}@1.1.0`],
        move: { 'src/http': 'src/web' },
        edit: { 'src/web/cors.ts': [['', NOTE]] },
        has: { 'src/web/cors.ts': NOTE },
        without: ['src/http'],
      },
      {
        move: { 'src/web': 'src/lib/transport' },
        has: { 'src/lib/transport/cors.ts': NOTE, 'src/lib/transport/cursor.ts': 'cursor' },
        without: ['src/http', 'src/web'],
      },
    ],
  },
  'an example that was deleted': {
    start: [`${EXPRESS}@1.1.0`],
    steps: [
      {
        remove: ['src/features/example'],
        edit: EXAMPLE_EDITS,
        without: ['src/features'],
        has: { 'src/routes.ts': /export function createRoutes.*One entry for each feature/s },
        prints: 'src/features: you deleted this folder',
      },
    ],
  },
  'modules in other folders, and one of them edited': {
    start: [HONO, 'stackyard/account-hono@1.0.0'],
    steps: [
      {
        move: { 'src/sqlite': 'src/storage/sqlite', 'src/account': 'src/users/account' },
        edit: { 'src/users/account/me.ts': [['', NOTE]] },
        has: { 'src/users/account/me.ts': NOTE },
        without: ['src/sqlite', 'src/account'],
      },
    ],
  },
  'a file that was deleted with its uses': {
    start: [`${EXPRESS}@1.1.0`],
    steps: [
      {
        remove: ['src/http/cors.ts'],
        edit: {
          'src/app.ts': [
            ["import { cors } from './http/cors.js';\n", ''],
            ['  if (config.CORS_ORIGINS.length > 0) app.use(cors(config.CORS_ORIGINS));\n', ''],
          ],
        },
        has: { 'src/app.ts': 'security-headers' },
        without: ['src/http/cors.ts'],
        prints: 'src/http/cors.ts: you deleted it and the new version changed it: it stays deleted',
      },
    ],
  },
  'a file of a module that moved and was edited': {
    start: [`${EXPRESS}@2.0.0`, 'stackyard/account@2.0.0'],
    steps: [
      {
        move: { 'src/account/passwords.ts': 'src/security/passwords.ts' },
        edit: { 'src/security/passwords.ts': [['', NOTE]] },
        has: { 'src/security/passwords.ts': NOTE },
        without: ['src/account/passwords.ts'],
      },
    ],
  },
  'a required module that moved, with those that import it in place': {
    start: [`${EXPRESS}@2.0.0`, 'stackyard/account@2.1.0'],
    steps: [
      {
        move: { 'src/sqlite': 'src/lib/db' },
        update: ['stackyard/sqlite'],
        without: ['src/sqlite'],
      },
      {
        update: ['stackyard/account'],
        has: { 'src/account/index.ts': 'export' },
        without: ['src/sqlite'],
      },
    ],
  },
};

beforeAll(async () => {
  packages = await installOnce('moved-files-packages', async (folder) => {
    const projects = [
      [`${EXPRESS}@1.1.0`],
      [HONO, '--with', 'stackyard/account-hono'],
      [EXPRESS, '--with', 'stackyard/account'],
    ];
    const dependencies = {};
    for (const [at, [foundation = '', ...modules]] of projects.entries()) {
      const args = [foundation, `all-${at}`, ...modules, '--allow', 'all', '--no-install'];
      await registry.stackyard('new', ...args);
      const text = readFileSync(join(registry.folder(), `all-${at}/package.json`), 'utf8');
      const manifest = JSON.parse(text) as Record<string, object>;
      Object.assign(dependencies, manifest['dependencies'], manifest['devDependencies']);
    }
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, type: 'module', dependencies }),
    );
    await runNpm(folder, ['install', '--ignore-scripts', '--no-audit', '--no-fund']);
  });
}, 600_000);

describe('update', () => {
  test.each(Object.entries(CASES))('%s', { timeout: 300_000 }, async (_, { start, steps }) => {
    const project = await startProject(start);
    for (const step of steps) {
      await followStep(project, step);
      expect(compile(project)).toBe('');
    }
  });
});

async function startProject([foundation = '', ...modules]: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  const made = modules.length === 0 ? [] : ['--with', modules.join(',')];
  const args = ['new', foundation, 'app', ...made, '--allow', 'all', '--no-install', '-C', folder];
  await runClient(args);
  return join(folder, 'app');
}

async function followStep(project: string, step: Step): Promise<void> {
  moveFiles(project, step.move ?? {});
  for (const [path, text] of Object.entries(step.add ?? {})) {
    writeFileSync(join(project, path), text);
  }
  for (const path of step.remove ?? []) rmSync(join(project, path), { recursive: true });
  for (const [path, edits] of Object.entries(step.edit ?? {})) {
    let text = readFileSync(join(project, path), 'utf8');
    for (const [old, now] of edits) {
      expect(text).toContain(old);
      text = old === '' ? text + now : text.replace(old, now);
    }
    writeFileSync(join(project, path), text);
  }
  const args = ['update', ...(step.update ?? []), '--latest', '--allow', 'all', '--no-install'];
  const printed = await runClient([...args, '-C', project]);
  expect(printed).toContain(step.prints ?? '');
  const files = readProject(project);
  for (const [path, text] of Object.entries(step.has ?? {})) {
    expect(files[path] ?? `no ${path}`).toMatch(text);
  }
  const paths = Object.keys(files);
  for (const path of step.without ?? []) {
    expect(paths.filter((one) => one === path || one.startsWith(`${path}/`))).toEqual([]);
  }
  const again = await stackyard(['update', '-C', project], environment());
  expect([again.status, again.stdout]).toEqual([0, 'All builds are up to date\n']);
}

function compile(project: string): string {
  if (!existsSync(join(project, 'node_modules'))) {
    symlinkSync(join(packages, 'node_modules'), join(project, 'node_modules'));
  }
  return runIn(project, join(packages, 'node_modules/.bin/tsc'), '--noEmit');
}

function environment(): Record<string, string> {
  return {
    ...(projectEnvironment() as Record<string, string>),
    STACKYARD_REGISTRY: registry.url(),
  };
}

async function runClient(args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await stackyard(args, environment());
  expect([status, stderr.replaceAll(/^warning:.*\n/gm, '')], stdout).toEqual([0, '']);
  return stdout + stderr;
}

/** As an editor does: every relative import among the files of the project follows. */
function moveFiles(project: string, moves: Readonly<Record<string, string>>): void {
  const pairs = Object.entries(moves);
  if (pairs.length === 0) return;
  const follow = (path: string): string => {
    const found = pairs.find(([from]) => path === from || path.startsWith(`${from}/`));
    return found === undefined ? path : found[1] + path.slice(found[0].length);
  };
  const files = readProject(project);
  const sources = Object.keys(files).filter(
    (path) => path.endsWith('.ts') && !path.includes('node_modules'),
  );
  for (const path of sources) {
    const target = follow(path);
    const text = files[path]!.replaceAll(/(?<=['"])\.{1,2}\/[^'"]+\.js(?=['"])/g, (name) => {
      const file = posix.join(posix.dirname(path), name).replace(/\.js$/, '.ts');
      if (files[file] === undefined) return name;
      const now = posix.relative(posix.dirname(target), follow(file)).replace(/\.ts$/, '.js');
      return now.startsWith('.') ? now : `./${now}`;
    });
    files[path] = text;
  }
  for (const path of sources) if (follow(path) !== path) rmSync(join(project, path));
  for (const path of sources) {
    mkdirSync(dirname(join(project, follow(path))), { recursive: true });
    writeFileSync(join(project, follow(path)), files[path]!);
  }
}
