/** Which stack tags of a build are met: by the project, by installed builds, by builds that come along. */
import type { Head, HeadVersion } from '../../format/index/head.ts';
import type { LockedBuild } from '../../format/lock.ts';
import { compareVersions, isPrerelease } from '../../format/version/semver-range.ts';
import type { Conflict, Requirer } from './conflict.ts';
import { admits, stackConflict } from './conflict.ts';

/** What a project has for a stack tag, and where that was read. */
export interface StackFact {
  /** `undefined`: there, at a version that cannot be told; satisfies only `*`. */
  readonly version: string | undefined;
  readonly source: string;
}

interface TagInput {
  readonly heads: ReadonlyMap<string, Head>;
  readonly locked: ReadonlyMap<string, Pick<LockedBuild, 'version' | 'provides'>>;
  readonly stack: ReadonlyMap<string, StackFact>;
  readonly assumed?: ReadonlySet<string>;
}

export class StackTags {
  readonly #input: TagInput;

  constructor(input: TagInput) {
    this.#input = input;
  }

  /**
   * The first tag that `candidate` requires and nothing gives it.
   * @param givers versions that may give it as well; `undefined`: any might
   */
  failing(candidate: HeadVersion, givers: readonly HeadVersion[] | undefined): string | undefined {
    return Object.keys(candidate.requires)
      .sort()
      .find((tag) => {
        const range = candidate.requires[tag]!;
        if (this.#isInProject(tag, range) || givers === undefined) return false;
        return ![candidate, ...givers].some(
          (giver) => giver.provides.includes(tag) && admits(giver.version, range),
        );
      });
  }

  /** Why `candidate` fails on `tag`, with what is there instead. */
  conflict(
    build: Requirer,
    candidate: HeadVersion,
    tag: string,
    chosen: ReadonlyMap<string, HeadVersion>,
  ): Conflict {
    const providers = [...chosen, ...this.#input.locked]
      .filter(([, { provides }]) => provides.includes(tag))
      .map(([id, { version }]) => `${version} of "${id}"`)
      .sort();
    const fitting = this.#input.heads
      .get(build.id)
      ?.versions.filter(({ version, yanked }) => yanked === false && !isPrerelease(version))
      .filter(({ requires }) =>
        Object.entries(requires).every(([need, range]) => this.#isInProject(need, range)),
      )
      .map(({ version }) => version)
      .sort((a, b) => compareVersions(b, a))[0];
    const fact = this.#input.stack.get(tag);
    return stackConflict({ build, tag, range: candidate.requires[tag]!, fact, providers, fitting });
  }

  #isInProject(tag: string, range: string): boolean {
    if (this.#input.assumed?.has(tag) === true) return true;
    const fact = this.#input.stack.get(tag);
    // A version that cannot be told lies in no range but `*`, as no version is the empty text.
    if (fact !== undefined && admits(fact.version ?? '', range)) return true;
    return [...this.#input.locked.values()].some(
      (build) => build.provides.includes(tag) && admits(build.version, range),
    );
  }
}
