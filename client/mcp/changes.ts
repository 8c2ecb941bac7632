/**
 * The tools that change a project, and `plan`, which they require: each takes the hash of a plan that was
 * shown, and applies exactly that plan.
 */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ChangeOutput } from '../output-schema/plan.ts';
import { add } from '../commands/add.ts';
import type { Outcome } from '../operation/command.ts';
import { update } from '../commands/update.ts';
import { confirmDanger } from '../operation/confirm-danger.ts';
import { ClientError } from '../errors.ts';
import { planHash } from '../operation/plan-hash.ts';
import type { Tool, ToolContext } from './tool.ts';
import { defineTool } from './tool.ts';
import type { Plan } from '../plan/plan.ts';

const Builds = z
  .array(z.string().max(400))
  .max(50)
  .describe(
    '"<owner>/<name>[@<range>]"; to add from another registry of the project "<registry>:<owner>/<name>"; for an update none means all',
  );

const COMMON = {
  allow: z
    .array(z.enum(['ci', 'agent', 'rc', 'lifecycle']))
    .default([])
    .describe('groups of protected files that the user consents to'),
  install: z.boolean().default(false).describe('run the package manager, its scripts off'),
};

const OF_ADD = {
  on_exists: z
    .enum(['fail', 'skip', 'theirs'])
    .default('fail')
    .describe('add: for a file of the project that differs: refuse, keep it, or replace it'),
};

const OF_UPDATE = {
  latest: z.boolean().default(false).describe('update: beyond the ranges of the lock'),
  conflict: z
    .enum(['fail', 'ours', 'theirs', 'markers'])
    .default('fail')
    .describe("update: where the user's edits and those of the new version meet"),
  restore: z.boolean().default(false).describe('update: bring deleted files back'),
};

const APPROVED = {
  plan_hash: z.string().max(100).describe('of "plan", called with the same values'),
  yes: z.boolean().default(false).describe('the user wants builds that are rated dangerous'),
};

const AddChange = z.strictObject({ builds: Builds.min(1), ...COMMON, ...OF_ADD });
const UpdateChange = z.strictObject({ builds: Builds, ...COMMON, ...OF_UPDATE });
type Change = z.infer<typeof AddChange> | z.infer<typeof UpdateChange>;

interface Action {
  readonly name: 'add' | 'update';
  readonly run: (change: Change, context: ToolContext, dryRun: boolean) => Promise<Outcome>;
}

const ADD: Action = {
  name: 'add',
  run: (change, context, dryRun) => {
    const { builds, on_exists: onExists, ...rest } = AddChange.parse(change);
    return add(builds, { ...context.options, ...rest, dryRun, onExists }, context);
  },
};

const UPDATE: Action = {
  name: 'update',
  run: (change, context, dryRun) => {
    const { builds, ...rest } = UpdateChange.parse(change);
    return update(builds, { ...context.options, ...rest, dryRun }, context);
  },
};

export const plan: Tool = defineTool({
  name: 'plan',
  title: 'Plan a change',
  description:
    'Computes everything that a change would do to the project: files, package.json and Python requirements, variables, scripts. Writes nothing. Show the plan to the user, then pass its plan_hash to the tool of the action.',
  input: z.strictObject({
    action: z.enum(['add', 'update']),
    builds: Builds.default([]),
    ...COMMON,
    ...OF_ADD,
    ...OF_UPDATE,
  }),
  data: ChangeOutput.extend({
    plan_hash: z.string().optional().describe('absent where there is nothing to do'),
  }),
  isChanging: false,
  run: async ({ action: name, ...input }, context) => {
    const action = name === 'add' ? ADD : UPDATE;
    const change = changeOf(name, input);
    const outcome = await action.run(change, context, true);
    const { plan: made } = outcome.data as { plan?: Plan };
    if (made === undefined) return outcome;
    const plan_hash = hashOf(made, action, change, context);
    return { ...outcome, data: { plan_hash, ...outcome.data } };
  },
});

export const addTool: Tool = changing(
  ADD,
  AddChange.extend(APPROVED),
  'Install builds',
  'Installs builds, and the builds that they require, by a plan that "plan" returned. Refuses any other.',
);

export const updateTool: Tool = changing(
  UPDATE,
  UpdateChange.extend(APPROVED),
  'Update builds',
  'Brings installed builds to newer versions and keeps the edits of the user, by a plan that "plan" returned. Refuses any other.',
);

/** The values of `input` that the action takes. @throws {ClientError} `ERR_USAGE` for others */
function changeOf(name: Action['name'], input: Record<string, unknown>): Change {
  const own = name === 'add' ? AddChange : UpdateChange;
  const foreign = name === 'add' ? OF_UPDATE : OF_ADD;
  for (const [key, schema] of Object.entries(foreign)) {
    if (isDeepStrictEqual(input[key], schema.parse(undefined))) continue;
    throw new ClientError('ERR_USAGE', `"${key}" is not a value of the action "${name}"`, {
      hint: `leave "${key}" out`,
    });
  }
  const values = Object.entries(input).filter(([key]) => !Object.hasOwn(foreign, key));
  const parsed = own.safeParse(Object.fromEntries(values));
  if (parsed.success) return parsed.data;
  throw new ClientError('ERR_USAGE', `No build is named for the action "${name}"`, {
    hint: 'give "builds", such as ["alice/web"]',
  });
}

function changing(
  action: Action,
  input: z.ZodObject<typeof APPROVED & Record<string, z.ZodType>>,
  title: string,
  description: string,
): Tool {
  return defineTool({
    name: action.name,
    title,
    description,
    input,
    data: ChangeOutput,
    isChanging: true,
    run: async ({ plan_hash, yes, ...rest }, context) => {
      const change = rest as unknown as Change;
      let isApproved = false;
      const approve = async (made: Plan): Promise<void> => {
        if (hashOf(made, action, change, context) !== plan_hash) throw planChanged();
        await confirmDanger(made, async ({ text }) => {
          if (!yes) throw needsYes(text);
        });
        isApproved = true;
      };
      const outcome = await action.run(change, { ...context, approve }, false);
      // Nothing was applied, so the present plan is not the one of the hash.
      if (!isApproved) throw planChanged();
      return outcome;
    },
  });
}

function hashOf(made: Plan, { name }: Action, change: Change, { options }: ToolContext): string {
  const { builds, ...rest } = change;
  const project = realpathSync(resolve(options.cwd));
  return planHash(made, { action: name, project, requests: builds, options: rest });
}

function planChanged(): ClientError {
  const problem = 'Nothing was changed: this is not the plan of that hash';
  return new ClientError('ERR_PLAN_CHANGED', problem, {
    hint: 'the project, the registry or the values are not those of the plan: call "plan" again and read its result',
  });
}

function needsYes(text: string): ClientError {
  return new ClientError('ERR_NEEDS_ANSWER', `Cannot go on without an answer: ${text}`, {
    hint: 'ask the user; "yes": true answers yes',
  });
}
