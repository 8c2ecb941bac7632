/** Rewrites the module specifiers of a JavaScript or TypeScript file for its place in a project. Pure. */
import { isBuiltin } from 'node:module';
import { LineTable } from '../../../scan/parse/line-table.ts';
import {
  aliasFor,
  conventionalPaths,
  isAliasByConvention,
  patternOf,
  resolveAlias,
} from './aliases.ts';
import type { RewrittenImport } from '../plan.ts';
import type { FileRewrite, LeftImport, RewriteContext, SourceFile } from './rewrite.ts';
import { findSpecifiers, type Specifier } from './javascript-specifiers.ts';
import type { TextEdit } from '../../edit/text-edit.ts';
import { compiledNames, type Reached } from './layout.ts';
import { folderOf, isRelative, isWithin, relativePath, resolvePath } from './paths.ts';

/** The rewrites of `file`. @throws {ClientError} where the aliases of the project cannot be read */
export function rewriteJavaScript(file: SourceFile, context: RewriteContext): FileRewrite {
  const found = findSpecifiers(file.placed, file.text);
  if (found === undefined) {
    const what = 'its syntax cannot be read, so its imports are left as they are';
    const left = file.placed === file.shipped ? [] : [{ line: 1, what }];
    return { edits: [], imports: [], left };
  }
  const lines = new LineTable(file.text);
  const lineOf = (at: number): number => lines.place(at, 0).line;
  const run = new JavaScriptRewrite(file, context, lineOf);
  for (const specifier of found.specifiers) run.rewrite(specifier);
  for (const at of found.computed) run.leave(at, 'imports a name that is computed at run time');
  for (const { value, start } of found.strings) run.checkString(value, start);
  run.left.sort((a, b) => a.line - b.line);
  return run;
}

class JavaScriptRewrite implements FileRewrite {
  readonly edits: TextEdit[] = [];
  readonly imports: RewrittenImport[] = [];
  readonly left: LeftImport[] = [];
  readonly #file: SourceFile;
  readonly #context: RewriteContext;
  readonly #lineOf: (at: number) => number;

  constructor(file: SourceFile, context: RewriteContext, lineOf: (at: number) => number) {
    this.#file = file;
    this.#context = context;
    this.#lineOf = lineOf;
  }

  rewrite(specifier: Specifier): void {
    const [, name = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(specifier.value) ?? [];
    const to = isRelative(name)
      ? this.#rewriteRelative(name, specifier.start)
      : this.#rewriteName(name, specifier.start);
    if (to === undefined || to === name) return;
    const { start, end, value, quote } = specifier;
    const text = (to + query).replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
    this.edits.push({ start, end, text: text.replaceAll('${', '\\${') });
    this.imports.push({ line: this.#lineOf(start), from: value, to: to + query });
  }

  /** Reports what may need an edit where the file is elsewhere than it was shipped. */
  leave(at: number, what: string): void {
    if (this.#file.placed !== this.#file.shipped) this.#miss(at, what);
  }

  #miss(at: number, what: string): void {
    this.left.push({ line: this.#lineOf(at), what });
  }

  /** Reports strings that are paths from or to a build that was moved: they are no imports, so not rewritten. */
  checkString(value: string, at: number): void {
    const { build, layout, hasModule } = this.#context;
    const { base, id, place } = build;
    if (base === place || /\s/.test(value)) return;
    const isMoved = isRelative(value)
      ? isKnown(resolvePath(folderOf(this.#file.shipped), value))
      : base !== '' && value.startsWith(`${base}/`);
    if (isMoved) this.leave(at, `the string "${value}" may be a path that has moved`);

    /** Whether a relative path leaves the build for something that is there. */
    function isKnown(path: string | undefined): boolean {
      if (path === undefined || !/[^./]/.test(value) || isWithin(base, path)) return false;
      return [layout.reach(id, path), layout.contain(id, path)].some(Boolean) || hasModule(path);
    }
  }

  #rewriteRelative(name: string, at: number): string | undefined {
    const { build, layout, style, hasModule } = this.#context;
    const path = resolvePath(folderOf(this.#file.shipped), name);
    if (path === undefined) {
      if (build.base !== build.place) this.leave(at, `"${name}" leaves the project`);
      return undefined;
    }
    const isOfProject = hasModule(path);
    const reached =
      layout.reach(build.id, path) ?? (isOfProject ? undefined : layout.contain(build.id, path));
    if (reached === undefined && !isOfProject) {
      // In the root of a project, files that are made later may belong to the build or to the project.
      if (build.base === '') return undefined;
      const what = `"${name}" names "${path}", which is not in the project`;
      if (!layout.hasAt(path)) this.#miss(at, what);
    }
    if (reached !== undefined && style === 'alias' && reached.build !== build) {
      const alias = this.#aliasOf(reached, this.#context.alias);
      if (alias !== undefined) return alias;
      this.leave(at, `no alias of the project reaches "${reached.path}"`);
    }
    return this.#relative(name, reached?.path ?? path);
  }

  /** `name` where it still leads to `target`, otherwise another relative one. */
  #relative(name: string, target: string): string {
    const folder = folderOf(this.#file.placed);
    if (isRelative(name) && resolvePath(folder, name) === target) return name;
    return relativePath(folder, target) + (/[^/]\/$/.test(name) ? '/' : '');
  }

  /** A name that is not relative: a package, or an alias of the project. */
  #rewriteName(name: string, at: number): string | undefined {
    const { build, layout, style, packages, tagged } = this.#context;
    const index = tagged?.(name);
    if (index !== undefined) {
      const alias = style === 'alias' ? this.#aliasOf(index, this.#context.alias) : undefined;
      return alias ?? this.#relative(name, index.path);
    }
    if (name === '' || name.includes(':') || name.startsWith('/')) return undefined;
    if (packages.has(packageOf(name)) || isBuiltin(name)) return undefined;
    const aliases = this.#context.aliases();
    const paths = resolveAlias(aliases, name);
    const reached = [...paths, ...conventionalPaths(name)]
      .map((path) => layout.reach(build.id, path))
      .find((one) => one !== undefined);
    if (reached === undefined) {
      const isKnown = paths.some((path) => this.#context.hasModule(path));
      const isAlias = isAliasByConvention(name) || (patternOf(aliases, name) ?? '*') !== '*';
      if (isAlias && !isKnown) this.#miss(at, `"${name}" is no module that the project has`);
      return undefined;
    }
    if (style !== 'relative') {
      if (paths.includes(reached.path)) return name;
      const alias = this.#aliasOf(reached, this.#context.alias ?? patternOf(aliases, name));
      if (alias !== undefined) return alias;
    }
    return this.#relative(name, reached.path);
  }

  #aliasOf({ path, file }: Reached, preferred: string | undefined): string | undefined {
    const aliases = this.#context.aliases();
    const spellings = file === undefined ? [] : [file, ...compiledNames(file)];
    return aliasFor(aliases, [path], preferred) ?? aliasFor(aliases, spellings, preferred);
  }
}

/** `@scope/name/part` is of the package `@scope/name`. */
function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
