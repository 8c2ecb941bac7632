/** Drafts a manifest for a folder from its files and the project around it. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { isBuildName, isOwner } from '../../format/build/build-id.ts';
import { isFilePath } from '../../format/build/file-path.ts';
import { isSpdxExpression } from '../../format/build/license.ts';
import { type Manifest, parseManifest } from '../../format/build/manifest.ts';
import { findingMessage } from '../../format/finding/finding.ts';
import { openBuild } from '../../scan/open-build.ts';
import { DESCRIPTION_START } from '../../scan/rules/quality/skeleton-sentences.ts';
import type { Source } from '../../scan/source.ts';
import { ENV_EXAMPLE, PACKAGE_JSON, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { ClientError } from '../errors.ts';
import { readText } from '../project/read-file.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import { parseBuildName, parseOwner } from '../resolve/id-parts.ts';
import type { BuildPlace } from './build-place.ts';
import { declaredPackages } from './declared-packages.ts';
import { guessLicense } from './guess-license.ts';
import { guessPackages, type Packages } from './guess-packages.ts';
import { guessStack } from './guess-stack.ts';
import { guessVariables } from './guess-variables.ts';
import type { ProjectFacts } from './project-facts.ts';

export interface Requirements {
  readonly owner?: string | undefined;
  readonly name?: string | undefined;
  readonly kind?: Manifest['kind'] | undefined;
  readonly license?: string | undefined;
  readonly description?: string | undefined;
}

interface Draft {
  readonly manifest: Manifest;
  /** `undefined` when it is unknown. */
  readonly owner: string | undefined;
  /** The name of the folder or package, where no build can have it. */
  readonly changed?: string;
  /** Notes for the user to check. */
  readonly notes: readonly string[];
}

/** Files that projects have under the same name. */
const ENTRY = /^(?:index|main|app|server|cli|mod)\.[cm]?[jt]sx?$/;
const MAX_DESCRIPTION = 300;
const MAX_KEYWORDS = 20;
/** Files of a project that a foundation does not install into another one. */
const UNPLACED = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'README.md', 'INTEGRATION.md'];
/** Files of the project itself, which a module must not replace in another one. */
const OF_PROJECT = [
  'package.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'tsconfig.json',
  'pyproject.toml',
  'requirements.txt',
  'requirements-dev.txt',
  '.gitignore',
];

/** @throws {ClientError} `ERR_NEEDS_ANSWER` when licence or name are unknown, `ERR_USAGE`, `ERR_PROJECT_FILE` */
export function draftManifest(
  place: BuildPlace,
  source: Source,
  facts: ProjectFacts,
  requirements: Requirements,
): Draft {
  const { folder, project } = place;
  const { name, changed } = nameOf(place, facts, requirements);
  const base = baseOf(place, name, source);
  const kind =
    requirements.kind ?? (base === undefined && place.isProject ? 'foundation' : 'module');
  const license = requirements.license ?? licenseOf(place, facts);
  if (!isSpdxExpression(license)) {
    throw new ClientError('ERR_USAGE', `${JSON.stringify(license)} is not an SPDX licence`, {
      hint: 'give an identifier such as MIT or Apache-2.0 with --license',
    });
  }
  const files = source.files.flatMap(({ path, bytes, type }) =>
    bytes === undefined ? [] : [{ path, bytes, executable: type === 'executable' }],
  );
  const bare = { name, version: '0.1.0', kind, description: '', license };
  const build = openBuild({ id: `local/${name}`, manifest: bare, files });
  const declared = declaredPackages(project);
  const isOwn = (module: string): boolean =>
    ['', 'src'].some((at) =>
      [module, `${module}.py`].some((path) => existsSync(join(project, at, path))),
    );
  const guessed = guessPackages(build, declared, isOwn);
  const stack = guessStack(
    build.files,
    guessed,
    facts.node,
    declared.requiresPython,
    kind === 'foundation',
  );
  const paths = new Set(files.map(({ path }) => path));
  // A foundation's own package.json already lists its packages.
  const isSelf = (...names: readonly string[]): boolean =>
    kind === 'foundation' && names.some((one) => paths.has(one));
  const [noNpm, noPip] = [isSelf(PACKAGE_JSON), isSelf(PYPROJECT, REQUIREMENTS)];
  const requires =
    kind === 'module'
      ? stack.requires
      : Object.fromEntries(
          Object.entries(stack.requires).filter(([tag]) => /^(?:node|python)$/.test(tag)),
        );
  const env = guessVariables(build, readText(join(project, ENV_EXAMPLE)));
  const description = requirements.description ?? facts.description;
  const left = globsOf(kind, base, paths);
  const manifest = {
    ...bare,
    ...(base === undefined && facts.version !== undefined ? { version: facts.version } : {}),
    description: cut(description ?? `${DESCRIPTION_START}${name} does`),
    ...some('keywords', facts.keywords.slice(0, MAX_KEYWORDS)),
    ...some('stack', Object.keys(requires).length === 0 ? {} : { requires }),
    ...some('dependencies', packagesField(stack.packages, noNpm, noPip)),
    ...some('devDependencies', packagesField(guessed.dev, noNpm, noPip)),
    ...some('files', left),
    ...(base === undefined ? {} : { base }),
    ...some('env', env),
    ...(facts.repository === undefined ? {} : { repository: facts.repository }),
    ...(facts.homepage === undefined ? {} : { homepage: facts.homepage }),
  };
  const known = place.registered?.owner ?? facts.owner;
  const guessedOwner = known === undefined ? undefined : known.toLowerCase();
  const owner =
    requirements.owner === undefined ? guessedOwner : parseOwner(requirements.owner.toLowerCase());
  const notes = [
    ...(description === undefined
      ? ['Write "description": what the build does, in one sentence']
      : []),
    ...guessed.unknown.map(
      ({ name: missing, file }) =>
        `"${missing}" is imported in ${file} but not declared: it was left out`,
    ),
    ...(existsSync(join(folder, 'node_modules')) && !existsSync(join(folder, '.gitignore'))
      ? ['Without a .gitignore the folder node_modules would be part of the build']
      : []),
  ];
  const isKnown = owner !== undefined && isOwner(owner);
  return {
    manifest: parsed(manifest),
    owner: isKnown ? owner : undefined,
    notes,
    ...(changed === undefined ? {} : { changed }),
  };
}

