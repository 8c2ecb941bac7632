/**
 * The entries that a plan adds to the project's own files, as schemas: packages, scripts and variables, steps of guides, and
 * what of it needs consent; and what the wiring of builds changes. Open: later clients may add fields.
 */
import { z } from 'zod';
import { CONSENT_CLASSES, type ConsentClass } from '../../format/build/consent-classes.ts';
import type { LockedWiring } from '../../format/project/lock.ts';

/** Read-only at every depth. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

const Id = z.string();
const Table = z.enum(['dependencies', 'devDependencies']);
export type Table = z.infer<typeof Table>;

const Entry = {
  build: Id,
  name: z.string(),
  action: z.enum(['added', 'kept']),
  unchanged: z
    .literal(true)
    .optional()
    .describe('The previous version of the build added it, and it stays the same.'),
};

/** A package of a build in a manifest of the project. */
const Package = {
  ...Entry,
  table: Table,
  wanted: z.string().describe('The range that the build requires.'),
  dev: z.literal(true).optional().describe('The build needs it for development only.'),
};

/** An npm package of a build in package.json. */
export const NpmEntry = z.object({ ...Package, range: z.string() });
export type NpmEntry = Frozen<z.infer<typeof NpmEntry>>;

/** A Python distribution of a build in a Python manifest. */
export const PipEntry = z.object({ ...Package, specifier: z.string(), file: z.string() });
export type PipEntry = Frozen<z.infer<typeof PipEntry>>;

/** A script of a build in package.json. */
export const ScriptEntry = z.object({ ...Entry, value: z.string() });
export type ScriptEntry = Frozen<z.infer<typeof ScriptEntry>>;

/** An environment variable of a build in `.env.example`. */
export const VariableEntry = z.object({
  ...Entry,
  required: z.boolean(),
  description: z.string().optional(),
  text: z.string().optional().describe('The added lines.'),
});
export type VariableEntry = Frozen<z.infer<typeof VariableEntry>>;

/** A block of a step of INTEGRATION.md, and what happens to it. */
export const WiringEntry = z.object({
  build: Id,
  step: z.int().describe('Number of the step in INTEGRATION.md.'),
  file: z
    .string()
    .describe('The file of the project; of a step by hand the target as the guide names it.'),
  text: z
    .string()
    .describe('What is put in, or taken out; of a step by hand the step as it is written.'),
  action: z
    .enum(['added', 'kept', 'by_hand', 'replaced', 'removed', 'left', 'held'])
    .describe(
      '"kept": the project has it already. "replaced": the new version has another text. "left": the text was changed since it was put in, and stays. "held": the new text can do more than the present one, which stays until the user agrees.',
    ),
  before: z
    .string()
    .exactOptional()
    .describe(
      'The text that was put in before, of one that an update replaces, removes or would replace.',
    ),
  gains: z
    .array(z.string())
    .exactOptional()
    .describe('What a held text can do that the present one cannot, such as "start sh".'),
  why: z.string().exactOptional().describe('Why a step is left to the user, or a text stays.'),
});
export type WiringEntry = Frozen<z.infer<typeof WiringEntry>>;

/** A file, a wired text or a script that needs consent. */
export const ConsentEntry = z.object({
  build: Id,
  path: z.string().describe('In the project; of a script "package.json#/scripts/<name>".'),
  class: z.enum(Object.keys(CONSENT_CLASSES) as ConsentClass[]).describe('A value of --allow.'),
  does: z.string().describe('What it can do.'),
  given: z.boolean().describe('Whether --allow has its class, its path or all.'),
});
export type ConsentEntry = Frozen<z.infer<typeof ConsentEntry>>;

/** A text of a guide that neither the user nor the new version can keep alone. */
export interface WiringConflict {
  readonly build: string;
  readonly step: number;
  readonly file: string;
  readonly why: string;
  /** The step as it is written. */
  readonly text: string;
}

export interface PlannedWiring {
  readonly entries: readonly WiringEntry[];
  /** The files that change; `undefined` deletes one. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** By build: what its lock entry has afterwards; `undefined` where it is not wired any more. */
  readonly locked: ReadonlyMap<string, readonly LockedWiring[] | undefined>;
  readonly conflicts: readonly WiringConflict[];
  /** The builds whose guide has no step that is left to the user and not an entry. */
  readonly integrated: ReadonlySet<string>;
}
