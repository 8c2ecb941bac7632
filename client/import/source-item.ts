/** An item of a registry for shadcn with the contents of its files. */
import type { ShadcnItem } from '../../format/shadcn/shadcn-item.ts';

export interface SourceFile {
  /** In the registry that it is from. */
  readonly path: string;
  readonly type: string;
  readonly target: string | undefined;
  readonly content: string;
}

export interface SourceItem {
  readonly item: ShadcnItem;
  readonly files: readonly SourceFile[];
}

/** Where items are from, and what it states for all of them. */
export interface ItemSource {
  /** The page of the registry, as it states it. */
  readonly homepage: string | undefined;
  /** Addresses of items begin with it; `undefined` for a folder. */
  readonly address: string | undefined;
  readonly items: readonly SourceItem[];
  /** What could not be read, by the name of the item. */
  readonly broken: readonly BrokenItem[];
  /** SPDX expression. */
  readonly license: string | undefined;
  readonly licenseText: string | undefined;
}

export interface BrokenItem {
  readonly name: string;
  readonly code: string;
  readonly problem: string;
}
