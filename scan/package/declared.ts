/** What a build's code may import without a finding: what it declares, what its host provides, and its own modules. */
import { wordsOf } from '../parse/word-list.ts';
import { isBuiltin } from 'node:module';
import type { ScannedBuild } from '../scanned-file.ts';
import { isObject, readJsonObject } from '../text/json-text.ts';
import { normalPipName } from './near-name.ts';
import python from './python-modules.json' with { type: 'json' };
import type { Dependency } from './dependencies.ts';

const STDLIB: ReadonlySet<string> = new Set(python.stdlib);
/** Distributions that also provide the module: code that declares one may import the other. */
const BROUGHT: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(python.brought));
const DISTRIBUTIONS: ReadonlyMap<string, string> = new Map(Object.entries(python.distributions));
/** Modules that the program that runs the code provides. */
const HOSTED = new Set(
  wordsOf([
    'electron vscode bun k6 workerd server-only client-only pkg_resources setuptools',
    'distutils _typeshed pip __main__ atom aws-lambda',
  ]),
);

/** Whether an npm package that code imports is declared or needs no declaration. */
export function isDeclaredNpm(
  build: ScannedBuild,
  dependencies: readonly Dependency[],
): (name: string) => boolean {
  const names = namesIn('npm', build, dependencies);
  const aliases = aliasesOf(build);
  for (const { path, text } of build.files) {
    if (!/(?:^|\/)package\.json$/.test(path)) continue;
    const own = readJsonObject(text)?.['name'];
    if (typeof own === 'string') names.add(own);
  }
  return (name) =>
    names.has(name) ||
    names.has(`@types/${name.replace(/^@/, '').replace('/', '__')}`) ||
    isBuiltin(name) ||
    HOSTED.has(name) ||
    aliases.some((alias) => name === alias || `${name}/`.startsWith(alias));
}

/** The dependencies of one registry, and the packages that the stack of the project has. */
function namesIn(
  registry: Dependency['registry'],
  { manifest }: ScannedBuild,
  dependencies: readonly Dependency[],
): Set<string> {
  const tags = Object.keys(manifest.stack?.requires ?? {});
  const own = dependencies.filter((one) => one.registry === registry).map(({ name }) => name);
  return new Set([...own, ...(registry === 'pip' ? tags.map(normalPipName) : tags)]);
}

/** The bare names that `paths` in tsconfig.json files map. */
function aliasesOf({ files }: ScannedBuild): string[] {
  return files
    .filter(({ path }) => /(?:^|\/)(?:ts|js)config[\w.-]*\.json$/.test(path))
    .flatMap(({ text }) => {
      const options = readJsonObject(text)?.['compilerOptions'];
      const paths =
        isObject(options) && isObject(options['paths']) ? Object.keys(options['paths']) : [];
      return paths.map((path) => path.replace(/\*.*$/, '')).filter((alias) => alias !== '');
    });
}

/** Whether a Python module that code imports is declared or needs no declaration. */
export function isDeclaredPip(
  build: ScannedBuild,
  dependencies: readonly Dependency[],
): (module: string) => boolean {
  const names = namesIn('pip', build, dependencies);
  const own = new Set(
    build.files
      .filter(({ path }) => path.endsWith('.py'))
      .flatMap(({ path }) => path.replace(/\.py$/, '').split('/')),
  );
  return (module) => {
    const top = module.split('.', 1)[0] ?? '';
    return (
      STDLIB.has(top) ||
      own.has(top) ||
      HOSTED.has(top) ||
      top.startsWith('_') ||
      distributionsOf(module).some((name) => names.has(name))
    );
  };
}

/** The distributions that a module may come from. */
export function distributionsOf(module: string): string[] {
  const top = module.split('.', 1)[0] ?? '';
  const plain = normalPipName(top);
  const mapped = DISTRIBUTIONS.get(top);
  const parts = module.split('.', 8);
  // Namespaces: `google.cloud.storage` is in google-cloud-storage.
  const spaces = parts.map((_, count) => normalPipName(parts.slice(0, count + 1).join('-')));
  return [
    ...new Set([
      plain,
      ...(mapped === undefined ? [] : [mapped]),
      ...(BROUGHT.get(top) ?? []),
      ...spaces,
      `python-${plain}`,
      `py${plain}`,
      plain.replace(/-?binary$/, ''),
    ]),
  ];
}
