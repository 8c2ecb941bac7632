/** What the imports of a file are rewritten by, and what comes of it. */
import type { ImportStyle, RewrittenImport } from '../plan/plan.ts';
import type { Aliases } from './aliases.ts';
import type { BuildPlace, Layout } from './layout.ts';
import type { TextEdit } from './text-edits.ts';

export interface RewriteContext {
  readonly layout: Layout;
  readonly build: BuildPlace;
  readonly style: ImportStyle | undefined;
  /** Pattern of the alias that the project's own code uses. */
  readonly alias: string | undefined;
  /** npm packages that the build declares. */
  readonly packages: ReadonlySet<string>;
  /** The aliases of the project. @throws {ClientError} where its configuration cannot be read */
  readonly aliases: () => Aliases;
  /** Folders from which Python imports modules, the longest first. */
  readonly pythonRoots: () => readonly string[];
  /** Whether the project has a module or file at a path without or with ending. */
  readonly hasModule: (path: string) => boolean;
}

/** A file of a build: its paths as shipped and in the project, and its text. */
export interface SourceFile {
  readonly shipped: string;
  readonly placed: string;
  readonly text: string;
}

/** What may need an edit by hand: it was left as it is. */
export interface LeftImport {
  readonly line: number;
  /** Completes "line 3: ...". */
  readonly what: string;
}

export interface FileRewrite {
  readonly edits: readonly TextEdit[];
  readonly imports: readonly RewrittenImport[];
  readonly left: readonly LeftImport[];
}

/** What the rewriting of imports and the wiring read of a project; each part is read when it is first needed. */
export interface ProjectCode {
  /** Paths of source files, sorted, those of builds too; tests are none. */
  readonly paths: () => readonly string[];
  /** The text of a file; `undefined` where there is none that is text. */
  readonly read: (path: string) => string | undefined;
  /** Whether something is at a path: a file, a folder, a link that may lead nowhere. */
  readonly isTaken: (path: string) => boolean;
  /** Whether a file or folder is at a path, or at what a link there leads to. */
  readonly has: (path: string) => boolean;
  /** Whether a `.js` file is an ES module by the package.json that it belongs to. */
  readonly isEsPackage: (path: string) => boolean;
  /** @throws {ClientError} where the configuration cannot be read */
  readonly aliases: () => Aliases;
  /** Folders from which Python imports modules, the longest first. */
  readonly pythonRoots: () => readonly string[];
}
