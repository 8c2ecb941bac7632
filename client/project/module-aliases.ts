/**
 * Reads by which names the code of a project imports its own folders: `paths` and `baseUrl` of tsconfig.json
 * or jsconfig.json, with `extends` and `references`, and `imports` of package.json. Files of the user: they
 * may be wrong, or hostile after a clone.
 */
import { existsSync, readFileSync, statSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import { ClientError } from '../errors.ts';
import type { Alias, Aliases } from '../plan/place/aliases.ts';
import type { Lock } from '../../format/project/lock.ts';

/** What a configuration and those that it extends define; paths are absolute. */
interface Options {
  readonly baseUrl: string | undefined;
  readonly paths: Readonly<Record<string, readonly string[]>> | undefined;
  /** Folder of the file that defines `paths`. */
  readonly folder: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Configurations that may extend each other in a row. */
const MAX_DEPTH = 20;

/**
 * The aliases that the project in the folder `project` defines.
 * @throws {ClientError} `ERR_PROJECT_FILE` for a file that cannot be read, is missing, or extends itself
 */
export function readAliases(project: string): Aliases {
  const config = ['tsconfig.json', 'jsconfig.json']
    .map((name) => join(project, name))
    .find((file) => existsSync(file));
  const options = config === undefined ? undefined : readProjectOptions(config, project);
  return {
    aliases: [...pathAliases(project, options), ...packageAliases(project)],
    baseUrl: options?.baseUrl === undefined ? undefined : inside(project, options.baseUrl),
  };
}

/** A configuration that only refers to others has its aliases in one of these. */
function readProjectOptions(file: string, project: string): Options | undefined {
  const options = readOptions(file, project, []);
  if (options.paths !== undefined || options.baseUrl !== undefined) return options;
  const { references } = readJson(file, project);
  if (!Array.isArray(references)) return undefined;
  for (const reference of references as readonly unknown[]) {
    const path = isObject(reference) ? reference['path'] : undefined;
    if (typeof path !== 'string') continue;
    const place = resolve(dirname(file), path);
    const target = isFile(place) ? place : join(place, 'tsconfig.json');
    if (!isFile(target)) throw missing(file, project, `refers to "${path}"`);
    const found = readOptions(target, project, []);
    if (found.paths !== undefined || found.baseUrl !== undefined) return found;
  }
  return undefined;
}

/** @param chain the files that extend this one */
function readOptions(file: string, project: string, chain: readonly string[]): Options {
  if (chain.includes(file) || chain.length >= MAX_DEPTH) {
    const names = [...chain.slice(chain.indexOf(file)), file].map((one) => nameOf(one, project));
    throw projectFile(names[0] ?? '', `it extends itself: ${names.join(' -> ')}`);
  }
  const value = readJson(file, project);
  const parents = [value['extends']].flat().filter((name) => typeof name === 'string');
  let options: Options = { baseUrl: undefined, paths: undefined, folder: dirname(file) };
  for (const name of parents) {
    const parent = findParent(file, name);
    if (parent === undefined) throw missing(file, project, `extends "${name}"`);
    const base = readOptions(parent, project, [...chain, file]);
    // A later file of the list wins over an earlier one.
    options = {
      baseUrl: base.baseUrl ?? options.baseUrl,
      paths: base.paths ?? options.paths,
      folder: base.paths === undefined ? options.folder : base.folder,
    };
  }
  const own = isObject(value['compilerOptions']) ? value['compilerOptions'] : {};
  const paths = own['paths'] === undefined ? undefined : readPaths(own['paths'], file, project);
  const baseUrl = own['baseUrl'];
  return {
    baseUrl: typeof baseUrl === 'string' ? resolve(dirname(file), baseUrl) : options.baseUrl,
    paths: paths ?? options.paths,
    folder: paths === undefined ? options.folder : dirname(file),
  };
}

/** The file that `extends` names: a path, or a file of a package. */
function findParent(file: string, name: string): string | undefined {
  const candidates = (place: string): string[] => [
    place,
    `${place}.json`,
    join(place, 'tsconfig.json'),
  ];
  if (/^\.\.?(?:[\\/]|$)/.test(name) || resolve(name) === name) {
    return candidates(resolve(dirname(file), name)).find(isFile);
  }
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const found = candidates(join(folder, 'node_modules', name)).find(isFile);
    if (found !== undefined || dirname(folder) === folder) return found;
  }
}

function readPaths(value: unknown, file: string, project: string): Options['paths'] {
  const isPaths =
    isObject(value) &&
    Object.values(value).every(
      (targets) => Array.isArray(targets) && targets.every((one) => typeof one === 'string'),
    );
  if (isPaths) return value as Options['paths'];
  const problem = 'field "compilerOptions.paths" is not an object of lists of paths';
  throw projectFile(nameOf(file, project), problem);
}

function pathAliases(project: string, options: Options | undefined): Alias[] {
  if (options?.paths === undefined) return [];
  const from = options.baseUrl ?? options.folder;
  return Object.entries(options.paths).flatMap(([pattern, targets]) =>
    toAlias(
      pattern,
      targets.map((target) => inside(project, resolve(from, target))),
    ),
  );
}

/** `imports` of package.json: a path, or an object of conditions with paths. */
function packageAliases(project: string): Alias[] {
  const file = join(project, PACKAGE_JSON);
  if (!existsSync(file)) return [];
  const { imports } = readJson(file, project);
  if (!isObject(imports)) return [];
  return Object.entries(imports).flatMap(([pattern, target]) => {
    const names = leavesOf(target);
    checkCycle(imports, pattern, []);
    const paths = names.filter((name) => name.startsWith('./'));
    return toAlias(
      pattern,
      paths.map((path) => inside(project, resolve(project, path))),
    );
  });
}

/** Node.js allows no alias as the target of another; a cycle of them would never end. */
function checkCycle(imports: Json, name: string, chain: readonly string[]): void {
  if (chain.includes(name)) {
    const names = [...chain.slice(chain.indexOf(name)), name];
    throw projectFile(PACKAGE_JSON, `an alias of "imports" leads to itself: ${names.join(' -> ')}`);
  }
  if (!Object.hasOwn(imports, name)) return;
  for (const next of leavesOf(imports[name])) {
    if (next.startsWith('#')) checkCycle(imports, next, [...chain, name]);
  }
}

function leavesOf(target: unknown): string[] {
  if (typeof target === 'string') return [target];
  if (Array.isArray(target)) return target.flatMap(leavesOf);
  return isObject(target) ? Object.values(target).flatMap(leavesOf) : [];
}

function toAlias(pattern: string, targets: readonly (string | undefined)[]): Alias[] {
  const isPattern = (text: string): boolean => text.split('*').length <= 2;
  const known = targets.filter((target) => target !== undefined && isPattern(target));
  return isPattern(pattern) && known.length > 0 ? [{ pattern, targets: known as string[] }] : [];
}

/** The path relative to the project; `undefined` outside of it. */
function inside(project: string, place: string): string | undefined {
  const path = relative(project, place).split(sep).join('/');
  return path === '..' || path.startsWith('../') ? undefined : path;
}

/** Reads JSON with comments and commas at ends. */
function readJson(file: string, project: string): Json {
  const name = nameOf(file, project);
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    throw projectFile(name, cause instanceof Error ? cause.message : String(cause), cause);
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw projectFile(name, `line ${line}: ${printParseErrorCode(first.error)}`);
  }
  if (isObject(value)) return value;
  throw projectFile(name, 'it is not a JSON object');
}

