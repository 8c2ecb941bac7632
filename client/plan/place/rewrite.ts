/** What the imports of a file are rewritten by, and what comes of it. Types only. */
import type { TextEdit } from '../../edit/text-edit.ts';
import type { ImportStyle, RewrittenImport } from '../plan.ts';
import type { Aliases } from './aliases.ts';
import { type BuildPlace, type Layout, type Reached } from './layout.ts';

/** What the imports of a file are rewritten by, and what comes of it. */
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
  /** In blocks of guides: the index of the build that `tag:database` stands for. */
  readonly tagged?: (specifier: string) => Reached | undefined;
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
