/**
 * The tools of the Model Context Protocol server: commands, whose schemas give their input, and whose plans an agent shows
 * before it applies them by their hash.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { z } from 'zod';
import { fieldsOf } from '../../format/command/parse.ts';
import { findEntry, kebab } from '../../format/command/command.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import { MAX_NOTE_CHARACTERS } from '../../format/statement/statement.ts';
import { command as add } from '../commands/add.ts';
import { command as diff } from '../commands/diff.ts';
import { command as info } from '../commands/info.ts';
import { command as list } from '../commands/list.ts';
import { command as create } from '../commands/new.ts';
import type { ClientCommand, RunContext } from '../terminal/options.ts';
import { command as outdated } from '../commands/outdated.ts';
import { command as remove } from '../commands/remove.ts';
import { command as resolveConflicts } from '../commands/resolve.ts';
import { command as search } from '../commands/search.ts';
import { command as undo } from '../commands/undo.ts';
import { command as unwire } from '../commands/unwire.ts';
import { command as update } from '../commands/update.ts';
import { command as verify } from '../commands/verify.ts';
import { ClientError } from '../errors.ts';
import { PROGRAM } from '../program.ts';
import { realPath } from '../project/find-program.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';
import type { NextStep } from '../terminal/envelope.ts';
import { askNobody } from '../terminal/ask.ts';
import { dataHash, planHash } from '../plan/plan-hash.ts';
import type { Plan } from '../plan/plan.ts';
import { checkedText } from '../publish/checked-text.ts';

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Whether it may change the project. */
  readonly isChanging: boolean;
  /** @param input as its schema has parsed it */
  readonly run: (
    input: Record<string, unknown>,
    options: GlobalOptions,
    context: RunContext,
  ) => Promise<Outcome>;
}

/** What "plan" plans. */
const ACTIONS: Readonly<Record<string, ClientCommand>> = {
  add,
  update,
  remove,
  new: create,
  undo,
  resolve: resolveConflicts,
  unwire,
};

/** Options that the server sets itself, or that only a terminal can use. */
const OF_SERVER = new Set(['dryRun']);

/** Plans of one session that are kept. */
const MAX_PLANS = 100;

/** A call of "plan" that had a plan. */
interface Planned {
  readonly command: ClientCommand;
  readonly input: Record<string, unknown>;
  readonly purpose: Parameters<typeof planHash>[1];
}

/** The tools of one session, in the order in which they are listed. */
export function makeTools(): Tool[] {
  const plans = new Map<string, Planned>();
  return [
    reading('search', search, ['words', 'fits', 'limit'], SEARCH_TEXT),
    INFO,
    reading('list', list, ['path', 'licenses']),
    reading('diff', diff, ['what', 'upstream']),
    reading('outdated', outdated),
    reading('verify', verify),
    planTool(plans),
    applyTool(plans),
    REPORT,
  ];
}

const SEARCH_TEXT =
  '. Words such as "provides:auth", "requires:express" and "kind:module" limit the builds; "provides" of a build names what it adds. In an empty folder look for "kind:foundation", which starts a project';

/** A tool that runs a command which changes nothing, described as its help does, with some of its fields. */
function reading(
  name: string,
  command: ClientCommand,
  fields: readonly string[] = [],
  more = '',
): Tool {
  const shape = fields.map((field) => [snake(field), command.input.shape[field]!]);
  return {
    name,
    title: findEntry(PROGRAM, name)!.summary,
    description: `${command.description.replace('exit status 10', 'status "different"')}${more}.`,
    input: z.strictObject(Object.fromEntries(shape)),
    isChanging: false,
    run: (input, options, context) => run(command, camelKeys(input), options, context),
  };
}

/** Runs a command with what its schema makes of `input`. */
async function run(
  command: ClientCommand,
  input: Record<string, unknown>,
  options: GlobalOptions,
  context: RunContext,
): Promise<Outcome> {
  return command.run(command.input.parse(input) as never, options, context);
}