/** @throws {ClientError} `ERR_USAGE` naming each invalid field */
export function parsed(value: object): Manifest {
  const result = parseManifest(Buffer.from(JSON.stringify(value)));
  if (result.ok) return result.manifest;
  const problems = result.findings.map(findingMessage).join('; ');
  throw new ClientError('ERR_USAGE', `Cannot make a valid ${MANIFEST_FILE}: ${problems}`, {
    hint: 'correct the files of the project, or give --name, --license or --description',
  });
}

function nameOf(
  { folder, project, base, registered }: BuildPlace,
  facts: ProjectFacts,
  requirements: Requirements,
): Pick<Draft, 'changed'> & { readonly name: string } {
  if (requirements.name !== undefined) return { name: parseBuildName(requirements.name) };
  const own = basename(folder);
  const ofProject = facts.name ?? basename(project);
  const found = registered?.name ?? (base === undefined || isGeneric(own) ? ofProject : own);
  const unscoped = found.replace(/^@[^/]*\//, '');
  const plain = unscoped
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replaceAll(/^-|-$/g, '');
  if (isBuildName(plain) && isFilePath(plain))
    return { name: plain, ...(plain === unscoped ? {} : { changed: unscoped }) };
  throw new ClientError('ERR_NEEDS_ANSWER', 'The build has no name yet', {
    hint: 'give one with --name',
  });
}

/** A folder of sources, whose name does not describe its content. */
function isGeneric(name: string): boolean {
  return ['src', 'lib', 'source'].includes(name);
}

/** The folder of an entry file is not its base: in another project it would replace that project's entry. */
function baseOf({ base }: BuildPlace, name: string, { files }: Source): string | undefined {
  if (base === undefined || !isGeneric(basename(base))) return base;
  return files.some(({ path }) => ENTRY.test(path)) ? `${base}/${name}` : base;
}

function licenseOf({ folder, project }: BuildPlace, facts: ProjectFacts): string {
  const found = guessLicense(facts.license, [folder, project, findWorkspaceRoot(project)]);
  if (found !== undefined) return found;
  throw new ClientError('ERR_NEEDS_ANSWER', 'Neither a file nor the project declares a licence', {
    hint: 'give an SPDX identifier with --license, such as --license MIT',
  });
}

/** The globs of installed files; empty for the default. */
function globsOf(
  kind: Manifest['kind'],
  base: string | undefined,
  paths: ReadonlySet<string>,
): string[] {
  const isModuleAtRoot = kind === 'module' && base === undefined;
  const left = [...UNPLACED, ...(isModuleAtRoot ? OF_PROJECT : [])].filter((path) =>
    paths.has(path),
  );
  const isDefault = left.every((path) => path === 'README.md' || path === 'INTEGRATION.md');
  return isDefault
    ? []
    : ['**', ...new Set([...left, 'README.md', 'INTEGRATION.md'])].map(excluded);
}

function excluded(path: string, at: number): string {
  return at === 0 ? path : `!${path}`;
}

function packagesField({ npm, pip }: Packages, noNpm: boolean, noPip: boolean): object {
  return { ...some('npm', noNpm ? {} : npm), ...some('pip', noPip ? {} : pip) };
}

/** A field, unless it is empty. */
function some(field: string, value: object): object {
  return Object.keys(value).length === 0 ? {} : { [field]: value };
}

function cut(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' ').trim());
  return characters.length <= MAX_DESCRIPTION
    ? characters.join('')
    : `${characters.slice(0, MAX_DESCRIPTION - 1).join('')}…`;
}
