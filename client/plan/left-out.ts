/**
 * What a project leaves out of its foundation by deleting it: modules, and the example. The example is every folder `example`, and in other files the lines that end with a comment which is the word `example`:
 *
 *     import { exampleModule } from './features/example/module.js'; // example
 *     # Settings of the example.  # example
 *     - `GET /example` lists items <!-- example -->
 *
 * And the lines that `new` puts into files of the foundation, which no comparison counts as an edit of the user. Pure.
 */
import { folderOf, resolvePath } from './place/paths.ts';

const EXAMPLE_FOLDER = /(?:^|\/)example\//;
const EXAMPLE_LINE = /^.*(?:\/\/|#|<!--) example(?: -->)?[ \t]*\r?$\n?/gm;
const SOURCE_ENDING = /\.(?:[mc]?[jt]sx?|py)$/;
const IMPORT = /^import\s+(?:type\s+)?(.+?)\s+from\s+["'](\.[^"']*)["'].*$/gm;
const PYTHON_IMPORT = /^from\s+(\.*[\w.]+)\s+import\s+(.+)$/gm;

/** Whether a path within a build is of its example. */
function isOfExample(from: string): boolean {
  return EXAMPLE_FOLDER.test(from);
}

/**
 * The lines of a file that concern deleted modules, for merging: where the project has none of them, neither side of the merge has
 * them, so that a new version does not bring them back.
 */
export class DeletedModules {
  readonly #stems: ReadonlySet<string>;
  readonly #hasExample: boolean;

  /** @param paths of deleted files, in the project */
  constructor(paths: Iterable<string>) {
    const all = [...paths];
    this.#stems = new Set(
      all.filter((path) => SOURCE_ENDING.test(path)).map((path) => path.replace(SOURCE_ENDING, '')),
    );
    this.#hasExample = all.some(isOfExample);
  }

  /**
   * Both shipped texts of the file at `path` without the lines about deleted modules.
   * @param ours what the project has there; with one of the lines in it, nothing is taken out
   */
  strip(
    path: string,
    ours: Uint8Array | undefined,
    base: Uint8Array | undefined,
    theirs: Uint8Array,
  ): { readonly base: Uint8Array | undefined; readonly theirs: Uint8Array } {
    if (this.#stems.size === 0 && !this.#hasExample) return { base, theirs };
    const names = new Set([base, theirs].flatMap((bytes) => this.#namesIn(path, bytes)));
    const lines = linesWith(names);
    const isLeft = (text: string): boolean =>
      (this.#hasExample && text.search(EXAMPLE_LINE) >= 0) ||
      (lines !== undefined && text.search(lines) >= 0);
    if (ours !== undefined && isLeft(Buffer.from(ours).toString('utf8'))) return { base, theirs };
    const without = (bytes: Uint8Array): Uint8Array =>
      editText(bytes, (text) => {
        const rest = this.#hasExample ? text.replace(EXAMPLE_LINE, '') : text;
        return lines === undefined ? rest : rest.replace(lines, '');
      });
    return { base: base === undefined ? undefined : without(base), theirs: without(theirs) };
  }

  /** What the file at `path` imports from deleted modules. */
  #namesIn(path: string, bytes: Uint8Array | undefined): string[] {
    const text = Buffer.from(bytes ?? []).toString('utf8');
    const found = [...text.matchAll(IMPORT)]
      .filter(([, , from = '']) => this.#stems.has(stemFrom(path, from)))
      .map(([, names = '']) => names);
    const inPython = [...text.matchAll(PYTHON_IMPORT)]
      .filter(([, module = '']) => this.#isPythonModule(module))
      .map(([, , names]) => names ?? '');
    return [...found, ...inPython].flatMap(boundNames);
  }

  #isPythonModule(name: string): boolean {
    const path = name.replace(/^\.+/, '').replaceAll('.', '/');
    return [...this.#stems].some((stem) => stem === path || stem.endsWith(`/${path}`));
  }
}

/** The path without ending that a relative import in the file at `path` names. */
function stemFrom(path: string, name: string): string {
  return (resolvePath(folderOf(path), name) ?? '').replace(SOURCE_ENDING, '');
}

/** `a` and `c` of `{ a, b as c }`. */
function boundNames(clause: string): string[] {
  return clause
    .replaceAll(/[{}()*]|\btype\b|#.*/g, ' ')
    .split(',')
    .map((part) => part.trim().split(/\s+/).at(-1) ?? '')
    .filter((name) => /^[\w$]+$/.test(name));
}

/** Whole lines that mention one of `names`. */
function linesWith(names: ReadonlySet<string>): RegExp | undefined {
  if (names.size === 0) return undefined;
  const any = [...names].map((name) => name.replaceAll('$', String.raw`\$`)).join('|');
  return new RegExp(String.raw`^.*(?<![\w$])(?:${any})(?![\w$]).*\r?$\n?`, 'gm');
}

export function editText(bytes: Uint8Array, edit: (text: string) => string): Uint8Array {
  if (bytes.includes(0)) return bytes;
  const text = Buffer.from(bytes).toString('utf8');
  const edited = edit(text);
  return edited === text ? bytes : Buffer.from(edited);
}
