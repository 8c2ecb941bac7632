/** The schema of a plan, and of the data of commands that change a project. */
import { z } from 'zod';
import { Integrity } from '../../format/index/record.ts';
import { Warning } from './envelope.ts';

const Id = z.string();
const Table = z.enum(['dependencies', 'devDependencies']);
const Entry = {
  action: z.string().describe('"added", "kept", or a value of a later client.'),
  unchanged: z
    .literal(true)
    .optional()
    .describe('The previous version added it, and it stays the same.'),
};

/** Of a plan, of restored files and of imported items. */
export const ConsentOutput = z
  .array(
    z.looseObject({
      build: Id,
      path: z.string().describe('In the project; of a script "package.json#/scripts/<name>".'),
      class: z.string().describe('"ci", "agent", and such: a value of --allow.'),
      does: z.string().describe('What it can do.'),
      given: z.boolean().describe('Whether it is allowed; otherwise nothing is written.'),
    }),
  )
  .optional()
  .describe('What programs run or read by themselves; absent for nothing.');

/** Open: later clients may add fields. */
const PlanOutput = z.looseObject({
  registry: z.string().describe('The address of the default registry.'),
  registries: z
    .record(z.string(), z.looseObject({ address: z.string() }))
    .optional()
    .describe('By name, where the project has several.'),
  builds: z.array(
    z.looseObject({
      id: Id,
      version: z.string(),
      kind: z.enum(['module', 'foundation']),
      integrity: Integrity,
      required_by: z.array(Id),
      to: z.string().optional().describe("The folder that was chosen instead of the build's own."),
      registry: z
        .string()
        .optional()
        .describe('The name of its registry, where there are several.'),
    }),
  ),
  files: z.array(
    z.looseObject({
      build: Id,
      path: z.string().describe('In the project.'),
      action: z.string().describe('"create", "replace", "identical", "skip", and such.'),
      before: Integrity.optional().describe('Absent where the project has no file.'),
      imports: z
        .array(z.looseObject({ line: z.number(), from: z.string(), to: z.string() }))
        .optional()
        .describe('The imports that are rewritten for the place of the file.'),
      reformatted: z
        .literal(true)
        .optional()
        .describe("The project's file differs from the build's only in its formatting."),
    }),
  ),
  edits: z.array(
    z.looseObject({
      path: z.string(),
      action: z.string(),
      before: Integrity.optional(),
      after: Integrity.optional(),
    }),
  ),
  npm: z.array(
    z.looseObject({ build: Id, name: z.string(), range: z.string(), table: Table, ...Entry }),
  ),
  pip: z.array(z.looseObject({ build: Id, name: z.string(), file: z.string(), ...Entry })),
  scripts: z.array(z.looseObject({ build: Id, name: z.string(), ...Entry })),
  env: z.array(z.looseObject({ build: Id, name: z.string(), required: z.boolean(), ...Entry })),
  wiring: z
    .array(
      z.looseObject({
        build: Id,
        step: z.int().describe('Number of the step in INTEGRATION.md.'),
        file: z.string(),
        text: z.string().describe('What goes in or out; of a step by hand the step itself.'),
        action: z
          .string()
          .describe('"added", "kept", "by_hand", "replaced", "removed", "left", "held", and such.'),
        before: z
          .string()
          .optional()
          .describe('The text that was put in before, where an update has another one or none.'),
        gains: z
          .array(z.string())
          .optional()
          .describe('Of a held text: what it can do that the present one cannot.'),
        why: z.string().optional().describe('Why the user has to do it, or why a text stays.'),
      }),
    )
    .optional()
    .describe('The steps of guides; absent where none is carried out.'),
  consent: ConsentOutput,
  warnings: z.array(Warning),
});

export const ChangeOutput = z.looseObject({
  plan: PlanOutput.optional().describe('Absent when there was nothing to do.'),
  project: z.string().optional(),
  commands: z
    .array(z.string())
    .optional()
    .describe('Of a dry run: the package manager that would run.'),
});
