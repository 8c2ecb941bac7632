/** The manifest of a build that was an item. Pure. */
import type { Manifest } from '../../format/build/manifest.ts';
import type { ShadcnItem } from '../../format/shadcn/shadcn-item.ts';
import { itemPackages } from './npm-packages.ts';

export interface ManifestFacts {
  readonly name: string;
  readonly item: ShadcnItem;
  readonly license: string;
  readonly base: string;
  /** Ids of the builds that it requires. */
  readonly requires: readonly string[];
  /** Files of the folder of the build that are not installed. */
  readonly leftOut: readonly string[];
  /** Of the registry. */
  readonly homepage: string | undefined;
  /** Packages that its code imports. */
  readonly imported: readonly string[];
}

const MAX_DESCRIPTION = 300;
const MAX_KEYWORDS = 20;
const ADDRESS = /^https?:\/\/\S{1,1000}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const FIRST_VERSION = '1.0.0';
/** Packages that a project has, or that the build is not for. */
const FRAMEWORKS = ['react', 'next', 'vue', 'svelte', 'astro', 'solid-js'];

/** Returns the manifest, and what of the item it cannot hold. */
export function itemManifest(facts: ManifestFacts): { manifest: Manifest; lost: string[] } {
  const { name, item, license, base, requires, leftOut, homepage, imported } = facts;
  const run = itemPackages(item.dependencies);
  const development = itemPackages(item.devDependencies);
  const variables = Object.entries(item.envVars ?? {});
  const frameworks = FRAMEWORKS.filter((one) => {
    const isUsed = imported.some((text) => text === one || text.startsWith(`${one}/`));
    return isUsed && run.packages[one] === undefined;
  });
  const manifest: Manifest = {
    name,
    version: FIRST_VERSION,
    kind: 'module',
    description: descriptionOf(item),
    license,
    ...some('keywords', [...new Set(item.categories ?? [])].slice(0, MAX_KEYWORDS)),
    ...some('stack', frameworks.length === 0 ? {} : { requires: anyVersion(frameworks) }),
    ...some('dependencies', some('npm', run.packages)),
    ...some('devDependencies', some('npm', development.packages)),
    ...some('builds', Object.fromEntries(requires.map((id) => [id, `^${FIRST_VERSION}`]))),
    files: ['**', ...leftOut.map((path) => `!${path}`)],
    ...(base === '' ? {} : { base }),
    ...some(
      'env',
      Object.fromEntries(
        variables
          .filter(([variable]) => VARIABLE.test(variable))
          .map(([variable, example]) => [variable, example === '' ? {} : { example }]),
      ),
    ),
    ...(homepage === undefined || !ADDRESS.test(homepage) || !URL.canParse(homepage)
      ? {}
      : { homepage }),
  };
  const unread = [...run.unread, ...development.unread];
  const lost = [
    ...unread.map((text) => `package "${text}" is no package of npm with a range`),
    ...variables
      .filter(([variable]) => !VARIABLE.test(variable))
      .map(([variable]) => `variable "${variable}" has no valid name`),
  ];
  return { manifest, lost };
}

function descriptionOf({ description, title, name }: ShadcnItem): string {
  const text = [description, title, name].find((one) => one !== undefined && one.trim() !== '');
  const characters = Array.from((text ?? '').replaceAll(/\s+/g, ' ').trim());
  return characters.length <= MAX_DESCRIPTION
    ? characters.join('')
    : `${characters.slice(0, MAX_DESCRIPTION - 1).join('')}…`;
}

function anyVersion(tags: readonly string[]): Record<string, string> {
  return Object.fromEntries(tags.map((tag) => [tag, '*']));
}

/** A field with its value unless that is empty. */
function some<Name extends string, Value extends object>(
  name: Name,
  value: Value,
): Partial<Record<Name, Value>> {
  return Object.keys(value).length === 0 ? {} : ({ [name]: value } as Record<Name, Value>);
}
