/**
 * The projects in which our builds are proved, from `tests/projects/`: what a project has before, how its own people test
 * it, and how builds are tried in it.
 *
 *     tests/projects/hono/project.json
 *     tests/projects/hono/files/       what is written when it is made
 *     tests/projects/hono/sqlite/      what people write who use a build there
 */
import {
  readFileSync,
  readdirSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, delimiter } from 'node:path';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { z } from 'zod';

// The programs that make projects of other people: generators and package managers, each at a fixed version, so that the
// page does not depend on the day. They and all that they fetch are kept in a folder below the system's temporary one.

/** From the npm registry. */
const NPM_TOOLS = {
  'create-vite': '9.3.0',
  'create-next-app': '16.4.3',
  'express-generator-typescript': '2.8.1',
  'generator-express-no-stress-typescript': '11.2.2',
  'yeoman-environment': '3.19.3',
  pnpm: '12.21.0',
  deno: '2.9.6',
} as const;

/** From PyPI, each in an environment of its own. */
const PYTHON_TOOLS = {
  uv: 'uv==0.13.9',
  poetry: 'poetry==2.5.1',
  // With the versions that it was released with: newer ones of its requirements break it.
  pdm: 'pdm[locked]==2.29.3',
} as const;

interface Toolbox {
  /** The environment for commands of projects: with the tools on its path, and their caches in the folder. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Fetches what is missing; needs the network.
 * @param shellPath a value for PATH with the Node.js of the projects first
 * @param isPythonOnly whether the tools of the npm registry are not needed
 */
export function openToolbox(shellPath: string, isPythonOnly = false): Toolbox {
  const cache = join(tmpdir(), 'stackyard-prove-cache');
  const npm = join(cache, `npm-${toolboxNameOf(NPM_TOOLS)}`);
  const python = join(cache, `python-${toolboxNameOf(PYTHON_TOOLS)}`);
  const env = {
    ...cachesIn(cache),
    NO_COLOR: '1',
    // As in a terminal: with it pnpm refuses to change its lock file.
    CI: undefined,
    NEXT_TELEMETRY_DISABLED: '1',
    DENO_NO_UPDATE_CHECK: '1',
    UV_PYTHON_DOWNLOADS: 'never',
    POETRY_VIRTUALENVS_IN_PROJECT: 'true',
    PDM_CHECK_UPDATE: 'false',
  };
  if (!isPythonOnly) provide(npm, (folder) => installNpmTools(folder, { ...process.env, ...env }));
  provide(python, (folder) => installPythonTools(folder));
  const tools = join(npm, 'node_modules');
  const path = shellPath.split(delimiter);
  // After the Node.js of the shell, before other installs of the same tools.
  path.splice(1, 0, join(python, 'bin'), join(tools, '.bin'));
  return { env: { ...process.env, ...env, TOOLS: tools, PATH: path.join(delimiter) } };
}

function cachesIn(cache: string): NodeJS.ProcessEnv {
  return {
    npm_config_cache: join(cache, 'npm'),
    npm_config_loglevel: 'error',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    XDG_CACHE_HOME: join(cache, 'xdg'),
    XDG_DATA_HOME: join(cache, 'xdg-data'),
    UV_CACHE_DIR: join(cache, 'uv'),
    PIP_CACHE_DIR: join(cache, 'pip'),
    POETRY_CACHE_DIR: join(cache, 'poetry'),
    DENO_DIR: join(cache, 'deno'),
  };
}

/** Makes a folder that is there completely, or not at all. */
function provide(folder: string, make: (folder: string) => void): void {
  if (existsSync(join(folder, 'complete'))) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  make(folder);
  writeFileSync(join(folder, 'complete.new'), '');
  renameSync(join(folder, 'complete.new'), join(folder, 'complete'));
}

function installNpmTools(folder: string, env: NodeJS.ProcessEnv): void {
  const manifest = { private: true, dependencies: NPM_TOOLS, allowScripts: { deno: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install'], { cwd: folder, env, stdio: 'pipe' });
}

/** Environments stay where they are made: their programs name their folder. */
function installPythonTools(folder: string): void {
  mkdirSync(join(folder, 'bin'));
  for (const [name, requirement] of Object.entries(PYTHON_TOOLS)) {
    const home = join(folder, name);
    const options = { cwd: folder, stdio: 'pipe' } as const;
    execFileSync('python3', ['-m', 'venv', home], options);
    execFileSync(join(home, 'bin/python'), ['-m', 'pip', 'install', requirement], options);
    symlinkSync(join(home, 'bin', name), join(folder, 'bin', name));
  }
}

/** Other versions are in another folder. */
function toolboxNameOf(tools: Readonly<Record<string, string>>): string {
  return Object.entries(tools)
    .map(([name, version]) => `${name}-${version}`)
    .join('_')
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, 200);
}

export const PROJECTS = join(import.meta.dirname, '../../tests/projects');

const Edits = z
  .record(z.string(), z.array(z.tuple([z.string(), z.string()])))
  .describe('Changes of files that are there, by path: each text is replaced by the other one.');

const Limit = z
  .strictObject({ output: z.string(), why: z.string() })
  .describe('A failure that is known: what the output contains, and why that is so.');

/** Path in the project to text. @param folder below `tests/projects/` */
function filesIn(folder: string): Record<string, string> {
  const root = join(PROJECTS, folder);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return Object.fromEntries(
    paths.sort().map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]),
  );
}

