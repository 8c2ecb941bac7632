/** The files of a project as wiring reads and changes them: changes on top of what is on disk. */

/** How wiring reads a project; it never writes. */
interface WireProject {
  /** Files of code that may hold the application, sorted: none of modules, of wiring, or of tests. */
  readonly paths: readonly string[];
  /** The text of a file; `undefined` where there is none that is text. */
  readonly read: (path: string) => string | undefined;
  /** Whether a file belongs to an installed module, or will. */
  readonly isOfModule: (path: string) => boolean;
  /** Whether a `.js` file is an ES module by the package.json that it belongs to. */
  readonly isEsPackage: (path: string) => boolean;
  /** The file of the project that a module name stands for in the file at `from`. */
  readonly resolve: (from: string, specifier: string) => string | undefined;
  /** Whether something that is no readable text is at a path: a folder, a link, a binary file. */
  readonly isTaken: (path: string) => boolean;
}

/** `WireProject` with the changes of the wiring so far. */
export class ProjectTexts {
  readonly project: WireProject;
  readonly #texts: Map<string, string | undefined>;

  constructor(project: WireProject, texts: ReadonlyMap<string, string | undefined> = new Map()) {
    this.project = project;
    this.#texts = new Map(texts);
  }

  get(path: string): string | undefined {
    return this.#texts.has(path) ? this.#texts.get(path) : this.project.read(path);
  }

  /** The file of the project that a module name stands for in the file at `from`. */
  readModule(from: string, specifier: string): { path: string; text: string } | undefined {
    const path = this.project.resolve(from, specifier);
    const text = path === undefined ? undefined : this.get(path);
    return path === undefined || text === undefined ? undefined : { path, text };
  }

  /** @param text `undefined` deletes the file */
  set(path: string, text: string | undefined): void {
    this.#texts.set(path, text);
  }

  /** A copy for what may not work out. */
  copy(): ProjectTexts {
    return new ProjectTexts(this.project, this.#texts);
  }

  /** The changed files, by path. */
  changes(): ReadonlyMap<string, string | undefined> {
    return this.#texts;
  }
}
