/** The program `stackyard`: its commands by name, and the options of all of them. Commands load when they are called. */
import type { CommandEntry, Field, Program } from '../format/command/command.ts';
import type { ClientCommand } from './terminal/options.ts';
import type { GlobalOptions } from './terminal/command.ts';
import manifest from './package.json' with { type: 'json' };

/** The version of this client, from its package.json. */
export const VERSION: string = manifest.version;

type Module = Promise<{ readonly command: ClientCommand }>;

const SHARED: readonly Field[] = [
  {
    name: 'cwd',
    kind: 'text',
    short: 'C',
    placeholder: 'folder',
    description: 'the folder of the project; default: the nearest upward',
  },
  {
    name: 'workspace',
    kind: 'text',
    short: 'w',
    placeholder: 'member',
    description: 'name or path of a member of the workspace; . is its root',
  },
  {
    name: 'registry',
    kind: 'text',
    placeholder: 'address',
    description: 'the registry in this run: https or a folder (or STACKYARD_REGISTRY)',
  },
  {
    name: 'offline',
    kind: 'flag',
    description: 'use no network, only the cache',
  },
  { name: 'json', kind: 'flag', description: 'print one JSON document' },
  { name: 'quiet', kind: 'flag', short: 'q', description: 'print only errors on standard error' },
  {
    name: 'verbose',
    kind: 'flag',
    short: 'v',
    description: 'print more messages, such as why the cache is not used',
  },
  {
    name: 'yes',
    kind: 'flag',
    short: 'y',
    description: 'answer yes to questions, never to conflicts or to --allow',
  },
  {
    name: 'input',
    kind: 'flag',
    isNegated: true,
    description: 'ask no questions: a missing answer is an error',
  },
  { name: 'color', kind: 'flag', isNegated: true, description: 'no colour' },
];

/** Name and other names, summary, module. */
type Row = readonly [string, string, () => Module];

const COMMANDS: Readonly<Record<string, readonly Row[]>> = {
  Install: [
    ['new create', 'start a project from a foundation', () => import('./commands/new.ts')],
    ['add', 'install builds into a project', () => import('./commands/add.ts')],
    ['remove rm uninstall', 'remove builds from a project', () => import('./commands/remove.ts')],
    ['update up upgrade', 'update installed builds', () => import('./commands/update.ts')],
    [
      'install i',
      'restore the installed builds of a project',
      () => import('./commands/install.ts'),
    ],
    ['resolve', 'finish the conflicts of an update', () => import('./commands/resolve.ts')],
    ['restore', 'bring files of builds back as placed', () => import('./commands/restore.ts')],
    ['unwire', 'take wired steps out of your files', () => import('./commands/unwire.ts')],
    ['undo', 'undo the last change of a project', () => import('./commands/undo.ts')],
  ],
  Look: [
    ['search', 'find builds', () => import('./commands/search.ts')],
    ['info', 'show a build or its files', () => import('./commands/info.ts')],
    ['list ls', 'list the installed builds', () => import('./commands/list.ts')],
    ['diff', 'show your edits of installed files', () => import('./commands/diff.ts')],
    [
      'outdated',
      'list newer versions, and known faults of installed ones',
      () => import('./commands/outdated.ts'),
    ],
  ],
  Trust: [
    ['verify', 'compare installed files with the lock', () => import('./commands/verify.ts')],
    ['sbom', 'print a software bill of materials (CycloneDX)', () => import('./commands/sbom.ts')],
    ['doctor', 'check this project and machine', () => import('./commands/doctor.ts')],
    [
      'registry',
      'name the registries of a project; audit one',
      () => import('./commands/registry.ts'),
    ],
    [
      'report',
      'report that a version worked, failed or needs a review',
      () => import('./commands/report.ts'),
    ],
  ],
  Publish: [
    ['init', 'describe a folder as a build', () => import('./commands/init.ts')],
    ['check', 'check a build as the registry does', () => import('./commands/check.ts')],
    [
      'pack',
      'create the tarball that the registry would create',
      () => import('./commands/pack.ts'),
    ],
    [
      'publish',
      'propose a version of a build to a registry',
      () => import('./commands/publish.ts'),
    ],
    [
      'yank',
      'propose that a version is not chosen any more',
      async () => ({ command: (await import('./commands/withdraw.ts')).yankCommand }),
    ],
    [
      'deprecate',
      'propose that a build is not used any more',
      async () => ({ command: (await import('./commands/withdraw.ts')).deprecateCommand }),
    ],
  ],
  Other: [
    ['mcp', 'serve coding agents (Model Context Protocol)', () => import('./mcp/mcp.ts')],
    [
      'completion',
      'print the completion script of a shell',
      () => import('./commands/completion.ts'),
    ],
    ['cache', 'show, check or empty the cache', () => import('./commands/cache.ts')],
  ],
};

export const PROGRAM: Program<ClientCommand> = {
  name: 'stackyard',
  description:
    'Installs reusable project builds from a Stackyard registry, and keeps them up to date',
  version: VERSION,
  commands: Object.entries(COMMANDS).flatMap(([group, rows]) => {
    return rows.map((row) => entryOf(group, row));
  }),
  shared: SHARED,
  examples: ['add stackyard/sqlite -C my-app'],
};

function entryOf(group: string, [names, summary, load]: Row): CommandEntry<ClientCommand> {
  const [name = '', ...aliases] = names.split(' ');
  return { name, group, summary, aliases, load: async () => (await load()).command };
}

/** The options of all commands, as commands take them. @param shared values by `PROGRAM.shared` */
export function globalOptions(shared: Readonly<Record<string, unknown>>): GlobalOptions {
  const { cwd, workspace, json, quiet, verbose, registry, offline } = shared as unknown as Omit<
    GlobalOptions,
    'cwd'
  > & { readonly cwd?: string };
  const where = { cwd: cwd ?? '.', isCwdGiven: cwd !== undefined, workspace };
  return { ...where, json, quiet, verbose, registry, offline };
}
