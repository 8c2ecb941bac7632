/**
 * What the result of a program depends on: the sources that a file reaches by its imports, the locked versions of the packages that
 * these import, and the Unicode of Node.js. A result is kept under this digest, so that nobody has to raise a number when a file changes.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { isPackaged, packagedFile } from './packaged.ts';

const ROOT = join(import.meta.dirname, '..');

/** Imports, exports from, `import()`, and files that start in a thread or process of their own; those of types alone change nothing. */
const IMPORT =
  /^\s*(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)|\bnew URL\('(\.[^']+)', import\.meta\.url\)/gm;

interface SourceFile {
  readonly digest: string;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Names of packages. */
  readonly packages: readonly string[];
}

const read = new Map<string, SourceFile>();
const made = new Map<string, string>();

/**
 * The digest of what `entries` depend on; in the package, that of the whole package.
 * @param entries paths of source files in the repository, such as `scan/pack.ts`
 * @returns SHA-256, hexadecimal
 */
export function sourceDigest(...entries: readonly string[]): string {
  const key = isPackaged ? '' : entries.join(' ');
  const known = made.get(key) ?? (isPackaged ? digestOfPackage() : digestOfGraph(entries));
  made.set(key, known);
  return known;
}

/** Letter case and classes of characters are those of Node.js: with another Unicode, results are made again. */
function startHash(): Hash {
  return createHash('sha256').update(`${process.versions['unicode']}\n`);
}

function digestOfGraph(entries: readonly string[]): string {
  const files = new Set(entries.map((entry) => join(ROOT, entry)));
  const packages = new Set<string>();
  for (const path of files) {
    const source = readSource(path);
    for (const one of source.files) files.add(one);
    for (const one of source.packages) packages.add(one);
  }
  const hash = startHash();
  for (const path of [...files].sort()) {
    hash.update(`${relative(ROOT, path)}\0${readSource(path).digest}\n`);
  }
  for (const line of lockedVersions(packages)) hash.update(`${line}\n`);
  return hash.digest('hex');
}

function readSource(path: string): SourceFile {
  const known = read.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, 'utf8');
  const names = path.endsWith('.ts')
    ? Array.from(text.matchAll(IMPORT), ([, one, two, three]) => one ?? two ?? three ?? '')
    : [];
  const isNear = (name: string): boolean => name.startsWith('.');
  const source = {
    digest: createHash('sha256').update(text).digest('hex'),
    // A text may quote an import.
    files: names
      .filter(isNear)
      .map((name) => join(dirname(path), name))
      .filter((file) => existsSync(file)),
    packages: names.filter((name) => !isNear(name) && !isBuiltin(name)).map(packageOf),
  };
  read.set(path, source);
  return source;
}

function isBuiltin(name: string): boolean {
  return name.startsWith('node:') || builtinModules.includes(name);
}

/** `zod` of `zod/v4`, `@scope/name` of `@scope/name/part`. */
function packageOf(name: string): string {
  const parts = name.split('/');
  return parts.slice(0, name.startsWith('@') ? 2 : 1).join('/');
}

interface Locked {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The places below `node_modules/` of packages and of all that they depend on, each with its locked version. */
function lockedVersions(names: ReadonlySet<string>): string[] {
  const file = join(ROOT, 'package-lock.json');
  if (!existsSync(file)) return [...names].sort();
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const found = new Set<string>();
  const waiting = [...names].map((name) => ({ name, from: '' }));
  for (const { name, from } of waiting) {
    const place = placeOf(name, from, packages);
    if (place === undefined || found.has(place)) continue;
    found.add(place);
    const { dependencies, optionalDependencies } = packages[place]!;
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) {
      waiting.push({ name: one, from: place });
    }
  }
  return [...found].sort().map((place) => `${place} ${packages[place]!.version}`);
}

/** Where Node.js finds a package: below the one that imports it, or in a folder above. */
function placeOf(
  name: string,
  from: string,
  packages: Readonly<Record<string, Locked>>,
): string | undefined {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') return undefined;
  }
}

function digestOfPackage(): string {
  const hash = startHash();
  const folder = dirname(packagedFile('package.json'));
  for (const file of readdirSync(folder).sort()) {
    if (file.endsWith('.mjs')) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  }
  hash.update(readFileSync(join(folder, '../package.json')));
  return hash.digest('hex');
}
