/** The options that several commands have, and those that all have. */
import { z } from 'zod';
import { CONSENT_CLASSES } from '../../format/build/consent-classes.ts';
import { ALLOW_ALL, isAllowable } from '../../format/build/consent.ts';
import {
  type AnyCommand,
  type Command,
  defineCommand,
  type Program,
} from '../../format/command/command.ts';
import { ClientError } from '../errors.ts';
import type { Choices, OnExists, Plan } from '../plan/plan.ts';
import type { Frozen } from '../plan/planned-entries.ts';
import type { Ask } from '../plan/question.ts';
import type { CommandContext, GlobalOptions, Outcome } from './command.ts';

const DECISIONS: readonly OnExists[] = ['fail', 'skip', 'theirs', 'merge'];

const WANTED_DECISION = `the choices are ${DECISIONS.join(', ')}, each alone or with a path, such as theirs:src/a.ts`;

/** What the program hands to a command: only commands print, and put questions. */
export interface RunContext extends CommandContext {
  /** For commands that describe the others. */
  readonly program: Program;
  /** The folder of relative paths of builds; by default the working folder. */
  readonly from?: string;
  /** Whether someone can answer a question. */
  readonly canAsk: boolean;
  readonly ask: Ask;
  /** Called with the data of a change before it is made; throws where it is not the one that was shown. */
  readonly approve?: (data: ChangeData) => void;
}

/** A change as data: its plan, or the digests of its files. */
type ChangeData = { readonly plan: Plan } | { readonly files: readonly unknown[] };

/** A command of `stackyard`. */
export type ClientCommand = AnyCommand<GlobalOptions, RunContext, Outcome>;

/** `command`, with the input of `run` typed by its schema. */
export function define<Input extends z.ZodObject>(
  command: Command<Input, GlobalOptions, RunContext, Outcome>,
): Command<Input, GlobalOptions, RunContext, Outcome> {
  return defineCommand(command);
}

/** An id with a range, as messages and hints write it. */
const Request = z.string().max(1_010);
const CLASSES = Object.keys(CONSENT_CLASSES);

/** An option that is off unless it is given. */
export const flag = (description: string) => z.boolean().default(false).meta({ description });

/** An option with a text, which may be left out. */
export const word = (description: string, placeholder: string) =>
  z.string().optional().meta({ description, placeholder });

export const dryRun = flag('print what would change and write nothing');

export const install = z
  .boolean()
  .default(true)
  .meta({ description: 'do not run the package manager' });

export const prove = z.boolean().optional().meta({
  description: 'run the checks of the project before and after the change; no question',
  isNegatable: true,
});

/** The folder of a build that is not published yet. */
export const folder = z
  .string()
  .default('.')
  .meta({ description: 'the folder of the build', isArgument: true });

/** Builds of which there must be one. */
export const someBuilds = (description: string, suggests: readonly string[] = ['@installed']) =>
  z.array(Request).min(1).max(1_000).meta({ description, isArgument: true, suggests });

/** Builds of which there may be none. */
export const anyBuilds = (description: string, suggests: readonly string[] = ['@installed']) =>
  z.array(Request).max(1_000).default([]).meta({ description, isArgument: true, suggests });

export const oneBuild = (description: string) =>
  Request.meta({ description, isArgument: true, suggests: ['@installed', '@registries'] });

export const minAge = word('ignore versions younger than this, such as 12h, 7d or 2w', 'duration');

const ALLOWED = `give ${ALLOW_ALL}, a class (${CLASSES.join(', ')}), or a path in the project that the plan lists`;

