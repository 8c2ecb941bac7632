/** Every dependency that a build declares: in its manifest, package.json, requirements files and pyproject.toml. */
import { parse as parseToml } from 'smol-toml';
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import { once } from '../once.ts';
import { isTestPath } from '../text/file-kind.ts';
import { isObject, readJsonObject, stringEntries } from '../text/json-text.ts';
import { normalPipName } from './near-name.ts';
import type { Registry } from './popular-names.ts';

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
export const dependenciesOf: (build: ScannedBuild) => readonly Dependency[] =
  once(findDependencies);

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
    return (['npm', 'pip'] as const).flatMap((registry) =>
      Object.entries(manifest[field]?.[registry] ?? {}).map(([name, range]) =>
        located(file, registry, name, range, use),
      ),
    );
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
    stringEntries(json[field])
      .slice(0, MAX_DEPENDENCIES)
      .map(([name, range]) => located(file, 'npm', name, range, use)),
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
  return found.slice(0, MAX_DEPENDENCIES).flatMap(([one, use]) => {
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
