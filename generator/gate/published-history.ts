/**
 * What the base branch has published of one build, by the rule of the generator: the first commit of the
 * main line whose folder is a valid build with a version publishes that version.
 */
import { LAYOUTS, buildFolder } from '../../format/registry/repository-layout.ts';
import { compareVersions, precedenceOf } from '../../format/version/semver-range.ts';
import { commitsOfPaths } from '../git/commits-of-paths.ts';
import { layoutAt } from '../git/laid-out-history.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { readDeclaredVersion } from '../git/publication.ts';
import type { Repository } from '../git/repository.ts';
import { readSource } from '../git/source.ts';
import { integrityOf } from '../../examine/examine-build.ts';

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
    const folders = LAYOUTS.map((layout) => buildFolder(id, layout));
    for (const { oid: commit, changes } of await commitsOfPaths(repository, folders)) {
      const folder = buildFolder(id, await layoutAt(reader, commit));
      const change = changes.find((c) => c.mode === '040000' && c.path.toString() === folder);
      if (change === undefined) continue;
      const version = await readDeclaredVersion(reader, change.oid);
      if (version === undefined) continue;
      const precedence = precedenceOf(version);
      const known = candidates.get(precedence) ?? [];
      if (known.every(({ tree }) => tree !== change.oid)) {
        candidates.set(precedence, [...known, { version, commit, tree: change.oid }]);
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

  /** The highest published version for which `isWanted`. */
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
