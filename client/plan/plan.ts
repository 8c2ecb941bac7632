/** A plan: its schema, what it is made from, and the file changes that carry it out. */
import { z } from 'zod';
import { isBuildId } from '../../format/build/build-id.ts';
import { isFilePath } from '../../format/build/file-path.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import { Integrity } from '../../format/index/record.ts';
import type { Lock, LockedLog, LockedRegistry } from '../../format/project/lock.ts';
import { isRegistryName } from '../../format/registry/registry-name.ts';
import { isRange } from '../../format/version/semver-range.ts';
import { isVersion } from '../../format/version/version.ts';
import {
  ConsentEntry,
  type Frozen,
  NpmEntry,
  PipEntry,
  ScriptEntry,
  VariableEntry,
  WiringEntry,
} from './planned-entries.ts';

/** A downloaded and verified version of a build. */
export interface FetchedBuild {
  readonly id: string;
  readonly version: string;
  readonly integrity: string;
  readonly manifest: Manifest;
  /** The files that an install places, by path within the build. */
  readonly files: ReadonlyMap<string, BuildFile>;
  /** The folder that the user chose instead of the manifest's `base`. */
  readonly to?: string;
  /** Path within the build to path in the project, of files and folders that the user moved. */
  readonly moved?: ReadonlyMap<string, string>;
  /** How its lock entry says that imports of other builds are written. */
  readonly imports?: ImportStyle;
  /** Pattern of the alias that the project's own code uses. */
  readonly alias?: string;
  /** Where its types are removed: how the project loads modules. */
  readonly form?: JavaScriptForm;
  /** Its files are in the style of the project. */
  readonly style?: 'project';
  /** Digest of its steps to integrate it, where it has some. */
  readonly guide?: string | undefined;
  /** Text of its INTEGRATION.md where that has wired fences. */
  readonly wiredGuide?: string;
  /** The same text, where it may promise answers to requests. */
  readonly expectedGuide?: string;
  /** Where it came from instead of a registry, as in a lock. */
  readonly source?: string | undefined;
  /** What the transparency log of its registry proves. */
  readonly log?: LockedLog | undefined;
  /** The name of its registry in the project; absent: that of the installed version, otherwise the default one. */
  readonly registry?: string;
}

/** JavaScript as ES modules in `.js` or `.mjs` files, or as CommonJS; or TypeScript whose imports have no ending, also for a bundler. */
const JavaScriptForm = z.enum(['esm', 'mjs', 'cjs', 'bare', 'bundled']);
export type JavaScriptForm = z.infer<typeof JavaScriptForm>;

/** How imports of other builds are written; without it, as they were shipped. */
export type ImportStyle = 'relative' | 'alias';

/** A file of a build, with the imports that its place in the project needs. */
export interface BuildFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  /** Where imports were rewritten, or the style: the digest of the file as it was shipped, and the imports. */
  readonly rewrite?: { readonly shipped: string; readonly imports: readonly RewrittenImport[] };
  /** The comment with which linters of the project ignore what cannot be fixed in it. */
  readonly header?: string;
}

/** An import of a file that was rewritten for its place. */
const RewrittenImport = z.object({
  line: z.number().describe('The line in the shipped file.'),
  from: z.string(),
  to: z.string(),
});
export type RewrittenImport = Frozen<z.infer<typeof RewrittenImport>>;

/** What to do when a file of the project differs from the build's file at the same path. */
export const OnExists = z.enum(['fail', 'skip', 'theirs', 'merge']);
export type OnExists = z.infer<typeof OnExists>;

/** What to do when the user and a new version edited the same part of a file. */
export const OnConflict = z.enum(['fail', 'ours', 'theirs', 'markers']);
export type OnConflict = z.infer<typeof OnConflict>;

