/** Finds the packages that the files of a build import, and those that its manifest must list. */
import { isBuiltin } from 'node:module';
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

/** A project is based on one of these; a build requires it and does not install it. */
const FRAMEWORKS = new Set(
  'express fastify koa hono next nuxt react react-native vue svelte solid-js preact astro electron @nestjs/core @angular/core @sveltejs/kit'.split(
    ' ',
  ),
);
/** Globals of Node.js. */
const OF_NODE =
  /(?<![\w$.])(?:process\.(?:env|argv|cwd|exit|on|std\w+|platform|version|pid|nextTick|hrtime|uptime)\b|Buffer\.(?:from|alloc|concat|byteLength|isBuffer)\b|__(?:dir|file)name\b|NodeJS\.|import\.meta\.(?:dir|file)name\b|(?:setImmediate|require)\()|(?:: |<|as )Buffer\b/;

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
      const isApart = isTestPath(file.path) || isTooling(file);
      const target = isApart || isErased ? dev : runtime;
      if (isPython) {
        if (needsNoPip(specifier) || isOwn(specifier.split('.', 1)[0] ?? '')) continue;
        const name = distributionsOf(specifier).find((one) => declared.pip.has(one));
        if (name !== undefined) target.pip[name] = declared.pip.get(name)!;
        else if (!isOptional) remember(unknown, specifier, file);
        continue;
      }
      const name = npmPackageOf(specifier);
      if (name === undefined || needsNoNpm(name)) continue;
      // Types of a framework tell what the code is for.
      const isBase = isFramework(name) && !isApart;
      const range =
        declared.npm.get(name) ?? (isBase ? declared.npm.get(typesOf(name)) : undefined);
      if (range !== undefined) (isBase ? runtime : target).npm[name] = range;
      else if (!isOptional && !declared.npm.has(typesOf(name))) remember(unknown, name, file);
    }
  }
  for (const name of [...Object.keys(runtime.npm), ...Object.keys(dev.npm)]) {
    const range = declared.npm.get(typesOf(name));
    if (range !== undefined) dev.npm[typesOf(name)] = range;
  }
  const types = declared.npm.get('@types/node');
  const isTyped = build.files.some((file) => isTypeScript(file) && usesNode(file));
  if (types !== undefined && isTyped) dev.npm['@types/node'] = types;
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

/** Whether an npm package is what a project is based on. */
export function isFramework(name: string): boolean {
  return FRAMEWORKS.has(name);
}

/** Whether a file needs Node.js: a module or a global of it. */
export function usesNode(file: ScannedFile): boolean {
  if (file.syntax.language !== 'javascript') return false;
  return (
    importsOf(file).some(({ specifier }) => isBuiltin(specifier)) || OF_NODE.test(file.text ?? '')
  );
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
