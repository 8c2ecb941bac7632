/** Finds the packages that the files of a build import, and those that its manifest must list. */
import { distributionsOf, isDeclaredNpm, isDeclaredPip } from '../../scan/package/declared.ts';
import { importsOf, npmPackageOf } from '../../scan/package/imports.ts';
import type { ScannedBuild, ScannedFile } from '../../scan/scanned-file.ts';
import { isTestPath } from '../../scan/text/file-kind.ts';
import type { DeclaredPackages } from './declared-packages.ts';

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