function isFile(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isFile() === true;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(file: string, project: string): string {
  return relative(project, file).split(sep).join('/');
}

function missing(file: string, project: string, what: string): ClientError {
  const isPackage = !/"[./\\]/.test(what);
  return new ClientError(
    'ERR_PROJECT_FILE',
    `Cannot read "${nameOf(file, project)}": it ${what}, which does not exist`,
    {
      hint: isPackage
        ? 'install the packages of the project first, then run again'
        : 'correct the path, then run again: the imports of a moved build are resolved with this file',
    },
  );
}

function projectFile(name: string, problem: string, cause?: unknown): ClientError {
  return new ClientError('ERR_PROJECT_FILE', `Cannot read "${name}": ${problem}`, {
    cause,
    hint: 'correct the file, then run again: the imports of a moved build are resolved with it',
  });
}

/** Finds which alias the project's own code imports by, where it defines several. */
const SOURCE = /\.(?:[mc]?[jt]s|[jt]sx|vue|svelte)$/;
/** Folders without code of the project. */
const SKIPPED = /^(?:node_modules|dist|build|out|coverage|vendor|\..*)$/;
/** More files do not change which alias is the usual one. */
const MAX_FILES = 400;

/**
 * The alias by which imports of builds are written: the one that most imports of the project use, `undefined` where
 * none uses any.
 * @throws {ClientError} `ERR_USAGE` where the project has no alias; `ERR_PROJECT_FILE`
 */
export function aliasInUse(
  project: string,
  lock: Pick<Lock, 'builds'> | undefined,
): string | undefined {
  const aliases = readAliases(project);
  if (aliases.aliases.length === 0) {
    throw new ClientError('ERR_USAGE', 'Cannot write imports with an alias: the project has none', {
      hint: 'define "paths" in tsconfig.json or "imports" in package.json, or leave out --imports alias',
    });
  }
  const builds = Object.values(lock?.builds ?? {});
  return usedAlias(project, aliases, new Set(builds.flatMap(({ files }) => Object.keys(files))));
}

/** @param ofBuilds paths of files that builds placed: they do not count */
export function usedAlias(
  project: string,
  { aliases }: Aliases,
  ofBuilds: ReadonlySet<string>,
): string | undefined {
  const counts = new Map<string, number>();
  for (const file of sourceFiles(project, ofBuilds)) {
    const text = readFileSync(join(project, file), 'utf8');
    for (const { pattern } of aliases) {
      const [prefix = ''] = pattern.split('*');
      if (prefix === '') continue;
      const uses = [`'${prefix}`, `"${prefix}`].map((start) => text.split(start).length - 1);
      const count = uses.reduce((sum, one) => sum + one, 0);
      if (count > 0) counts.set(pattern, (counts.get(pattern) ?? 0) + count);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
}

/** Paths of source files, outermost folders first. */
function sourceFiles(project: string, ofBuilds: ReadonlySet<string>): string[] {
  const files: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    const entries = readdirSync(join(project, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) folders.push(path);
      if (entry.isFile() && SOURCE.test(entry.name) && !ofBuilds.has(path)) files.push(path);
      if (files.length >= MAX_FILES) return files;
    }
  }
  return files;
}
