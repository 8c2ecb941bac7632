/** The schemas of what each command prints with `--json`. */
import { z } from 'zod';
import { Integrity, PackageRecord } from '../../format/index/record.ts';
import { LockedLog } from '../../format/lock/lock.ts';
import { Provenance } from '../../format/provenance/provenance.ts';
import { envelopeSchema } from './envelope.ts';
import { AdvisoriesOutput } from './advisories.ts';
import { ChangeOutput, ConsentOutput } from './plan.ts';
import { CiReports, PUBLISHING_OUTPUTS } from './publishing.ts';

const Reason = {
  requested: z.string().optional().describe('The range that the user requested.'),
  required_by: z.array(z.string()),
};

/** Present where the project has several registries. */
const RegistryOf = {
  registry: z.string().optional().describe('The name of its registry, where there are several.'),
};

const Failure = z.looseObject({
  version: z.string(),
  step: z.string(),
  error: z.array(z.string()).describe('The first lines of what the step wrote.'),
});

/** What the registry has measured. */
const MeasuredRange = z.looseObject({
  tag: z.string(),
  range: z.string(),
  last_good: z.string().optional().describe('The highest version that works.'),
  first_bad: Failure.optional().describe('The lowest version that fails above it.'),
  bad_below: Failure.optional().describe('The highest version that fails below those that work.'),
  versions: z.array(
    z.looseObject({
      version: z.string(),
      outcome: z.enum(['ok', 'failed']),
      others: z.enum(['newest', 'lowest']).describe('Which versions of the others were used.'),
      date: z.string(),
    }),
  ),
});

const AdvisoriesOf = {
  advisories: z
    .array(z.string())
    .optional()
    .describe('Ids of advisories about the installed version that are not ignored.'),
  good: z.string().optional().describe('The first version without any of them.'),
};

