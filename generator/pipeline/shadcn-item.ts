/** An item of a registry for shadcn, as its CLI 4 reads them. */

export const ITEM_SCHEMA = 'https://ui.shadcn.com/schema/registry-item.json';
export const REGISTRY_SCHEMA = 'https://ui.shadcn.com/schema/registry.json';

export interface ShadcnItem {
  readonly $schema?: string;
  readonly name: string;
  readonly type: string;
  readonly title?: string | undefined;
  readonly author?: string;
  readonly description?: string | undefined;
  readonly dependencies?: readonly string[];
  readonly devDependencies?: readonly string[];
  readonly registryDependencies?: readonly string[];
  /** None in the list of all items. */
  readonly files?: readonly { path: string; type: string; target: string; content: string }[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly docs?: string;
  readonly categories?: readonly string[];
}
