/** Rewrites the imports of a Python file, relative and absolute, for its place in a project. Pure. */
import { LineTable } from '../../../scan/parse/line-table.ts';
import type { RewrittenImport } from '../plan.ts';
import type { FileRewrite, LeftImport, RewriteContext, SourceFile } from './rewrite.ts';
import { findPythonImports } from './python-imports.ts';
import type { TextEdit } from '../../edit/text-edit.ts';
import type { BuildPlace } from './layout.ts';
import { folderOf, isWithin, joinPath, resolvePath } from './paths.ts';
import { ClientError } from '../../errors.ts';

type PythonImports = NonNullable<ReturnType<typeof findPythonImports>>;

type ModuleImport = PythonImports['modules'][number];

type FromImport = PythonImports['froms'][number];

/** A shipped path, and the root of sources from which it was found. */
interface Source {
  readonly path: string;
  readonly root: string;
}

/**
 * The rewrites of `file`.
 * @throws {ClientError} `ERR_USAGE` where Python cannot import from the folder of a module
 */
export function rewritePython(file: SourceFile, context: RewriteContext): FileRewrite {
  const found = findPythonImports(file.text);
  if (found === undefined) {
    const what = 'its syntax cannot be read, so its imports are left as they are';
    const left = file.placed === file.shipped ? [] : [{ line: 1, what }];
    return { edits: [], imports: [], left };
  }
  const run = new PythonRewrite(file, context, found);
  for (const one of found.froms) run.rewriteFrom(one);
  for (const one of found.modules) run.rewriteModule(one);
  run.rewriteUses();
  run.rewriteStrings();
  run.imports.sort((a, b) => a.line - b.line);
  run.left.sort((a, b) => a.line - b.line);
  return run;
}

class PythonRewrite implements FileRewrite {
  readonly edits: TextEdit[] = [];
  readonly imports: RewrittenImport[] = [];
  readonly left: LeftImport[] = [];
  readonly #file: SourceFile;
  readonly #context: RewriteContext;
  readonly #found: PythonImports;
  readonly #lines: LineTable;
  /** Modules that code names by their full path, and their new path. */
  readonly #renamed = new Map<string, string>();

  constructor(file: SourceFile, context: RewriteContext, found: PythonImports) {
    this.#file = file;
    this.#context = context;
    this.#found = found;
    this.#lines = new LineTable(file.text);
  }

  rewriteFrom(found: FromImport): void {
    const { module, names } = found;
    const source = this.#sourceOf(module);
    if (source === undefined) return;
    const own = this.#target(source.path);
    const goals = names.map((name) => {
      const part = this.#target(joinPath(source.path, name.name));
      // A name that is not a module of its own is defined by the module that it is imported from.
      const place = part === undefined ? (own ?? source.path) : folderOf(part);
      return { name, part, place };
    });
    if (own === undefined && goals.every(({ part }) => part === undefined)) {
      this.#rewriteUnshipped(found, source);
      return;
    }
    const places = new Set(goals.map(({ place }) => place));
    if (names.length === 0) places.add(own ?? source.path);
    const isRenamed = goals.some(
      ({ name, part }) => part !== undefined && nameOf(part) !== name.name,
    );
    const [only] = places;
    if (places.size === 1 && only !== undefined && !isRenamed) {
      this.#replaceModule(found, this.#nameFor(module, source, only));
      return;
    }
    if (found.hasComment) {
      this.#leave(
        found.start,
        'imports modules that are now in other places, with a comment between',
      );
      return;
    }
    const groups = Map.groupBy(goals, ({ place }) => place);
    const statements = Array.from(groups, ([place, group]) => {
      const list = group.map(({ name, part }) => boundName(name, part)).join(', ');
      const from = formatName(this.#nameFor(module, source, place));
      return from === '' ? `import ${list}` : `from ${from} import ${list}`;
    });
    const before = this.#file.text.slice(found.start, found.end).replace(/\s+/g, ' ');
    this.#edit(found.start, found.end, before, statements.join('; '));
  }

