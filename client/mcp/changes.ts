/**
 * The tools that change a project, and `plan`, which they require: each takes the hash of a plan that was
 * shown, and applies exactly that plan.
 */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ChangeOutput } from '../output-schema/plan.ts';
import { dataSchema } from '../output-schema/output-schema.ts';
import { confirmDanger } from '../terminal/ask.ts';
import { ClientError } from '../errors.ts';
import { dataHash, planHash } from '../plan/plan-hash.ts';
import type { PlanPurpose } from '../plan/plan-hash.ts';
import { ACTIONS, VALUES } from './actions.ts';
import type { Action, Change } from './actions.ts';
import type { Tool, ToolContext } from './tool.ts';
import { defineTool } from './tool.ts';
import type { Plan } from '../plan/plan.ts';

const APPROVED = {
  plan_hash: z.string().max(100).describe('of "plan", called with the same values'),
  yes: z.boolean().default(false).describe('the user wants builds that are rated dangerous'),
};

export const plan: Tool = defineTool({
  name: 'plan',
  title: 'Plan a change',
  description:
    'Computes everything that a change would do to the project: files, package.json and Python requirements, variables, scripts. Writes nothing. Show the plan to the user, then pass its plan_hash to the tool of the action.',
  input: z.strictObject({
    action: z.enum(['add', 'update', 'remove', 'new', 'wire', 'unwire', 'undo', 'resolve']),
    ...VALUES,
  }),
  data: ChangeOutput.extend({
    plan_hash: z.string().optional().describe('absent where there is nothing to do'),
  }),
  isChanging: false,
  run: async ({ action: name, ...input }, context) => {
    const action = ACTIONS[name];
    const change = changeOf(action, input);
    const outcome = await action.run(change, context, { dryRun: true, approveData: () => {} });
    if (outcome.status !== 'planned') return outcome;
    const { plan: made } = outcome.data as { plan?: Plan };
    const purpose = purposeOf(action, change, context);
    const plan_hash =
      made === undefined ? dataHash(outcome.data, purpose) : planHash(made, purpose);
    return { ...outcome, data: { plan_hash, ...outcome.data } };
  },
});

export const addTool: Tool = changing(
  ACTIONS.add,
  'Install builds',
  'Installs builds, and the builds that they require, by a plan that "plan" returned. Refuses any other.',
);

export const updateTool: Tool = changing(
  ACTIONS.update,
  'Update builds',
  'Brings installed builds to newer versions and keeps the edits of the user, by a plan that "plan" returned. Refuses any other.',
);

export const removeTool: Tool = changing(
  ACTIONS.remove,
  'Remove builds',
  'Removes builds with every change that was made for them, by a plan that "plan" returned. Refuses any other.',
);

export const newTool: Tool = changing(
  ACTIONS.new,
  'Start a project',
  'Starts a project from a foundation in a new folder below that of the server, by a plan that "plan" returned. Refuses any other.',
);

export const wireTool: Tool = changing(
  ACTIONS.wire,
  'Carry out the steps of builds',
  'Puts the code of the steps in INTEGRATION.md of installed builds into the files of the user, by a plan that "plan" returned. Refuses any other.',
);

export const unwireTool: Tool = changing(
  ACTIONS.unwire,
  'Take the steps of builds out',
  'Takes out what "wire" put into the files of the user, by a plan that "plan" returned. Refuses any other.',
);

export const undoTool: Tool = changing(
  ACTIONS.undo,
  'Undo the last change',
  'Undoes the last change of the project, by a plan that "plan" returned. Refuses any other.',
);

export const resolveTool: Tool = changing(
  ACTIONS.resolve,
  'Resolve conflicts of a file',
  'Takes one side for every conflict that an update left in a file, by a plan that "plan" returned. Refuses any other.',
);

/** The values of `input` that the action takes. @throws {ClientError} `ERR_USAGE` for others */
function changeOf({ name, values, needs }: Action, input: Record<string, unknown>): Change {
  const isDefault = (key: string, value: unknown): boolean => {
    const schema: z.ZodType = VALUES[key as keyof typeof VALUES];
    return isDeepStrictEqual(value, schema.parse(undefined));
  };
  const own: readonly string[] = values;
  for (const [key, value] of Object.entries(input)) {
    if (own.includes(key) || isDefault(key, value)) continue;
    throw new ClientError('ERR_USAGE', `"${key}" is not a value of the action "${name}"`, {
      hint: `leave "${key}" out`,
    });
  }
  for (const key of needs) {
    if (!isDefault(key, input[key])) continue;
    if (key === 'builds') {
      throw new ClientError('ERR_USAGE', `No build is named for the action "${name}"`, {
        hint: 'give "builds", such as ["alice/web"]',
      });
    }
    throw new ClientError('ERR_USAGE', `The action "${name}" needs "${key}"`, {
      hint: `give "${key}": ${VALUES[key].description}`,
    });
  }
  return Object.fromEntries(Object.entries(input).filter(([key]) => own.includes(key)));
}

function changing(action: Action, title: string, description: string): Tool {
  const own = Object.fromEntries(action.values.map((key) => [key, VALUES[key]]));
  const hasPlan = !['undo', 'resolve'].includes(action.name);
  return defineTool({
    name: action.name,
    title,
    description,
    input: z.strictObject({ ...own, ...APPROVED }),
    data: hasPlan ? ChangeOutput : dataSchema(action.name),
    isChanging: true,
    run: async ({ plan_hash, yes, ...input }, context) => {
      const change = changeOf(action, input);
      const purpose = purposeOf(action, change, context);
      let isApproved = false;
      const checkHash = (hash: string): void => {
        if (hash !== plan_hash) throw planChanged();
      };
      const approve = async (made: Plan): Promise<void> => {
        checkHash(planHash(made, purpose));
        await confirmDanger(made, async ({ text }) => {
          if (!yes) throw needsYes(text);
        });
        isApproved = true;
      };
      const approveData = (data: object): void => {
        checkHash(dataHash(data, purpose));
        isApproved = true;
      };
      const run = { dryRun: false, approveData };
      const outcome = await action.run(change, { ...context, approve }, run);
      // Nothing was applied, so the present plan is not the one of the hash.
      if (!isApproved) throw planChanged();
      return outcome;
    },
  });
}

function purposeOf({ name }: Action, change: Change, { options }: ToolContext): PlanPurpose {
  const { builds = [], ...rest } = change;
  const project = realpathSync(resolve(options.cwd));
  return { action: name, project, requests: builds as readonly string[], options: rest };
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
