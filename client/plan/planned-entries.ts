/** The entries that a plan adds to the project's own files: packages, scripts and variables; what of it needs consent. */
import type { ConsentClass } from '../../format/build/consent-classes.ts';

export type Table = 'dependencies' | 'devDependencies';
type Action = 'added' | 'kept';

/** An npm package of a build in package.json. */
export interface NpmEntry {
  readonly build: string;
  readonly name: string;
  readonly range: string;
  readonly table: Table;
  readonly action: Action;
  /** The previous version of the build added it, and the entry stays the same. */
  readonly unchanged?: true | undefined;
  /** The range that the build requires. */
  readonly wanted: string;
  /** The build needs it for development only. */
  readonly dev?: true | undefined;
}

/** A Python distribution of a build in a Python manifest. */
export interface PipEntry {
  readonly build: string;
  readonly name: string;
  readonly specifier: string;
  readonly table: Table;
  readonly file: string;
  readonly action: Action;
  /** The previous version of the build added it, and the entry stays the same. */
  readonly unchanged?: true | undefined;
  /** The specifier that the build requires. */
  readonly wanted: string;
  /** The build needs it for development only. */
  readonly dev?: true | undefined;
}

/** A script of a build in package.json. */
export interface ScriptEntry {
  readonly build: string;
  readonly name: string;
  readonly value: string;
  readonly action: Action;
  /** The previous version of the build added it, and the entry stays the same. */
  readonly unchanged?: true | undefined;
}

/** An environment variable of a build in `.env.example`. */
export interface VariableEntry {
  readonly build: string;
  readonly name: string;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly action: Action;
  /** The previous version of the build added it, and the entry stays the same. */
  readonly unchanged?: true | undefined;
  /** The added lines. */
  readonly text?: string | undefined;
}

/** A block of a step of INTEGRATION.md, and what happens to it. */
export interface WiringEntry {
  readonly build: string;
  readonly step: number;
  /** The file of the project; of a step by hand the target as the guide names it. */
  readonly file: string;
  /** The text that is put in, or taken out; of a step by hand the step as it is written. */
  readonly text: string;
  /**
   * `kept`: the project has it already. `replaced`: the new version has another text. `left`: the text was
   * changed since it was put in, and stays. `held`: the new text can do more than the present one, which stays
   * until the user agrees.
   */
  readonly action: 'added' | 'kept' | 'by_hand' | 'replaced' | 'removed' | 'left' | 'held';
  /** The text that was put in before, of one that an update replaces, removes or would replace. */
  readonly before?: string;
  /** What a held text can do that the present one cannot, such as `starts sh`. */
  readonly gains?: readonly string[];
  /** Why a step is left to the user, or a text stays. */
  readonly why?: string;
}

/** A file, a wired text or a script that needs consent. */
export interface ConsentEntry {
  readonly build: string;
  /** In the project; of a script `package.json#/scripts/<name>`. */
  readonly path: string;
  readonly class: ConsentClass;
  /** What it can do. */
  readonly does: string;
  /** Whether `--allow` has its class, its path or all. */
  readonly given: boolean;
}
