/** Finds the packages that the files of a build import, and those that its manifest must list. */
import { join } from 'node:path';
import type { ScannedBuild, ScannedFile } from '../../scan/scanned-file.ts';
import { distributionsOf, isDeclaredNpm, isDeclaredPip } from '../../scan/package/dependencies.ts';
import { importsOf, npmPackageOf } from '../../scan/package/imports.ts';
import { isTestPath } from '../../scan/text/decode-text.ts';
import { field } from '../../format/document/canonical-json.ts';
import { readRequirements } from '../../format/project/requirement.ts';
import { DEPENDENCY_TABLES } from '../../format/project/stack-fact.ts';
import { isPipSpecifier, normalizePipName } from '../../format/version/pep440.ts';
import { isRange } from '../../format/version/semver-range.ts';
import { readPyproject } from '../edit/python/pyproject-tables.ts';
import { DEV_REQUIREMENTS, PACKAGE_JSON, PYPROJECT, REQUIREMENTS } from '../edit/project-file.ts';
import { npmFacts } from '../project/stack/npm.ts';
import { readJson, readText, readNames } from '../project/read-file.ts';
import { findWorkspaceRoot, catalogRange } from '../project/workspace.ts';
import { isSpdxExpression } from '../../format/build/license.ts';
import { readLicenseText } from '../../scan/package/license-print.ts';

type Ranges = Record<string, string>;

export interface Packages {
  readonly npm: Ranges;
  readonly pip: Ranges;
}

interface GuessedPackages {
  readonly runtime: Packages;
  readonly dev: Packages;
  /** Imported but not declared, with the first file that imports it. */
  readonly unknown: readonly { readonly name: string; readonly file: string }[];
}

/** @param isOwn whether a Python module belongs to the project itself */
export function guessPackages(
  build: ScannedBuild,
  declared: DeclaredPackages,
  isOwn: (module: string) => boolean,
): GuessedPackages {
  const needsNoNpm = isDeclaredNpm(build, []);
  const needsNoPip = isDeclaredPip(build, []);
  const runtime: Packages = { npm: {}, pip: {} };
  const dev: Packages = { npm: {}, pip: {} };
  const unknown = new Map<string, string>();
  for (const file of build.files) {
    const isPython = file.syntax.language === 'python';
    for (const { specifier, isOptional, isTried } of importsOf(file)) {
      // What is tried is used where it is installed: the project declares it for that.
      const isErased = isOptional && isTried !== true;
      const isDev = isTestPath(file.path) || isErased || isTooling(file);
      const target = isDev ? dev : runtime;
      if (isPython) {
        if (needsNoPip(specifier) || isOwn(specifier.split('.', 1)[0] ?? '')) continue;
        const name = distributionsOf(specifier).find((one) => declared.pip.has(one));
        if (name !== undefined) target.pip[name] = declared.pip.get(name)!;
        else if (!isOptional) remember(unknown, specifier, file);
        continue;
      }
      const name = npmPackageOf(specifier);
      if (name === undefined || needsNoNpm(name)) continue;
      const range = declared.npm.get(name);
      if (range !== undefined) target.npm[name] = range;
      else if (!isOptional && !declared.npm.has(typesOf(name))) remember(unknown, name, file);
    }
  }
  for (const name of [...Object.keys(runtime.npm), ...Object.keys(dev.npm)]) {
    const range = declared.npm.get(typesOf(name));
    if (range !== undefined) dev.npm[typesOf(name)] = range;
  }
  const types = declared.npm.get('@types/node');
  if (types !== undefined && build.files.some(isTypeScript)) dev.npm['@types/node'] = types;
  return {
    runtime: { npm: sorted(runtime.npm), pip: sorted(runtime.pip) },
    dev: { npm: without(dev.npm, runtime.npm), pip: without(dev.pip, runtime.pip) },
    unknown: Array.from(unknown, ([name, file]) => ({ name, file })),
  };
}

