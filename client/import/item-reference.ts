/** What `registryDependencies` of an item name: items of the same registry, or those of another. Pure. */
import { isBuildName } from '../../format/build/build-id.ts';
import { lowerCase, normalize } from '../../format/unicode.ts';
import type { ShadcnItem } from '../../format/shadcn-item.ts';

/** A set, or a map by name. */
type Names = Pick<ReadonlySet<string>, 'has'>;

interface ItemReferences {
  /** Names of items of the registry. */
  readonly own: readonly string[];
  /** As they are written. */
  readonly foreign: readonly string[];
}

/**
 * @param names of the items of the registry
 * @param address of the registry; `undefined` for a folder
 */
export function itemReferences(
  references: readonly string[],
  names: Names,
  address: string | undefined,
): ItemReferences {
  const own = new Set<string>();
  const foreign = new Set<string>();
  for (const reference of references) {
    const name = ownName(reference, names, address);
    if (name === undefined) foreign.add(reference);
    else own.add(name);
  }
  return { own: [...own], foreign: [...foreign] };
}

function ownName(reference: string, names: Names, address: string | undefined): string | undefined {
  const known = (name: string): string | undefined => (names.has(name) ? name : undefined);
  if (known(reference) !== undefined) return reference;
  if (/^https?:\/\//i.test(reference)) {
    // A folder does not know its address: the name decides.
    const isInside = address === undefined || reference.startsWith(address);
    return isInside ? nameAtEnd(reference, names) : undefined;
  }
  const [, namespace, name = ''] = /^@([^/]+)\/(.+)$/s.exec(reference) ?? [];
  if (namespace !== undefined) return namespace === 'shadcn' ? undefined : known(name);
  return known(reference.replace(/\.json$/, '').replace(/^\.\//, ''));
}

/** The longest name that the path of an address ends with: names may have a `/`, and our items an `@1.0.0`. */
function nameAtEnd(address: string, names: Names): string | undefined {
  const path = /^[^?#]+?\.json(?=[?#]|$)/.exec(address)?.[0].replace(/(?:@[^/@]+)?\.json$/, '');
  const segments = path?.split('/').slice(3) ?? [];
  for (const at of segments.keys()) {
    const name = segments.slice(at).join('/');
    if (names.has(name)) return name;
  }
  return undefined;
}

/** The ids of the builds that items become. */
export function buildIdOf(owner: string, item: string): string {
  return `${owner}/${tryBuildName(item) ?? item}`;
}

/** The name of the build that an item becomes. Pure. */
const MAX_LENGTH = 50;

/** `Sidebar 07` becomes `sidebar-07`; `undefined` for a name without a letter or digit. */
export function tryBuildName(item: string): string | undefined {
  const name = lowerCase(normalize(item, 'NFKD').replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2'))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return isBuildName(name) ? name : undefined;
}

/** An item of a registry for shadcn with the contents of its files. */
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

// The style sheet with what shadcn would write into the style sheet of a project with Tailwind 4: `cssVars` and `css`.
// Pure.

/** Values that a utility such as `bg-brand` can be made of. */
const COLOR = /^(?:#|(?:hsla?|rgba?|hwb|oklch|oklab|lch|lab|color)\()/i;
/** The form of Tailwind 3: `0 0% 100%`. */
const HSL_PARTS = /^-?[\d.]+(?:deg)?\s+[\d.]+%\s+[\d.]+%(?:\s*\/\s*[\d.]+%?)?$/;

/** Nested deeper than this is left out: no style sheet is. */
const MAX_DEPTH = 32;

type Rules = Readonly<Record<string, unknown>>;

/** `undefined` for an item without styles. */
export function styleSheet({ cssVars = {}, css = {} }: ShadcnItem): string | undefined {
  const { theme = {}, light = {}, dark = {} } = cssVars;
  const inline = new Map(Object.entries(theme).map(([name, value]) => [property(name), value]));
  for (const [name, value] of Object.entries({ ...dark, ...light })) {
    const variable = property(name);
    const utility = `--color-${variable.slice(2)}`;
    if (isColor(value) && !inline.has(utility)) inline.set(utility, `var(${variable})`);
  }
  const rules = Object.entries(css);
  // Everything else has to follow them.
  const imports = rules.filter(([name]) => name.startsWith('@import'));
  const others = rules.filter(([name]) => !name.startsWith('@import'));
  const blocks = [
    ...imports.map(([name, value]) => printRule(name, value, 0)),
    block('@theme inline', [...inline]),
    block(':root', variables(light)),
    block('.dark', variables(dark)),
    ...others.map(([name, value]) => printRule(name, value, 0)),
  ].filter((text) => text !== '');
  return blocks.length === 0 ? undefined : blocks.join('\n');
}

function variables(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).map(([name, value]) => {
    return [property(name), HSL_PARTS.test(value) ? `hsl(${value})` : value];
  });
}

function block(selector: string, declarations: readonly (readonly [string, string])[]): string {
  if (declarations.length === 0) return '';
  return `${selector} {\n${declarations.map(([name, value]) => `  ${name}: ${value};\n`).join('')}}\n`;
}

function printRule(name: string, value: unknown, depth: number): string {
  const indent = '  '.repeat(depth);
  if (typeof value === 'string') {
    return value === '' && name.startsWith('@')
      ? `${indent}${name};\n`
      : `${indent}${name}: ${value};\n`;
  }
  if (Array.isArray(value)) {
    return value.map((one) => printRule(name, one, depth)).join('');
  }
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return '';
  const inner = Object.entries(value as Rules)
    .map(([key, one]) => printRule(key, one, depth + 1))
    .join('');
  if (inner === '' && name.startsWith('@')) return `${indent}${name};\n`;
  return `${indent}${name} {\n${inner}${indent}}\n`;
}

function property(name: string): string {
  return name.startsWith('--') ? name : `--${name}`;
}

function isColor(value: string): boolean {
  return COLOR.test(value) || HSL_PARTS.test(value);
}