/** What a change of a project brings and takes away. */
export interface Change {
  readonly command: Plan['command'];
  /** Base address of the registry. */
  readonly registry: string;
  /** By name: the registries of the lock after the change. */
  readonly registries: Readonly<Record<string, LockedRegistry>>;
  /** Builds to add or to update, at their new versions, sorted by id. */
  readonly builds: readonly FetchedBuild[];
  /** The previous versions of updated builds, and of others with changed or missing files, that are still available. */
  readonly bases: ReadonlyMap<string, FetchedBuild>;
  /** Installed builds to remove. */
  readonly leaving: ReadonlySet<string>;
  /** Installed builds whose guides are carried out although their files stay. */
  readonly wired?: readonly FetchedBuild[];
  readonly lock: Lock | undefined;
  /** The rule that the project takes over from its registry. */
  readonly minAgeHours?: number | undefined;
  /** By tag: builds of the registry that provide it, for tags that steps import from and no installed build provides. */
  readonly providers?: ReadonlyMap<string, readonly string[]> | undefined;
  /** What the user should know, as far as it is known before planning. */
  readonly warnings: readonly Warning[];
  readonly choices: Choices;
}

/** What the user decided, as far as it is known. */
export interface Choices extends Omit<PlanChoices, 'style' | 'wire'> {
  /** `undefined` is a question. */
  readonly style?: 'project' | 'shipped' | undefined;
  /** `undefined` is a question. */
  readonly wire?: boolean | readonly string[] | undefined;
}

/** The part of a project that a plan may read or change. */
export interface Snapshot {
  /** Content of the regular files among the paths that were read. */
  readonly project: ReadonlyMap<string, Uint8Array>;
  /** Missing parent folders of these paths, which the plan may create. */
  readonly missingFolders: ReadonlySet<string>;
  /** Symbolic links at these paths, which are never followed. */
  readonly links: ReadonlySet<string>;
}

/** What a plan is made from, beside the change. */
export interface ProjectState extends Snapshot {
  /**
   * Paths of files that differ from those of the builds only in their formatting: nobody edited them. Where a build
   * places a new file, the project's own one is adopted.
   */
  readonly reformatted: ReadonlySet<string>;
  /** Managers whose files are not edited: the user gets commands to run. */
  readonly byHand: ByHand;
  readonly scriptFacts?: ScriptFacts;
}

/** Folders of the project; `""` is the project itself. */
export interface CompiledTo {
  readonly outDir: string;
  /** What is in it goes to `outDir`. */
  readonly rootDir: string;
}

/** What the scripts of builds need to know of the project. */
export interface ScriptFacts {
  /** Absent where it is not known. */
  readonly compiled?: CompiledTo | undefined;
  /** Source files that scripts start, and whose step is left to the user. */
  readonly unmade?: ReadonlySet<string>;
}

/** Set where the project has no file of its ecosystem that is edited. */
export interface ByHand {
  readonly npm?: 'deno' | undefined;
  readonly pip?: 'pipenv' | 'conda' | undefined;
}

const Id = z.string().refine(isBuildId, { error: 'not a build id' });
const Version = z.string().refine(isVersion, { error: 'not a version' });
const Name = z.string().refine(isRegistryName, { error: 'not a name of a registry' });
const Range = z.string().refine(isRange, { error: 'not a range' });

/** A command for the user. */
const ManualStep = z.object({ command: z.string(), why: z.string() });
export type ManualStep = Frozen<z.infer<typeof ManualStep>>;

/** Something that the user should know and that does not stop the command. */
const Warning = z.object({
  code: z.string(),
  message: z.string(),
  path: z.string().describe('The project file that it is about; empty for none.'),
});
export type Warning = Frozen<z.infer<typeof Warning>>;