/** Whether a file is TypeScript that has to be compiled. */
export function isTypeScript({ path }: ScannedFile): boolean {
  return /\.[mc]?tsx?$/.test(path) && !/\.d\.[mc]?ts$/.test(path);
}

/** Files such as `vitest.config.ts` run in development only. */
function isTooling({ path }: ScannedFile): boolean {
  return /(?:^|\/)[\w.-]+\.config\.[cm]?[jt]s$/.test(path);
}

function typesOf(name: string): string {
  return `@types/${name.replace(/^@/, '').replace('/', '__')}`;
}

function remember(unknown: Map<string, string>, name: string, { path }: ScannedFile): void {
  if (!unknown.has(name)) unknown.set(name, path);
}

function without(ranges: Ranges, others: Ranges): Ranges {
  return sorted(
    Object.fromEntries(Object.entries(ranges).filter(([name]) => !Object.hasOwn(others, name))),
  );
}

function sorted(ranges: Ranges): Ranges {
  return Object.fromEntries(Object.entries(ranges).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The packages that a project declares, with ranges that a manifest may have. */
interface DeclaredPackages {
  readonly npm: ReadonlyMap<string, string>;
  /** By normalised name. */
  readonly pip: ReadonlyMap<string, string>;
  readonly requiresPython: string | undefined;
}

/** @throws {ClientError} `ERR_PROJECT_FILE` */
export function declaredPackages(project: string): DeclaredPackages {
  const pyproject = readPyproject(readText(join(project, PYPROJECT)));
  const sources = [
    readRequirements(readText(join(project, DEV_REQUIREMENTS))),
    pyproject.distributions,
    readRequirements(readText(join(project, REQUIREMENTS))),
  ];
  const pip = new Map<string, string>();
  for (const source of sources) {
    for (const [name, { specifier }] of source) {
      pip.set(normalizePipName(name), isPipSpecifier(specifier) ? specifier : '*');
    }
  }
  return { npm: npmRanges(project), pip, requiresPython: pyproject.requiresPython };
}

function npmRanges(project: string): Map<string, string> {
  const root = findWorkspaceRoot(project);
  const ranges = new Map<string, string>();
  // Members of a workspace may import the packages of its root.
  for (const folder of new Set([root, project])) {
    const manifest = readJson(join(folder, PACKAGE_JSON));
    const facts = npmFacts(folder);
    for (const table of [...DEPENDENCY_TABLES].reverse()) {
      for (const [name, written] of Object.entries(field(manifest, table) ?? {})) {
        const isCatalog = typeof written === 'string' && written.startsWith('catalog:');
        const range: unknown = isCatalog ? catalogRange(root, written, name) : written;
        const installed = facts.get(name)?.version;
        // A path, an address or a tag has no meaning elsewhere; the installed version has.
        if (typeof range === 'string' && isRange(range)) ranges.set(name, range);
        else if (installed !== undefined) ranges.set(name, `^${installed}`);
      }
    }
  }
  return ranges;
}

/** The licence of a project: the declared one, otherwise the one that its licence text resembles. */
const LICENSE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[-.][\w.-]+)?$/i;
/** Slightly stricter than the check of licence texts, because the result is used without confirmation. */
const ALIKE = 0.75;

/**
 * @param stated the licence in package.json or pyproject.toml
 * @param folders folders that may contain a licence text, the nearest first
 */
export function guessLicense(
  stated: string | undefined,
  folders: readonly string[],
): string | undefined {
  if (stated !== undefined && isSpdxExpression(stated)) return stated;
  for (const folder of folders) {
    for (const file of readNames(folder).filter((name) => LICENSE_FILE.test(name))) {
      const found = nearestLicense(readText(join(folder, file)));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function nearestLicense(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const { nearest } = readLicenseText(text);
  return nearest.like >= ALIKE ? nearest.id : undefined;
}