const INFO: Tool = {
  name: 'info',
  title: 'Show a build',
  description:
    'The package record of a build: versions, requirements, risk and findings, files, variables; its README and integration steps come with "texts". With "files" or "file" its files instead, without installing it. Whether builds fit is in the answer of "plan".',
  input: z.strictObject({
    build: z.string().max(1_010).describe('"[<registry>:]<owner>/<name>[@<range>]"'),
    texts: z.boolean().default(false).describe('with README.md and INTEGRATION.md'),
    files: info.input.shape.files,
    file: info.input.shape.file,
  }),
  isChanging: false,
  run: async ({ texts, ...input }, options, context) => {
    const isWhole = texts === true || input['files'] === true || input['file'] !== undefined;
    const outcome = await run(info, input, { ...options, json: isWhole }, context);
    if (isWhole) return outcome;
    return { ...outcome, data: { ...outcome.data, readme: '', integration: '' } };
  },
};

function planTool(plans: Map<string, Planned>): Tool {
  const names = Object.keys(ACTIONS);
  const fields = [...new Set(Object.values(ACTIONS).flatMap(({ input }) => takenFields(input)))];
  const shape = Object.fromEntries(
    fields.map((name) => {
      const takers = names.filter((action) => takenFields(ACTIONS[action]!.input).includes(name));
      const schema = ACTIONS[takers[0]!]!.input.shape[name] as z.ZodType;
      const description = DESCRIPTIONS[name] ?? schema.meta()?.description ?? '';
      return [
        snake(name),
        withoutDefault(schema)
          .optional()
          .describe(`${takers.join(', ')}: ${description}`),
      ];
    }),
  );
  return {
    name: 'plan',
    title: 'Plan a change',
    description:
      'Computes everything that a change would do to the project: files, package.json and Python requirements, variables ("env"; set the required ones where the application runs), scripts, and whether builds fit, with the smallest set of facts that prevents it. Writes nothing. "add" installs builds into the project; "new" starts one in "folder" from a foundation, with "accounts" and "database". "next" has the calls that follow: first the same plan with what makes the feature work in the application, if something is left out. Of several builds that fit and are not deprecated take the one whose plan with "wire" has the most "prove.requests", and of these the one with the fewest required variables. Show the plan to the user, then pass its plan_hash to "apply".',
    input: z.strictObject({ action: z.enum(names), ...shape }),
    isChanging: false,
    run: async ({ action, ...given }, options, context) => {
      const name = String(action);
      const command = ACTIONS[name]!;
      const input = inputOf(name, camelKeys(given), options);
      const dry = { ...input, dryRun: true };
      const outcome = await run(command, dry, options, context);
      if (outcome.status !== 'planned') return outcome;
      const { plan } = outcome.data as { plan?: Plan };
      const project = realpathSync(resolve(options.cwd));
      const purpose = { action: name, project, requests: [], options: input };
      const hash = plan === undefined ? dataHash(outcome.data, purpose) : planHash(plan, purpose);
      plans.delete(hash);
      plans.set(hash, { command, input, purpose });
      const [oldest] = plans.keys();
      if (plans.size > MAX_PLANS && oldest !== undefined) plans.delete(oldest);
      const next = [...(outcome.next ?? []), ...followingCalls(name, given, outcome.data, hash)];
      return { ...outcome, next, data: { plan_hash: hash, ...outcome.data } };
    },
  };
}

