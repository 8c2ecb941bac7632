/** The registry as the base branch has it: what it published, its names and owner files. */
import { integrityOf } from '../../scan/examine-build.ts';
import { isBuildId } from '../../format/build/build-id.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import {
  buildFolder,
  type Layout,
  ownerFilePath,
} from '../../format/registry/repository-layout.ts';
import { compareVersions, precedenceOf } from '../../format/version/semver-range.ts';
import { buildsEntries, entriesBelow } from '../git/builds-entries.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { commitsWith, readDeclaredVersion } from '../git/history.ts';
import { type Repository } from '../git/repository.ts';
import { entryTypeOf, readSource } from '../git/source.ts';
import { entryAt } from './git.ts';
import { readDocument } from '../git/read-document.ts';

/** The registry on the base branch. What is not always needed is read once, when a rule asks. */
export interface Registry {
  readonly repository: Repository;
  readonly reader: ObjectReader;
  readonly config: RegistryConfig;
  /** The tree that merging gives. */
  readonly tree: string;
  readonly names: () => Promise<RegistryNames>;
  /** What was published of a build. */
  readonly history: (id: string) => Promise<PublishedHistory>;
  /**
   * Build id to declared version, of every build folder that changes and stays. Whether the builds are valid is judged
   * elsewhere: the pull request lands as a whole or not at all.
   */
  readonly proposed: () => Promise<ReadonlyMap<string, string>>;
}

export function registryOf(
  known: Pick<Registry, 'repository' | 'reader' | 'config' | 'tree'>,
  baseTree: string,
  ids: Iterable<string>,
): Registry {
  const { repository, reader, config } = known;
  const histories = new Map<string, Promise<PublishedHistory>>();
  let names: Promise<RegistryNames> | undefined;
  let proposed: Promise<ReadonlyMap<string, string>> | undefined;
  return {
    ...known,
    names: () => (names ??= registryNames(reader, baseTree, config)),
    history: (id) => {
      const history = histories.get(id) ?? PublishedHistory.read(repository, reader, id);
      histories.set(id, history);
      return history;
    },
    proposed: () => (proposed ??= declaredVersions(known, ids)),
  };
}

/**
 * The owner file at a tree or commit; an error where it cannot be read.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function ownerFileAt(
  { repository, reader, config }: Pick<Registry, 'repository' | 'reader' | 'config'>,
  tree: string,
  owner: string,
): Promise<OwnerFile | Error | undefined> {
  const entry = await entryAt(repository.folder, tree, ownerFilePath(owner, config));
  return entry === undefined ? undefined : readDocument(reader, OwnerFile, entry.oid);
}

async function declaredVersions(
  { repository, reader, config, tree }: Pick<Registry, 'repository' | 'reader' | 'config' | 'tree'>,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>();
  for (const id of ids) {
    const entry = await entryAt(repository.folder, tree, buildFolder(id, config));
    if (entry?.mode !== '040000') continue;
    const version = await readDeclaredVersion(reader, entry.oid);
    if (version !== undefined) versions.set(id, version);
  }
  return versions;
}

export interface Publication {
  readonly version: string;
  readonly commit: string;
  /** Tree id of the build folder. */
  readonly tree: string;
  readonly integrity: string;
}

type Candidate = Omit<Publication, 'integrity'>;

export class PublishedHistory {
  readonly #reader: ObjectReader;
  readonly #owner: string;
  readonly #name: string;
  /** By precedence, each from old to new. */
  readonly #candidates: ReadonlyMap<string, readonly Candidate[]>;
  readonly #judged = new Map<string, Promise<string | undefined>>();

  private constructor(
    reader: ObjectReader,
    owner: string,
    name: string,
    candidates: ReadonlyMap<string, readonly Candidate[]>,
  ) {
    this.#reader = reader;
    this.#owner = owner;
    this.#name = name;
    this.#candidates = candidates;
  }

  /** @param id `<owner>/<name>` @throws {GeneratorError} `ERR_GIT` */
  static async read(
    repository: Repository,
    reader: ObjectReader,
    id: string,
  ): Promise<PublishedHistory> {
    const candidates = new Map<string, Candidate[]>();
    const [owner = '', name = ''] = id.split('/');
    const folder = buildFolder(id, { root: repository.root ?? '' });
    for (const { commit, tree } of await commitsWith(repository, reader, folder)) {
      const version = await readDeclaredVersion(reader, tree);
      if (version === undefined) continue;
      const precedence = precedenceOf(version);
      const known = candidates.get(precedence) ?? [];
      if (known.every((one) => one.tree !== tree)) {
        candidates.set(precedence, [...known, { version, commit, tree }]);
      }
    }
    return new PublishedHistory(reader, owner, name, candidates);
  }

  /** The publication of `version`, if it was published. */
  async find(version: string): Promise<Publication | undefined> {
    const found = await this.findSamePrecedence(version);
    return found?.version === version ? found : undefined;
  }

  /** What was published with the precedence of `version`: one version at most. */
  async findSamePrecedence(version: string): Promise<Publication | undefined> {
    for (const candidate of this.#candidates.get(precedenceOf(version)) ?? []) {
      const integrity = await this.#integrityOf(candidate.tree);
      if (integrity !== undefined) return { ...candidate, integrity };
    }
    return undefined;
  }

  async highest(isWanted: (version: string) => boolean): Promise<Publication | undefined> {
    const declared = [...this.#candidates.values()].flat().map(({ version }) => version);
    const versions = [...new Set(declared)].filter(isWanted);
    for (const version of versions.sort((a, b) => compareVersions(b, a))) {
      const found = await this.find(version);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The digest of a tree that is a valid build; `undefined` for every other tree, which publishes nothing. */
  #integrityOf(tree: string): Promise<string | undefined> {
    const known = this.#judged.get(tree) ?? this.#judge(tree);
    this.#judged.set(tree, known);
    return known;
  }

  async #judge(tree: string): Promise<string | undefined> {
    const source = await readSource(this.#reader, tree);
    return integrityOf({ owner: this.#owner, name: this.#name, source });
  }
}

export interface RegistryNames {
  /** Every `<owner>/<name>`. */
  readonly ids: ReadonlySet<string>;
  readonly owners: ReadonlySet<string>;
}

/**
 * @param tree tree id of the base branch
 * @throws {GeneratorError} `ERR_GIT`
 */
async function registryNames(
  reader: ObjectReader,
  tree: string,
  layout: Layout,
): Promise<RegistryNames> {
  const [ids, owners] = [new Set<string>(), new Set<string>()];
  const folders = (await buildsEntries(reader, tree, layout)).filter(({ place, mode }) => {
    if (place.kind !== 'owner' || entryTypeOf(mode) !== 'folder') return false;
    owners.add(place.owner);
    return true;
  });
  for await (const { path, mode } of entriesBelow(reader, folders)) {
    if (entryTypeOf(mode) !== 'folder') continue;
    // What is in the folder of an owner needs no look at its place.
    const id = path.slice(path.lastIndexOf('/', path.lastIndexOf('/') - 1) + 1);
    if (isBuildId(id)) ids.add(id);
  }
  return { ids, owners };
}
