/** How the rewriting of imports and the wiring read the code of a project. Types only. */
import type { Aliases } from './aliases.ts';

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