const Use = z
  .strictObject({
    what: z.string().describe('What it shows, for the page.'),
    wire: z
      .array(z.string())
      .optional()
      .describe('The builds whose steps the client carries out, and takes out again.'),
    byHand: z
      .array(z.string())
      .optional()
      .describe('The steps that it must leave to the user: "stackyard/account 2: the reason".'),
    files: z.string().transform(filesIn).describe('Replaced and added files.'),
    edits: Edits.optional(),
    command: z.string().describe('Fails unless the builds work.'),
    limit: Limit.optional(),
  })
  .describe('What carries out the guides: the client, and what people write. It is undone.');

const Trial = z
  .strictObject({
    build: z.string().describe('An id, or a folder of tests/projects/modules.'),
    add: z
      .array(z.array(z.string()))
      .optional()
      .describe('Arguments of the "add" commands; absent: one that adds the build.'),
    limit: Limit.optional().describe('Of the type check after "add".'),
    uses: z.array(Use).optional(),
    afterRemoval: z
      .string()
      .optional()
      .describe('A command that people run then, where the client does not print it.'),
  })
  .describe('Builds that are added, used and removed together.');

const Project = z.strictObject({
  name: z.string(),
  made: z.string().transform(withVersions).describe('How it is made, for the page.'),
  create: z
    .array(z.string())
    .default([])
    .describe('Commands above the project: $NAME is its folder, $TOOLS that of the npm tools.'),
  files: z
    .array(z.string())
    .default([])
    .transform((folders) => Object.assign({}, ...folders.map(filesIn)) as Record<string, string>),
  edits: Edits.optional(),
  install: z.array(z.string()).describe('Commands in the project that install its packages.'),
  member: z
    .strictObject({ name: z.string(), folder: z.string() })
    .optional()
    .describe('The member of a workspace that gets the builds.'),
  typeCheck: z.string().describe('Checks types, or builds where that is how its people do it.'),
  test: z.string().optional().describe('Runs its own tests; a template may have none.'),
  isTimed: z.boolean().default(false).describe('Whether the page gives the time of its tests.'),
  written: z
    .array(z.string())
    .optional()
    .describe('Files and folders that its tests and tools write, by name or path.'),
  trials: z.array(Trial).describe('The builds that must fit; all others are added as well.'),
});

const Projects = z.strictObject({
  kinds: z.array(z.string()),
  servers: z.array(z.string()).describe('Servers that other people wrote.'),
  foundations: z.array(
    z.strictObject({
      foundation: z.string(),
      modules: z.array(z.string()).describe('In the order in which they are integrated.'),
      nodes: z.array(z.string()).describe('Versions of Node.js; the client needs 22.14.'),
      setUp: z
        .array(z.string())
        .optional()
        .describe('The commands that install the packages in place of the client.'),
    }),
  ),
});

export type Edits = z.infer<typeof Edits>;
export type Limit = z.infer<typeof Limit>;
export type Use = z.infer<typeof Use>;
export type Trial = z.infer<typeof Trial>;
export type ProjectKind = z.infer<typeof Project>;
export type FoundationCase = z.infer<typeof Projects>['foundations'][number];

/** All projects, in the order of the pages. */
export function readProjects(): {
  readonly kinds: readonly ProjectKind[];
  readonly servers: readonly ProjectKind[];
  readonly foundations: readonly FoundationCase[];
} {
  const { kinds, servers, foundations } = Projects.parse(readJson('projects.json'));
  const read = (name: string): ProjectKind => Project.parse(readJson(`${name}/project.json`));
  return { kinds: kinds.map(read), servers: servers.map(read), foundations };
}

/** @param path below `tests/projects/` */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(PROJECTS, path), 'utf8'));
}

/** An id with its version in the folder `builds`, which is the newest one of this repository. */
export function nameOf(builds: string, id: string): string {
  const manifest = readFileSync(join(builds, id, 'stackyard.json'), 'utf8');
  return `\`${id}\` ${(JSON.parse(manifest) as { version: string }).version}`;
}

/** `{pnpm}` stands for the version of the tool. */
function withVersions(text: string): string {
  const tools: Readonly<Record<string, string>> = { ...NPM_TOOLS, ...PYTHON_TOOLS };
  return text.replaceAll(/\{([\w-]+)\}/g, (all, name: string) => {
    return tools[name]?.replace(/^.*==/, '') ?? all;
  });
}