const PlanChoices = z.strictObject({
  requested: z.record(Id, Range).describe('The range that the user requested, by id.'),
  on_exists: OnExists,
  on_exists_at: z.record(z.string(), OnExists).optional().describe('By path.'),
  on_conflict: OnConflict,
  force: z.boolean(),
  allow: z.array(z.string()),
  keep: z.array(z.string()).optional().describe('Packages whose range the user decided to keep.'),
  to: z
    .record(Id, z.union([z.literal(''), z.string().refine(isFilePath)]))
    .optional()
    .describe('The folder that the user chose for a build, by id.'),
  style: z
    .literal('project')
    .optional()
    .describe('The formatters and fixers of the project run on the files of builds.'),
  wire: z
    .union([z.literal(true), z.array(Id)])
    .optional()
    .describe(
      'Builds whose guides are carried out: all that are new, or these. Of an update: whether wired text may do more.',
    ),
  unwire: z.array(Id).optional().describe('Builds whose steps are taken out.'),
});
export type PlanChoices = Frozen<z.infer<typeof PlanChoices>>;

/** A registry of the project after the plan. */
const PlannedRegistry = z.object({
  origin: z.string().optional(),
  address: z.string(),
  via: Name.optional().describe('The registry that names this one as upstream.'),
});

/** A build that the plan adds, updates or removes. */
const PlannedBuild = z.object({
  id: Id,
  version: Version,
  kind: z.enum(['module', 'foundation']),
  integrity: Integrity,
  required_by: z.array(z.string()),
  action: z.enum(['add', 'update', 'remove']),
  registry: Name.exactOptional().describe('The name of its registry, where there are several.'),
  has_integration: z
    .literal(true)
    .exactOptional()
    .describe(
      'Integration steps, which "stackyard info --integration" prints, are left to you: all of a new build but those in "wiring", and those that an update changed.',
    ),
  from: z.string().exactOptional().describe('The version before an update.'),
  to: z.string().exactOptional().describe("The folder that was chosen instead of the build's own."),
  form: JavaScriptForm.exactOptional().describe(
    'Its types are removed: ES modules in .js or .mjs files, or CommonJS; "bare": TypeScript whose imports have no ending; "bundled": the same for a bundler.',
  ),
  source: z
    .string()
    .max(1_010)
    .exactOptional()
    .describe('Where it comes from instead of a registry.'),
});
export type PlannedBuild = Frozen<z.infer<typeof PlannedBuild>>;

/** A file of a build, and what happens to it. */
const PlannedFile = z.object({
  build: Id,
  path: z.string().describe('In the project.'),
  from: z.string().describe('Within the build.'),
  action: z
    .enum([
      'create',
      'replace',
      'identical',
      'skip',
      'merge',
      'keep',
      'conflict',
      'delete',
      'orphan',
    ])
    .describe(
      '"identical": the project has the same file. "skip": its file is kept and does not belong to the build; without one, it is left out. "keep": the edits of the user, or the deletion, of a file of the build are kept. "merge": the edits are merged with the new version. "conflict": both versions are written between markers. "orphan": the build no longer has the file, and the edited file is kept.',
    ),
  mode: z.enum(['644', '755']),
  reformatted: z
    .literal(true)
    .exactOptional()
    .describe("The project's file differs from the build's only in its formatting."),
  conflict: z.int().exactOptional().describe('The length of the markers of its conflicts.'),
  moved_from: z.string().exactOptional().describe('The path before an update that moves it.'),
  before: Integrity.exactOptional().describe("Of the project's file; absent where it has none."),
  after: Integrity.exactOptional().describe("Of the project's file afterwards."),
  shipped: Integrity.exactOptional().describe("Of the build's file, if it differs."),
  placed: Integrity.exactOptional().describe(
    "Of the build's file with rewritten imports and in the style of the project.",
  ),
  header: z
    .string()
    .exactOptional()
    .describe('The comment in it with which linters ignore what cannot be fixed.'),
  imports: z
    .array(RewrittenImport)
    .exactOptional()
    .describe('The imports that are rewritten for the place of the file.'),
});
export type PlannedFile = Frozen<z.infer<typeof PlannedFile>>;

