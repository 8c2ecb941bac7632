/** The heads of a registry that were asked for so far, and resolving with them. */
import type { Registry } from '../registry/registry.ts';
import type { KnownHead } from '../resolve/conflict.ts';
import type { ResolveInput, Resolution } from '../resolve/resolver.ts';
import { resolve } from '../resolve/resolver.ts';
import type { AgeRule } from '../resolve/version-age.ts';
import { hideYoung } from '../resolve/version-age.ts';

/** A resolution that needs no more heads. */
export type Resolved = Exclude<Resolution, { kind: 'needs-heads' }>;

export class KnownHeads {
  readonly heads = new Map<string, KnownHead>();
  readonly #missing = new Set<string>();
  readonly #registry: Registry;
  readonly #age: AgeRule | undefined;
  readonly #installed: ReadonlyMap<string, { readonly version: string }>;

  constructor(
    registry: Registry,
    age: AgeRule | undefined,
    installed: ReadonlyMap<string, { readonly version: string }>,
  ) {
    this.#registry = registry;
    this.#age = age;
    this.#installed = installed;
  }

  /**
   * Resolves, and fetches what the resolver asks for.
   * @param onMissing told of each build that the registry does not have; may change `input`
   * @throws {ClientError} those of the registry
   */
  async resolve(
    input: Omit<ResolveInput, 'heads' | 'missing'>,
    onMissing: (id: string) => void = () => {},
  ): Promise<Resolved> {
    for (;;) {
      const resolution = resolve({ ...input, heads: this.heads, missing: this.#missing });
      if (resolution.kind !== 'needs-heads') return resolution;
      await Promise.all(resolution.ids.map((id) => this.#fetch(id, onMissing)));
    }
  }

  /** The same heads seen without the rule on age. */
  withoutAge(): KnownHeads {
    return new KnownHeads(this.#registry, undefined, this.#installed);
  }

  async #fetch(id: string, onMissing: (id: string) => void): Promise<void> {
    const head = await this.#registry.head(id);
    if (head === undefined) {
      this.#missing.add(id);
      onMissing(id);
    } else this.heads.set(id, hideYoung(head, this.#age, this.#installed.get(id)?.version));
  }
}