/** The same plan with what makes the builds work, where it is left out, and the call that carries this one out. */
function followingCalls(
  action: string,
  given: Readonly<Record<string, unknown>>,
  data: object,
  plan_hash: string,
): NextStep[] {
  const {
    plan,
    commands = [],
    prove,
  } = data as {
    readonly plan?: Plan;
    readonly commands?: readonly string[];
    readonly prove?: { readonly commands: readonly string[] };
  };
  const has = (field: string): boolean => field in ACTIONS[action]!.input.shape;
  const more: Record<string, unknown> = {};
  const why: string[] = [];
  if (has('wire') && given['wire'] === undefined && plan?.builds.some((b) => b.has_integration)) {
    more['wire'] = true;
    why.push('carries out the steps of the guides in the code');
  }
  if (has('install') && given['install'] === undefined && commands.length > 0) {
    more['install'] = true;
    why.push(`installs the packages (${commands.join('; ')})`);
  }
  if (has('prove') && given['prove'] === undefined && (prove?.commands.length ?? 0) > 0) {
    more['prove'] = true;
    why.push(`proves the result: runs ${prove!.commands.join('; ')}; ask the user first`);
  }
  if (has('allow') && given['allow'] === undefined && (plan?.consent ?? []).length > 0) {
    more['allow'] = [...new Set(plan?.consent?.map((entry) => entry.class))];
    why.push('writes what the plan lists under "consent"; ask the user first');
  }
  const whole = callOf(
    'plan',
    { action, ...given, ...more },
    `The whole change: ${why.join(', ')}`,
  );
  const apply = callOf('apply', { plan_hash }, 'carries this plan out, once the user has seen it');
  return why.length === 0 ? [apply] : [whole, apply];
}

/** A call of a tool as a step that may follow. */
export function callOf(tool: string, input: object, why: string): NextStep {
  return { command: `${tool} ${JSON.stringify(input)}`, tool, input, why };
}

/** Where a flag of the command line is named by its denial. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  install: 'run the package manager, its scripts off; default: false',
  allow:
    'what the user consents to, of what the plan lists under "consent": classes, paths, or "all"; show it to the user first',
  prove:
    'run the commands that the plan names under "prove" (type check, lint, tests, start of the application) in the project, with the rights of the user: ask the user first; default: only where the user agreed to them before',
  folder: 'a new folder below that of the project',
};

function takenFields({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((name) => !OF_SERVER.has(name));
}

/** The input of an action. @throws {ClientError} `ERR_USAGE` for a field that it does not take, and one that it needs */
function inputOf(
  action: string,
  given: Record<string, unknown>,
  options: GlobalOptions,
): Record<string, unknown> {
  const { input } = ACTIONS[action]!;
  const taken = takenFields(input);
  const other = Object.keys(given).find((name) => !taken.includes(name));
  if (other !== undefined) {
    throw new ClientError(
      'ERR_USAGE',
      `"${snake(other)}" is not a value of the action "${action}"`,
      { hint: `leave "${snake(other)}" out` },
    );
  }
  const missing = fieldsOf(input).find((field) => {
    // A terminal gets questions for both.
    const isArgument = action === 'new' && field.isArgument === true;
    return (field.isRequired === true || isArgument) && !(field.name in given);
  });
  if (missing !== undefined) {
    const name = snake(missing.name);
    throw new ClientError('ERR_USAGE', `The action "${action}" needs "${name}"`, {
      hint: `give "${name}", such as ${name === 'builds' ? '["alice/web"]' : '"alice/web"'}`,
    });
  }
  const isDenied = 'install' in input.shape && given['install'] === undefined;
  const folder =
    typeof given['folder'] === 'string' ? { folder: inside(given['folder'], options) } : {};
  return { ...given, ...folder, ...(isDenied ? { install: false } : {}) };
}

