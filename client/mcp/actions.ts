/** What an agent may change: each action with its values, and the command that carries it out. */
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { z } from 'zod';
import { add } from '../commands/add.ts';
import { newProject } from '../commands/new.ts';
import { remove } from '../commands/remove.ts';
import { resolveConflict } from '../commands/resolve.ts';
import { undo } from '../commands/undo.ts';
import { update } from '../commands/update.ts';
import { unwire, wire } from '../commands/wire.ts';
import { ClientError } from '../errors.ts';
import { DECISIONS, decisionsAt } from '../plan/file-decisions.ts';
import type { Outcome } from '../terminal/command.ts';
import type { ToolContext } from './tool.ts';

const Builds = z.array(z.string().max(400)).max(50);

/** Values of all actions, for the input of "plan"; each action takes some of them. */
export const VALUES = {
  builds: Builds.default([]).describe(
    '"<owner>/<name>" or "<owner>/<name>@<range>"; for an update none means all; for a new project the foundation, then modules; to try a build before it is published, add its folder ("./src/dates"), tarball or address',
  ),
  allow: z
    .array(z.string().max(400))
    .max(1000)
    .default([])
    .describe(
      'what the user consents to, of what the plan lists under "consent": classes, paths, or "all"; show it to the user first',
    ),
  install: z.boolean().default(false).describe('run the package manager, its scripts off'),
  on_exists: z
    .enum(DECISIONS)
    .default('fail')
    .describe(
      'add, update: for a file of the project that differs from a new one: refuse, keep it, replace it, or write both between markers',
    ),
  on_exists_at: z
    .record(z.string().max(400), z.enum(DECISIONS))
    .default({})
    .describe('the same for single files, by path from the root of the project'),
  keep: z
    .array(z.string().max(214))
    .max(100)
    .default([])
    .describe('packages whose range in the project stays where it does not meet that of a build'),
  to: z
    .string()
    .max(400)
    .optional()
    .describe('for one build: the folder of the project to put it into; its imports are rewritten'),
  imports: z
    .enum(['relative', 'alias'])
    .optional()
    .describe("how imports of other builds are written: relative, or by the project's alias"),
  owner: z.string().max(100).default('').describe('add of a local build: who will publish it'),
  integrity: z.string().max(100).default('').describe('add of a local build: its digest'),
  wire: z
    .boolean()
    .default(false)
    .describe(
      'add, new: carry out the steps of INTEGRATION.md; show their texts in the plan first',
    ),
  latest: z.boolean().default(false).describe('update: beyond the ranges of the lock'),
  conflict: z
    .enum(['fail', 'ours', 'theirs', 'markers'])
    .default('fail')
    .describe("update: where the user's edits and those of the new version meet"),
  restore: z.boolean().default(false).describe('update: bring deleted files back'),
  cascade: z.boolean().default(false).describe('remove: also the builds that require these'),
  keep_deps: z.boolean().default(false).describe('remove: keep what only these required'),
  force: z.boolean().default(false).describe('remove: also files that the user edited'),
  folder: z.string().max(400).default('').describe('new: a folder below that of the project'),
  path: z.string().max(400).default('').describe('resolve: the file with conflicts'),
  take: z.enum(['', 'ours', 'base', 'theirs']).default('').describe('resolve: the side to take'),
} as const;

type ValueName = keyof typeof VALUES;
export type Change = Readonly<Record<string, unknown>>;

interface ActionRun {
  readonly dryRun: boolean;
  /** Called with the data of a change that has no plan, before it is made. */
  readonly approveData: (data: object) => void;
}

export interface Action {
  readonly name: 'add' | 'update' | 'remove' | 'new' | 'wire' | 'unwire' | 'undo' | 'resolve';
  readonly values: readonly ValueName[];
  /** Those that must be given. */
  readonly needs: readonly ValueName[];
  readonly run: (change: Change, context: ToolContext, run: ActionRun) => Promise<Outcome>;
}