export const allow = z
  .array(
    z
      .string()
      .overwrite((word) => word.replace(/^\.\//, ''))
      .refine(isAllowable, { error: ALLOWED }),
  )
  .default([])
  .meta({
    description:
      'consent to what programs run or read by themselves: classes or paths as the plan lists them, or all',
    placeholder: 'what',
    hasCommas: true,
    suggests: [ALLOW_ALL, ...CLASSES],
  });

export const onExists = z
  .array(z.string().refine(isFileDecision, { error: WANTED_DECISION }))
  .default([])
  .meta({
    description: `if a file of the project differs: ${DECISIONS.join(', ')}; for one file theirs:src/a.ts, and repeat it (default: fail)`,
    placeholder: 'what',
    suggests: DECISIONS,
  });

/** The decision for ranges of the project's own files. */
export const keep = z.array(z.string().max(214)).default([]).meta({
  description: 'keep the range of the project where it does not meet that of a build',
  placeholder: 'packages',
  hasCommas: true,
});

/** The options of `add` that the library's `plan` takes as well. */
export const PlanDecisions = z.object({
  onExists,
  keep,
  allow,
  to: z.string().max(400).optional().meta({
    description: 'put the build into this folder of the project; rewrites its imports',
    placeholder: 'folder',
  }),
});
export type PlanDecisions = Frozen<z.input<typeof PlanDecisions>>;

export const style = z.enum(['project', 'shipped']).optional().meta({
  description:
    'the style of placed files: "project" runs the fixers of the project on them, which are its code and have your rights; default: what you answered',
  placeholder: 'which',
});

/** Of commands that open pull requests at a registry. */
export const sendNothing = flag('print what would be proposed and send nothing');

const WHOLE = 'give a whole number';
export const accountId = z.int(WHOLE).positive(WHOLE).optional().meta({
  description: 'your numeric account at the code host, if GITHUB_TOKEN is not set',
  placeholder: 'number',
});

export const Findings = z.array(
  z.looseObject({
    level: z.enum(['error', 'warn', 'info']),
    code: z.string(),
    file: z.string(),
    message: z.string(),
  }),
);

/** The data about a build that cannot be published. */
export const Refused = z.looseObject({ build: z.string(), findings: Findings });

/** The data about a pull request. */
export const PROPOSED = {
  repository: z.string(),
  branch: z.string(),
  base: z.string().describe('The branch that the pull request goes to.'),
  files: z.array(
    z.strictObject({ path: z.string(), change: z.enum(['added', 'changed', 'deleted']) }),
  ),
  pushed_to: z.string().optional().describe('Absent with --dry-run, as what follows.'),
  commit: z.string().optional(),
  state: z.enum(['pushed', 'updated', 'unchanged']).optional(),
  compare: z.string().optional().describe('The page that opens the pull request.'),
  pull_request: z.string().optional().describe('Absent without GITHUB_TOKEN.'),
  build: z.string(),
};

/** Present where the project has several registries. */
export const RegistryOf = {
  registry: z.string().optional().describe('The name of its registry, where there are several.'),
};

/** Whether `--on-exists` takes `text`. */
function isFileDecision(text: string): boolean {
  return DECISIONS.some((known) => text === known || text.startsWith(`${known}:`));
}

/** The choices as `--on-exists` has them: of two about the same, the last one counts. @throws {ClientError} `ERR_USAGE` */
export function fileDecisions(
  texts: readonly string[],
): Pick<Choices, 'on_exists' | 'on_exists_at'> {
  let on_exists: OnExists = 'fail';
  const at = new Map<string, OnExists>();
  for (const text of texts) {
    const [what = '', ...rest] = text.split(':');
    const choice = DECISIONS.find((known) => known === what);
    if (choice === undefined) {
      throw new ClientError('ERR_USAGE', `A decision about files is ${JSON.stringify(text)}`, {
        hint: WANTED_DECISION,
      });
    }
    // Windows paths are accepted too.
    const path = rest.join(':').replaceAll('\\', '/').replace(/^\.\//, '');
    if (rest.length === 0) on_exists = choice;
    else at.set(path, choice);
  }
  return { on_exists, on_exists_at: Object.fromEntries(at) };
}