function applyTool(plans: ReadonlyMap<string, Planned>): Tool {
  return {
    name: 'apply',
    title: 'Apply a plan',
    description:
      'Carries out the plan of this hash, which "plan" returned in this session and the user has seen, if nothing has changed since. Refuses any other. "next" lists what is left to do, "data.proof" what was found in the running application.',
    input: z.strictObject({
      plan_hash: z.string().max(100).describe('of "plan"'),
      yes: z.boolean().default(false).describe('the user wants builds that are rated dangerous'),
    }),
    isChanging: true,
    run: async ({ plan_hash, yes }, options, context) => {
      const planned = plans.get(String(plan_hash));
      if (planned === undefined)
        throw planChanged('"plan" has not returned this hash in this session');
      const { command, input, purpose } = planned;
      let isApproved = false;
      const approving: RunContext = {
        ...context,
        approve: (data) => {
          const hash = 'plan' in data ? planHash(data.plan, purpose) : dataHash(data, purpose);
          if (hash !== plan_hash) throw planChanged('this is not the plan of that hash any more');
          isApproved = true;
        },
        ask: async ([question, ...more]) => {
          if (question?.about !== 'danger')
            return askNobody(question === undefined ? [] : [question, ...more]);
          if (yes !== true) throw needsYes(question.text);
          return [{ question, text: 'yes' }, ...(await askNobody(more))];
        },
      };
      const outcome = await run(command, input, options, approving);
      // Nothing was applied, so the present plan is not the one of the hash.
      if (!isApproved) throw planChanged('this is not the plan of that hash any more');
      return outcome;
    },
  };
}

const REPORT: Tool = {
  name: 'report',
  title: 'Prepare a report about a build',
  description:
    'Prepares a report that a version of a build worked or failed. Sends nothing and writes nothing: it returns the JSON document and where the user may send it. No personal data and no secrets in the note.',
  input: z.strictObject({
    build: z.string().max(400).describe('"<owner>/<name>@<version>"'),
    outcome: z.enum(['success', 'failure']),
    note: z.string().max(MAX_NOTE_CHARACTERS).optional().describe('what worked or failed'),
  }),
  isChanging: false,
  run: async ({ build, outcome, note }, options, context) => {
    const noted =
      typeof note === 'string' ? { note: checkedText(note, 'note', MAX_NOTE_CHARACTERS) } : {};
    const record = (await run(info, { build }, options, context)).data as PackageRecord;
    const { id, version, integrity } = record;
    const day = new Date().toISOString().slice(0, 10);
    const folder = `reports/${id}/${version}/`;
    const result = String(outcome);
    const send = `Nothing was sent. Add "account" ("host:" and the numeric id at the code host), and open a pull request against the repository of the registry that puts the document into ${folder}, as "stackyard report ${id}@${version} ${result}" does, or use its issue form for reports.`;
    const document = { build: id, version, integrity, outcome: result, day, ...noted };
    return { status: 'done', data: { document, missing: ['account'], folder, send }, text: [] };
  },
};

/** Agents work in the folder that the user gave them: a folder behind a link is another. @throws {ClientError} `ERR_USAGE` */
function inside(folder: string, { cwd }: GlobalOptions): string {
  const root = realpathSync(resolve(cwd));
  const path = relative(root, resolve(root, folder));
  let there = resolve(root, folder);
  while (lstatSync(there, { throwIfNoEntry: false }) === undefined) there = dirname(there);
  const isInside = [path, relative(root, realPath(there))].every((one) => {
    return one !== '..' && !one.startsWith('../') && !isAbsolute(one);
  });
  if (path !== '' && isInside) return path;
  throw new ClientError('ERR_USAGE', `"${folder}" is not a folder below that of the server`, {
    hint: 'give a relative path without "..", such as "apps/web"',
  });
}

/** The fields of JSON are in snake case, as in all documents: `on_exists` of `onExists`. */
function snake(name: string): string {
  return kebab(name).replaceAll('-', '_');
}

function camelKeys(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name.replace(/_([a-z])/g, (_, letter: string) =>
          String.fromCharCode(letter.charCodeAt(0) - 32),
        ),
        value,
      ]),
  );
}

function withoutDefault(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? withoutDefault(schema.unwrap() as z.ZodType)
    : schema;
}

function planChanged(why: string): ClientError {
  return new ClientError('ERR_PLAN_CHANGED', `Nothing was changed: ${why}`, {
    hint: 'call "plan" again and read its result',
  });
}

function needsYes(text: string): ClientError {
  return new ClientError('ERR_NEEDS_ANSWER', `Cannot go on without an answer: ${text}`, {
    hint: 'ask the user; "yes": true answers yes',
  });
}
