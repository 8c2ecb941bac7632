/**
 * Reads by which names the code of a project imports its own folders: `paths` and `baseUrl` of tsconfig.json
 * or jsconfig.json, with `extends` and `references`, and `imports` of package.json. Files of the user: they
 * may be wrong, or hostile after a clone.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import { ClientError } from '../errors.ts';
import type { Alias, Aliases } from '../plan/place/aliases.ts';
import { field } from '../../format/document/canonical-json.ts';
import { readJson } from './read-file.ts';
import { optionPath, readTsconfig, type Tsconfig } from './stack/tsconfig.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The aliases that the project in the folder `project` defines.
 * @throws {ClientError} `ERR_PROJECT_FILE` for a file that cannot be read, is missing, or extends itself
 */
export function readAliases(project: string): Aliases {
  const name = ['tsconfig.json', 'jsconfig.json'].find((one) => existsSync(join(project, one)));
  const options = name === undefined ? undefined : readProjectOptions(project, name);
  const baseUrl = options === undefined ? undefined : optionPath(project, options, 'baseurl');
  return {
    aliases: [...pathAliases(project, options, baseUrl), ...packageAliases(project)],
    baseUrl: baseUrl === undefined ? undefined : inside(project, baseUrl),
  };
}

type Options = Tsconfig['options'];

/** A configuration that only refers to others has its aliases in one of these. */
function readProjectOptions(project: string, name: string): Options | undefined {
  const names = new Set([name]);
  // The set grows during the loop.
  for (const one of names) {
    const { options, references } = readSound(project, one);
    if (hasAliases(options)) return options;
    for (const path of references) {
      const place = resolve(project, dirname(one), path);
      const target = isFile(place) ? place : join(place, 'tsconfig.json');
      if (!isFile(target)) throw projectFile(one, `it refers to "${path}", which does not exist`);
      names.add(relative(project, target));
    }
  }
  return undefined;
}

function readSound(project: string, name: string): Tsconfig {
  const config = readTsconfig(project, name)!;
  const [problem] = config.problems;
  if (problem === undefined) return config;
  throw new ClientError('ERR_PROJECT_FILE', `Cannot find the aliases of the project: ${problem}`, {
    hint: HINT,
  });
}

function hasAliases(options: Options): boolean {
  return options.has('paths') || options.has('baseurl');
}

function pathAliases(
  project: string,
  options: Options | undefined,
  baseUrl: string | undefined,
): Alias[] {
  const { value, file } = options?.get('paths') ?? {};
  if (file === undefined) return [];
  const isPaths =
    isObject(value) &&
    Object.values(value).every(
      (targets) => Array.isArray(targets) && targets.every((one) => typeof one === 'string'),
    );
  if (!isPaths) {
    const problem = 'field "compilerOptions.paths" is not an object of lists of paths';
    throw projectFile(file, problem);
  }
  const from = baseUrl ?? resolve(project, dirname(file));
  return Object.entries(value as Record<string, string[]>).flatMap(([pattern, targets]) =>
    toAlias(
      pattern,
      targets.map((target) => inside(project, resolve(from, target))),
    ),
  );
}

/** `imports` of package.json: a path, or an object of conditions with paths. */
function packageAliases(project: string): Alias[] {
  const imports = field(readJson(join(project, PACKAGE_JSON)), 'imports');
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

function isFile(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isFile() === true;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const HINT =
  'install the packages of the project, or correct the file, and run again: imports are resolved with it';

function projectFile(name: string, problem: string): ClientError {
  return new ClientError('ERR_PROJECT_FILE', `Cannot read "${name}": ${problem}`, {
    hint: HINT,
  });
}