const OUTPUTS: Readonly<Record<string, z.ZodType>> = {
  add: ChangeOutput,
  new: ChangeOutput,
  update: ChangeOutput,
  remove: ChangeOutput,
  wire: ChangeOutput,
  unwire: ChangeOutput,
  info: z.union([
    PackageRecord.extend({ ...RegistryOf, compatibility: z.array(MeasuredRange).optional() }),
    z
      .looseObject({
        id: z.string(),
        version: z.string(),
        statement: Provenance,
        log: LockedLog.optional().describe('What proves it; absent where nobody signs the log.'),
      })
      .describe('With --provenance.'),
  ]),
  search: z.looseObject({
    builds: z.array(
      z.looseObject({
        id: z.string(),
        latest: z.string(),
        kind: z.enum(['module', 'foundation']),
        description: z.string(),
        version: z
          .string()
          .optional()
          .describe('With --fits: the newest version that fits, or the one that is installed.'),
        installed: z.boolean().optional().describe('With --fits.'),
        language: z
          .array(z.string())
          .optional()
          .describe('With --fits: what the settings of the project do not give to its code.'),
        ...RegistryOf,
      }),
    ),
    total: z.int().describe('How many there are; with --fits, how many were found to fit.'),
    matching: z
      .int()
      .optional()
      .describe('With --fits: how many there are, whether they fit or not.'),
    looked_at: z.int().optional().describe('With --fits: how many of these were tried.'),
    newest: z
      .array(z.looseObject({ id: z.string(), latest: z.string() }))
      .optional()
      .describe('Without any criterion: the builds that changed last.'),
    corrected: z
      .string()
      .optional()
      .describe('The words that were searched for instead, where no build has one of the given.'),
    note: z
      .string()
      .optional()
      .describe('What the builds lack of the words as they were given: a sentence to show.'),
  }),
  view: z.looseObject({
    id: z.string(),
    version: z.string(),
    integrity: Integrity,
    ...RegistryOf,
    files: z
      .array(z.looseObject({ path: z.string(), mode: z.string(), size: z.int() }))
      .optional()
      .describe('Without a file.'),
    path: z.string().optional(),
    encoding: z.enum(['utf-8', 'base64']).optional(),
    content: z.string().optional(),
  }),
  fit: z.looseObject({
    fits: z.boolean(),
    builds: z
      .array(z.looseObject({ id: z.string(), version: z.string() }))
      .optional()
      .describe('What would be installed.'),
    reasons: z.array(z.looseObject({ text: z.string() })).optional(),
    stack: z.array(z.looseObject({ tag: z.string(), source: z.string() })),
  }),
  cache: z.looseObject({ folder: z.string() }),
  registry: z.looseObject({
    registries: z.array(
      z.looseObject({
        name: z.string(),
        origin: z.string().optional().describe('Absent while it is not known.'),
        address: z.string(),
        via: z.string().optional().describe('The registry that names it as upstream.'),
        reports: z.string().optional().describe('The accepted service for reports of CI runs.'),
        builds: z.int().describe('How many builds came from it.'),
        owners: z.array(z.string()).describe('The owners that belong to it.'),
      }),
    ),
  }),
  list: z.looseObject({
    builds: z.array(
      z.looseObject({
        id: z.string(),
        version: z.string(),
        kind: z.enum(['module', 'foundation']),
        ...Reason,
        base: z.string(),
        files: z.int(),
        ...RegistryOf,
        source: z.string().optional().describe('Where a local build came from.'),
      }),
    ),
  }),
  why: z.looseObject({
    path: z.string(),
    builds: z.array(
      z.looseObject({ id: z.string(), version: z.string(), from: z.string(), ...Reason }),
    ),
  }),
  licenses: z.looseObject({
    licenses: z.array(
      z.looseObject({
        license: z.string(),
        builds: z.array(z.looseObject({ id: z.string(), version: z.string() })),
      }),
    ),
  }),
  outdated: z.looseObject({
    builds: z.array(
      z.looseObject({
        id: z.string(),
        current: z.string(),
        wanted: z.string(),
        latest: z.string().optional().describe('Absent: the registry no longer has the build.'),
        yanked: z.string().optional(),
        withdrawn: z.literal(true).optional().describe('The tarball is gone.'),
        deprecated: z.string().optional(),
        moved: z.string().optional().describe('The id under which the build goes on.'),
        ...AdvisoriesOf,
        ...RegistryOf,
        unreachable: z.literal(true).optional().describe('Its registry cannot be reached.'),
        source: z.string().optional().describe('Where a build that is not published came from.'),
        published: z.literal(true).optional().describe('An update replaces a build of a source.'),
      }),
    ),
  }),
  advisories: AdvisoriesOutput,
  verify: z.looseObject({
    builds: z.int(),
    files: z.int(),
    differences: z.array(
      z.looseObject({
        build: z.string(),
        path: z.string(),
        state: z.string().describe('"modified", "missing", "not-a-file", and such.'),
        line_ends: z.literal(true).optional().describe('Only its line ends differ.'),
        why: z.string().optional().describe('Why it was compared by its bytes alone.'),
      }),
    ),
    reformatted: z
      .array(z.looseObject({ build: z.string(), path: z.string() }))
      .optional()
      .describe('Files that differ only in their formatting: they count as unmodified.'),
    tests: z
      .array(z.strictObject({ command: z.string(), status: z.int() }))
      .optional()
      .describe('What ran, with --report.'),
    reports: CiReports.optional(),
  }),
  apply: ChangeOutput,
  diff: z.looseObject({
    files: z.array(
      z.looseObject({
        build: z.string(),
        path: z.string(),
        state: z.string().describe('"added", "deleted", "changed".'),
        hunks: z.array(z.looseObject({})).optional().describe('Absent for what is not text.'),
      }),
    ),
    reformatted: z
      .array(z.looseObject({ build: z.string(), path: z.string() }))
      .optional()
      .describe('Files that differ only in their formatting.'),
  }),
  install: z.looseObject({
    project: z.string(),
    restored: z.array(z.string()),
    consent: ConsentOutput,
  }),
  undo: z.looseObject({
    undone: z.string().optional().describe('Absent when there was nothing to undo.'),
    files: z.array(z.string()).optional(),
    changes: z
      .array(
        z.looseObject({
          path: z.string(),
          before: Integrity.optional().describe('Absent where there is no file.'),
          after: Integrity.optional().describe('Absent where the file goes.'),
        }),
      )
      .optional(),
  }),
  recover: z.looseObject({ recovered: z.enum(['nothing', 'undone', 'finished']) }),
  resolve: z.looseObject({ path: z.string(), conflicts: z.int() }),
  doctor: z.strictObject({
    checks: z.array(
      z.strictObject({
        name: z.string(),
        state: z.enum(['ok', 'note', 'problem']),
        message: z.string(),
        fix: z.string().describe('A command or what to do; empty when there is nothing.'),
      }),
    ),
  }),
  completion: z.strictObject({
    shell: z.string(),
    script: z.string().describe('Empty with --candidates.'),
    candidates: z.array(z.string()).optional(),
  }),
  mcp: z.looseObject({
    command: z.array(z.string()).describe('Starts the server.'),
    tools: z.array(z.looseObject({ name: z.string(), description: z.string() })),
  }),
  schema: z.looseObject({}).describe('A JSON Schema.'),
  ...PUBLISHING_OUTPUTS,
  help: z.looseObject({ command: z.string(), usage: z.string() }),
  version: z.strictObject({ version: z.string(), node: z.string() }),
};

/** The schema of a command's `data`; an open object when nothing more is guaranteed. */
export function dataSchema(command: string): z.ZodType {
  return Object.hasOwn(OUTPUTS, command) ? OUTPUTS[command]! : z.looseObject({});
}

/** The schema of the whole document that a command prints. */
export function outputSchema(command: string): z.ZodType {
  return envelopeSchema(command, dataSchema(command));
}