const ADD: Action = {
  name: 'add',
  values: [
    'builds',
    'allow',
    'install',
    'on_exists',
    'on_exists_at',
    'keep',
    'to',
    'imports',
    'wire',
    'owner',
    'integrity',
  ],
  needs: ['builds'],
  run: (change, context, { dryRun }) => {
    const { builds, on_exists, on_exists_at, owner, integrity, ...rest } = pick(change);
    const decisions = { onExists: on_exists, onExistsAt: decisionsAt(on_exists_at) };
    const from = context.options.cwd;
    const local = {
      from,
      ...(owner === '' ? {} : { owner }),
      ...(integrity === '' ? {} : { integrity }),
    };
    return add(builds, { ...context.options, ...rest, ...local, ...decisions, dryRun }, context);
  },
};

const UPDATE: Action = {
  name: 'update',
  values: [
    'builds',
    'allow',
    'install',
    'on_exists',
    'on_exists_at',
    'keep',
    'latest',
    'conflict',
    'restore',
    'to',
    'imports',
  ],
  needs: [],
  run: (change, context, { dryRun }) => {
    const { builds, on_exists: onExists, on_exists_at, ...rest } = pick(change);
    const decisions = { onExists, onExistsAt: decisionsAt(on_exists_at) };
    return update(builds, { ...context.options, ...rest, ...decisions, dryRun }, context);
  },
};

const REMOVE: Action = {
  name: 'remove',
  values: ['builds', 'install', 'cascade', 'keep_deps', 'force'],
  needs: ['builds'],
  run: (change, context, { dryRun }) => {
    const { builds, keep_deps: keepDeps, ...rest } = pick(change);
    return remove(builds, { ...context.options, ...rest, dryRun, keepDeps }, context);
  },
};

const NEW: Action = {
  name: 'new',
  values: ['builds', 'folder', 'allow', 'install', 'wire'],
  needs: ['builds', 'folder'],
  run: (change, context, { dryRun }) => {
    const { builds, folder, allow, install, wire: isWired } = pick(change);
    const [foundation = '', ...modules] = builds;
    const options = {
      ...context.options,
      with: modules,
      git: false,
      allow,
      install,
      wire: isWired,
      dryRun,
    };
    return newProject(foundation, inside(folder, context), options, context);
  },
};

const WIRE: Action = {
  name: 'wire',
  values: ['builds', 'allow'],
  needs: ['builds'],
  run: (change, context, { dryRun }) => {
    const { builds, allow } = pick(change);
    return wire(builds, { ...context.options, allow, install: false, dryRun }, context);
  },
};

const UNWIRE: Action = {
  name: 'unwire',
  values: ['builds'],
  needs: ['builds'],
  run: (change, context, { dryRun }) =>
    unwire(pick(change).builds, { ...context.options, install: false, dryRun }, context),
};

const UNDO: Action = {
  name: 'undo',
  values: [],
  needs: [],
  run: (_change, context, { dryRun, approveData }) => {
    return undo({ ...context.options, dryRun, approveData }, context);
  },
};

const RESOLVE: Action = {
  name: 'resolve',
  values: ['path', 'take'],
  needs: ['path', 'take'],
  run: (change, context, { dryRun, approveData }) => {
    const { path, take } = pick(change);
    const side = take === '' ? undefined : take;
    return resolveConflict(path, { ...context.options, take: side, dryRun, approveData }, context);
  },
};

export const ACTIONS = {
  add: ADD,
  update: UPDATE,
  remove: REMOVE,
  new: NEW,
  wire: WIRE,
  unwire: UNWIRE,
  undo: UNDO,
  resolve: RESOLVE,
} as const;

type Values = z.infer<z.ZodObject<typeof VALUES>>;

/** The values of an action, which its schema has checked. */
function pick(change: Change): Values {
  return change as Values;
}

/** Agents work in the folder that the user gave them. @throws {ClientError} `ERR_USAGE` */
function inside(folder: string, { options }: ToolContext): string {
  const root = realpathSync(resolve(options.cwd));
  const path = relative(root, resolve(root, folder));
  if (path !== '' && path !== '..' && !path.startsWith('../') && !isAbsolute(path)) return path;
  throw new ClientError('ERR_USAGE', `"${folder}" is not a folder below that of the server`, {
    hint: 'give a relative path without "..", such as "apps/web"',
  });
}
