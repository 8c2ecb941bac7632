/** Every dependency that a build declares: in its manifest, package.json, requirements files and pyproject.toml. */
import { wordsOf } from '../parse/word-list.ts';
import { isBuiltin } from 'node:module';
import { parse as parseToml } from 'smol-toml';
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import { once } from '../text/language-needs.ts';
import { isTestPath } from '../text/decode-text.ts';
import { isObject, readJsonObject, stringEntries } from '../text/json-text.ts';
import { normalPipName, type Registry } from './near-name.ts';
import python from './python-modules.json' with { type: 'json' };

export interface Dependency {
  readonly registry: Registry;
  /** In the spelling of the registry. */
  readonly name: string;
  readonly range: string;
  /** `peer`: the host project must have it. */
  readonly use: 'runtime' | 'dev' | 'peer';
  readonly file: ScannedFile;
  readonly start: number;
}

const MAX_DEPENDENCIES = 5000;
const NPM_FIELDS = {
  dependencies: 'runtime',
  optionalDependencies: 'runtime',
  devDependencies: 'dev',
  peerDependencies: 'peer',
} as const;

/** The dependencies of `build`, file by file. */
export function dependenciesOf(build: ScannedBuild): readonly Dependency[] {
  return knownDependencies(build);
}

const knownDependencies = once(findDependencies);

function findDependencies(build: ScannedBuild): Dependency[] {
  const found = build.files.flatMap((file) => {
    if (file.path === MANIFEST_FILE) return ofManifest(build, file);
    if (isTestPath(file.path)) return [];
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    if (name === 'package.json') return ofPackageJson(file);
    if (
      /^requirements[\w.-]*\.txt$/.test(name) ||
      /(?:^|\/)requirements\/[\w.-]+\.txt$/.test(file.path)
    )
      return ofRequirements(file);
    return name === 'pyproject.toml' ? ofPyproject(file) : [];
  });
  return found.slice(0, MAX_DEPENDENCIES);
}

function ofManifest({ manifest }: ScannedBuild, file: ScannedFile): Dependency[] {
  return (['dependencies', 'devDependencies'] as const).flatMap((field) => {
    const use = NPM_FIELDS[field];
    const npm = Object.entries(manifest[field]?.npm ?? {}).map(([name, range]) =>
      located(file, 'npm', name, range, use),
    );
    const pip = Object.entries(manifest[field]?.pip ?? {}).map(([name, range]) =>
      located(file, 'pip', name, range, use),
    );
    return [...npm, ...pip];
  });
}

function located(
  file: ScannedFile,
  registry: Registry,
  written: string,
  range: string,
  use: Dependency['use'],
): Dependency {
  const start = Math.max(0, (file.text ?? '').indexOf(written));
  const name = registry === 'pip' ? normalPipName(written) : written;
  return { registry, name, range, use, file, start };
}

function ofPackageJson(file: ScannedFile): Dependency[] {
  const json = readJsonObject(file.text) ?? {};
  return Object.entries(NPM_FIELDS).flatMap(([field, use]) =>
    stringEntries(json[field]).map(([name, range]) => located(file, 'npm', name, range, use)),
  );
}

const REQUIREMENT = /^([A-Za-z0-9][\w.-]{0,99})\s{0,5}(?:\[[^\]]{0,100}\])?\s{0,5}([^;#]{0,300})/;

function ofRequirements(file: ScannedFile): Dependency[] {
  const use = /dev|test|lint|doc/i.test(file.path) ? 'dev' : 'runtime';
  let at = 0;
  return (file.text ?? '').split('\n').flatMap((line) => {
    const start = at;
    at += line.length + 1;
    const found = requirement(line);
    return found === undefined ? [] : [{ registry: 'pip', ...found, use, file, start } as const];
  });
}

/** One requirement (PEP 508), or an address that pip accepts instead. */
function requirement(line: string): { name: string; range: string } | undefined {
  const text = line.trim();
  const address =
    /^(?:-e\s+|--editable[ =])?((?:git|hg|svn|bzr)\+\S{1,500}|https?:\/\/\S{1,500}|file:\S{1,500})/.exec(
      text,
    )?.[1];
  if (address !== undefined)
    return { name: /#egg=([\w.-]{1,99})/.exec(address)?.[1] ?? '', range: address };
  if (text === '' || /^[#-]/.test(text)) return undefined;
  const [, name = '', range = ''] = REQUIREMENT.exec(text) ?? [];
  return name === ''
    ? undefined
    : { name: normalPipName(name), range: range.replace(/^@\s*/, '').trim() };
}

function ofPyproject(file: ScannedFile): Dependency[] {
  const text = file.text ?? '';
  let toml: Readonly<Record<string, unknown>>;
  try {
    toml = text.length > 500_000 ? {} : parseToml(text);
  } catch {
    return [];
  }
  const project = isObject(toml['project']) ? toml['project'] : {};
  const groups = [
    ...listsIn(project['optional-dependencies']),
    ...listsIn(toml['dependency-groups']),
  ];
  const found = [
    ...strings(project['dependencies']).map((one) => [one, 'runtime'] as const),
    ...groups.map((one) => [one, 'dev'] as const),
  ];
  return found.flatMap(([one, use]) => {
    const parsed = requirement(one);
    return parsed === undefined
      ? []
      : [{ registry: 'pip', ...parsed, use, file, start: Math.max(0, text.indexOf(one)) } as const];
  });
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function listsIn(value: unknown): string[] {
  return isObject(value) ? Object.values(value).flatMap(strings) : [];
}

/** What a build's code may import without a finding: what it declares, what its host provides, and its own modules. */
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
  const names = new Set(
    dependencies.filter((one) => one.registry === 'npm').map((one) => one.name),
  );
  for (const tag of Object.keys(build.manifest.stack?.requires ?? {})) names.add(tag);
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
  const names = new Set(
    dependencies.filter((one) => one.registry === 'pip').map((one) => one.name),
  );
  for (const tag of Object.keys(build.manifest.stack?.requires ?? {}))
    names.add(normalPipName(tag));
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
  const parts = module.split('.');
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