  rewriteModule(found: ModuleImport): void {
    const source = this.#absolute(found.path);
    if (source === undefined) return;
    const next = this.#absoluteName(source.target, source);
    if (next === found.path) return;
    const length = lengthOf(this.#file.text, found);
    this.#edit(found.start, found.start + length, found.path, next);
    if (found.as === undefined) this.#renamed.set(found.path, next);
  }

  /** After `import a.b`, code names the module `a.b`. */
  rewriteUses(): void {
    const { chains, froms, modules } = this.#found;
    const names = [...this.#renamed.keys()].sort((a, b) => b.length - a.length);
    const kept = new Set([
      ...modules.filter(({ path }) => !this.#renamed.has(path)).map((m) => m.as ?? topOf(m.path)),
      ...froms.flatMap((from) => from.names.map(({ name, as }) => as ?? name)),
    ]);
    for (const { start, end, path } of chains) {
      const name = names.find((one) => path === one || path.startsWith(`${one}.`));
      if (name !== undefined) {
        const text = `${this.#renamed.get(name) ?? name}${path.slice(name.length)}`;
        this.edits.push({ start, end, text });
        continue;
      }
      const near = names.find((one) => topOf(one) === topOf(path));
      if (near !== undefined && !kept.has(topOf(path))) {
        this.#leave(start, `"${path}" may be part of the module "${near}", which has moved`);
      }
    }
  }

  /** `import_module('a.b')` is rewritten; other strings that name a moved module are reported. */
  rewriteStrings(): void {
    const { computed, literals, strings } = this.#found;
    for (const at of computed) this.#leave(at, 'imports a name that is computed at run time');
    for (const { start, end, path } of literals) {
      const source = this.#absolute(path);
      const next = source && this.#absoluteName(source.target, source);
      if (next !== undefined && next !== path) this.#edit(start, end, path, next);
    }
    for (const { start, path } of strings) {
      const words = path.split('.');
      const isMoved = words.some((_, at) => {
        const source = at === 0 ? undefined : this.#absolute(words.slice(0, at + 1).join('.'));
        return source !== undefined && source.target !== source.path;
      });
      if (isMoved) this.#leave(start, `the string "${path}" may name a module that has moved`);
    }
  }

  /** An import from what no build has: the project's own, which stays, or a file that is made later. */
  #rewriteUnshipped(found: FromImport, source: Source): void {
    const { build, hasModule } = this.#context;
    if (found.module.dots === 0) return;
    if (isWithin(build.base, source.path) && !(build.base === '' && hasModule(source.path))) return;
    this.#replaceModule(found, this.#nameFor(found.module, source, source.path));
    if (found.names.some(({ name }) => hasModule(joinPath(source.path, name)))) return;
    if (hasModule(source.path)) return;
    const what = `"${formatName(found.module)}" names "${source.path}", which is not in the project`;
    this.#leave(found.start, what);
  }

  #replaceModule({ module }: FromImport, next: ModuleName): void {
    if (module.dots === next.dots && module.path === next.path) return;
    this.#edit(module.start, module.end, formatName(module), formatName(next));
  }

  /** What `module` names among the shipped files; `undefined` for an absolute name of no build. */
  #sourceOf({ dots, path: name }: ModuleName): Source | undefined {
    const inner = name.replaceAll('.', '/');
    if (dots > 0) {
      const up = '../'.repeat(dots - 1);
      const path = resolvePath(folderOf(this.#file.shipped), up + inner);
      if (path === undefined) return undefined;
      return { path, root: this.#rootOf(folderOf(this.#file.shipped)) };
    }
    for (const root of this.#context.pythonRoots()) {
      const path = joinPath(root, inner);
      if (this.#isShipped(path)) return { path, root };
    }
    return undefined;
  }

  /** Whether a build has a module at `path`, or below it. */
  #isShipped(path: string): boolean {
    const { build, layout } = this.#context;
    if (layout.reach(build.id, path) !== undefined) return true;
    return layout.withRequired(build.id).some(({ base }) => path !== '' && isWithin(path, base));
  }

  /** The place in the project of the module that is shipped at `path`. */
  #target(path: string): string | undefined {
    const { build, layout } = this.#context;
    return layout.reach(build.id, path)?.path;
  }

  #absolute(name: string): (Source & { readonly target: string }) | undefined {
    const inner = name.replaceAll('.', '/');
    for (const root of this.#context.pythonRoots()) {
      const path = joinPath(root, inner);
      const target = this.#target(path);
      if (target !== undefined) return { path, target, root };
    }
    return undefined;
  }

  /** The name for `target` in the form of `old`: relative where that is possible. */
  #nameFor(old: ModuleName, source: Source, target: string): ModuleName {
    const absolute = (): ModuleName => ({ dots: 0, path: this.#absoluteName(target, source) });
    if (old.dots === 0) return absolute();
    const from = folderOf(this.#file.placed);
    const common = commonFolder(from, target);
    const start = resolvePath(folderOf(this.#file.shipped), '../'.repeat(old.dots - 1)) ?? '';
    // A relative import cannot leave the outermost package. Where the shipped one reached a root of sources,
    // the root itself is in a package.
    const isOutside = common === this.#rootOf(from);
    if (isOutside && start !== source.root) return absolute();
    const up = from === common ? 0 : below(common, from).split('/').length;
    return { dots: up + 1, path: dottedName(below(common, target), target, this.#context.build) };
  }

  /** The absolute name of `target`, from the root that `source` was found from where both are below it. */
  #absoluteName(target: string, source: Source): string {
    const { root, path } = source;
    // A folder that the shipped name includes is a package here, not a root.
    const isPackage = (one: string): boolean => one.length > root.length && isWithin(one, path);
    const roots = this.#context.pythonRoots().filter((one) => !isPackage(one));
    const best =
      root !== '' && isWithin(root, target) ? root : roots.find((one) => isWithin(one, target));
    return dottedName(below(best ?? '', target), target, this.#context.build);
  }

  #rootOf(folder: string): string {
    return this.#context.pythonRoots().find((root) => isWithin(root, folder)) ?? '';
  }

  #edit(start: number, end: number, from: string, to: string): void {
    this.edits.push({ start, end, text: to });
    this.imports.push({ line: this.#lines.place(start, 0).line, from, to });
  }

  /** Reports what may need an edit where the file is elsewhere than it was shipped. */
  #leave(at: number, what: string): void {
    if (this.#file.placed === this.#file.shipped) return;
    this.left.push({ line: this.#lines.place(at, 0).line, what });
  }
}

/** The name of an import in a new statement: what it was bound to, it stays bound to. */
function boundName({ name, as }: FromImport['names'][number], part: string | undefined): string {
  const now = part === undefined ? name : nameOf(part);
  const bound = as ?? name;
  return now === bound ? now : `${now} as ${bound}`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The length of `a.b` in `a.b as c`. */
function lengthOf(text: string, { start, end }: ModuleImport): number {
  return (/^.*?(?=\s+as\s|$)/s.exec(text.slice(start, end))?.[0] ?? '').length;
}

function topOf(path: string): string {
  return path.split('.')[0] ?? '';
}

/** `path` without `folder`, which contains it. */
function below(folder: string, path: string): string {
  return path.slice(folder === '' ? 0 : folder.length + 1);
}

/** The innermost folder that contains `folder` and has or is `path`. */
function commonFolder(folder: string, path: string): string {
  let common = folder;
  while (!isWithin(common, path)) common = folderOf(common);
  return common;
}

/** Names of Python modules. Pure. */
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** A name by which Python finds a module: absolute, or relative with as many dots. */
interface ModuleName {
  readonly dots: number;
  readonly path: string;
}

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** `..a.b` for two dots and the path `a.b`. */
function formatName({ dots, path }: ModuleName): string {
  return '.'.repeat(dots) + path;
}

/**
 * `a.b` for the folders `a/b`.
 * @param target the module in the project that the name is for
 * @param build the build that the user placed, for the message
 * @throws {ClientError} `ERR_USAGE` for a folder that is not a name in Python
 */
function dottedName(folders: string, target: string, { id }: BuildPlace): string {
  const words = folders === '' ? [] : folders.split('/');
  const wrong = words.find((word) => !isName(word));
  if (wrong === undefined) return words.join('.');
  throw new ClientError(
    'ERR_USAGE',
    `Cannot place the modules of "${id}": Python cannot import "${target}", because "${wrong}" is no name`,
    { hint: 'give a folder of letters, digits and "_" with --to' },
  );
}

function isName(word: string): boolean {
  return NAME.test(word) && !KEYWORDS.has(word);
}
