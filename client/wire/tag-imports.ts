/**
 * Imports of blocks from a tag: `import { database } from 'tag:database'` is written as the import of the index of the installed
 * build that provides the tag. Pure.
 */
import type { WireBlock } from '../../format/wiring/wiring.ts';
import { tagOfImport } from '../../format/build/stack-tag.ts';
import type { JavaScriptForm } from '../plan/plan.ts';
import { compiledNames, type Layout, type Reached } from '../plan/place/layout.ts';
import { joinPath } from '../plan/place/paths.ts';
import { findSpecifiers } from '../plan/place/javascript-specifiers.ts';

interface Provider {
  readonly id: string;
  readonly provides: readonly string[];
  /** Whether the user named it, and not only other builds. */
  readonly isRequested: boolean;
}

const INDEX = /^index\.[cm]?[jt]sx?$/;

/** The tags that a block imports from. */
export function tagsOf({ text, verb, target }: WireBlock): string[] {
  const mayImport = (verb === 'file' || verb === 'import') && text.includes('tag:');
  const found = mayImport
    ? findSpecifiers(/\.[jt]sx$/.test(target) ? target : 'block.ts', text)
    : undefined;
  return (found?.specifiers ?? []).flatMap(({ value }) => tagOfImport(value) ?? []);
}

/** What the tags stand for in one project after a change. */
export class TagImports {
  readonly #layout: Layout;
  readonly #offered: ReadonlyMap<string, readonly string[]> | undefined;
  readonly #providers: readonly Provider[];

  /** @param offered by tag, what the registry has for it */
  constructor(
    layout: Layout,
    offered: ReadonlyMap<string, readonly string[]> | undefined,
    providers: readonly Provider[],
  ) {
    this.#layout = layout;
    this.#offered = offered;
    this.#providers = providers.filter(({ id }) => this.#indexOf(id) !== undefined);
  }

  /** Why a tag of a block stands for no build; `undefined` where each of them does. */
  readonly problem = (block: WireBlock): string | undefined => {
    for (const tag of tagsOf(block)) {
      const ids = this.#providersOf(tag);
      if (ids.length === 1) continue;
      if (ids.length > 1) {
        return `${ids.toSorted().join(' and ')} provide "${tag}": import from the one that you mean`;
      }
      const offered = this.#offered?.get(tag) ?? [];
      const what =
        offered.length === 0
          ? `; look for one: stackyard search provides:${tag}`
          : `: stackyard add ${offered.join(' or ')}`;
      return `no installed build provides "${tag}"${what}`;
    }
    return undefined;
  };

  /** Finds the index that an import from a tag stands for, as code in a form names it. */
  finder(form: JavaScriptForm | undefined): (specifier: string) => Reached | undefined {
    return (specifier) => {
      const tag = tagOfImport(specifier);
      const [id, other] = tag === undefined ? [] : this.#providersOf(tag);
      if (id === undefined || other !== undefined) return undefined;
      const file = this.#indexOf(id)!;
      const isBare = form === 'bare' || form === 'bundled';
      const name = isBare ? file.replace(/\.[^.]+$/, '') : (compiledNames(file)[0] ?? file);
      return this.#layout.reach(id, name);
    };
  }

  /** One build where it is clear: the one that the user named, or that requires the others. */
  #providersOf(tag: string): string[] {
    const all = this.#providers.filter(({ provides }) => provides.includes(tag));
    const requested = all.filter(({ isRequested }) => isRequested);
    const ids = (requested.length > 0 ? requested : all).map(({ id }) => id);
    return ids.filter(
      (id) => !ids.some((other) => other !== id && this.#layout.get(other)?.requires.includes(id)),
    );
  }

  /** The shipped path of the index of a build; `undefined` where it has none in JavaScript or TypeScript. */
  #indexOf(id: string): string | undefined {
    const place = this.#layout.get(id);
    const index = place?.files.find((file) => INDEX.test(file));
    return index === undefined ? undefined : joinPath(place!.base, index);
  }
}