/** A file of the project that is created, edited or deleted for builds. */
const PlannedEdit = z.object({
  path: z.string(),
  action: z.enum(['create', 'edit', 'delete']),
  before: Integrity.exactOptional().describe('Absent for a new file.'),
  after: Integrity.exactOptional().describe('Absent for a deleted file.'),
});
export type PlannedEdit = Frozen<z.infer<typeof PlannedEdit>>;

/** What `--dry-run` prints, what is saved, and what is applied. */
export const Plan = z.object({
  command: z.enum(['add', 'new', 'update', 'remove', 'wire', 'unwire']),
  registry: z.string().describe('The address of the default registry.'),
  registries: z
    .record(Name, PlannedRegistry)
    .exactOptional()
    .describe('By name, where the project has several.'),
  builds: z.array(PlannedBuild),
  files: z.array(PlannedFile),
  edits: z.array(PlannedEdit),
  npm: z.array(NpmEntry),
  pip: z.array(PipEntry),
  scripts: z.array(ScriptEntry),
  env: z.array(VariableEntry),
  wiring: z
    .array(WiringEntry)
    .exactOptional()
    .describe('The steps of guides that are carried out or left to the user.'),
  consent: z
    .array(ConsentEntry)
    .exactOptional()
    .describe('What programs run or read by themselves: it needs a yes.'),
  choices: PlanChoices.describe('The options of the user, which make the same plan again.'),
  warnings: z.array(Warning),
  by_hand: z
    .array(ManualStep)
    .exactOptional()
    .describe('What the user has to run: packages of managers whose files are not edited.'),
});
export type Plan = Frozen<z.infer<typeof Plan>>;

/** What a command that changes a project prints with `--json`. */
export const ChangeOutput = z.looseObject({
  plan: Plan.optional().describe('Absent when there was nothing to do.'),
  project: z.string().optional(),
  commands: z
    .array(z.string())
    .optional()
    .describe('Of a dry run: the package manager that would run.'),
  prove: z
    .looseObject({
      commands: z.array(z.string()),
      runs: z.boolean(),
      requests: z
        .int()
        .describe(
          'How many requests the guides promise answers to, once the steps are in the code.',
        ),
    })
    .optional()
    .describe('Of a dry run: what would prove the change, and whether it runs without a question.'),
  proof: z
    .looseObject({
      is_good: z
        .boolean()
        .describe('Nothing that worked before fails, and requests are answered as promised.'),
      facts: z.array(z.string()).describe('What ran, with its result.'),
      problems: z
        .array(
          z.looseObject({
            text: z.string(),
            cause: z.string().optional(),
            output: z.array(z.string()).optional(),
          }),
        )
        .describe('What got worse, with the files and steps of the change that its output names.'),
      output: z.array(z.string()).optional().describe('Of an application that did not listen.'),
    })
    .optional()
    .describe('What was run in the project; absent where nothing was.'),
});

/** Of restored files. */
export const ConsentOutput = z
  .array(ConsentEntry)
  .optional()
  .describe('What programs run or read by themselves; absent for nothing.');

/** A plan with the changes that carry it out. */
export interface MadePlan {
  readonly plan: Plan;
  readonly changes: readonly FileChange[];
  /** The change of the lock, which is applied last. */
  readonly commit: FileChange;
  /** Folders to remove if they are empty after the changes. */
  readonly emptied: readonly string[];
  /** Folders that the changes create. */
  readonly folders: readonly string[];
}

/** A file that a transaction creates, replaces or deletes. */
export interface FileChange {
  /** Relative to the project, `/`-separated. */
  readonly path: string;
  /** The new content; `undefined` deletes the file. */
  readonly bytes: Uint8Array | undefined;
  /** Whether it can be run; absent: as the present file, and not for a new one. */
  readonly executable?: boolean | undefined;
  /** Integrity of the present content; `undefined` if there is no file. */
  readonly expected: string | undefined;
}
