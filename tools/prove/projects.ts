/**
 * The projects in which our builds are proved, from `tests/projects/`: what a project has before, how its own people test
 * it, and how builds are tried in it.
 *
 *     tests/projects/hono/project.json
 *     tests/projects/hono/files/       what is written when it is made
 *     tests/projects/hono/sqlite/      what people write who use a build there
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { NPM_TOOLS, PYTHON_TOOLS } from './toolbox.ts';

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
