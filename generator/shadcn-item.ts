/** Makes the item of one version of a module, in the form that the CLI of shadcn installs. Pure. */
import type { VersionFacts } from '../scan/version-facts.ts';
import { consentClass } from '../format/build/consent.ts';
import { isNeverWritten } from '../format/build/protected-path.ts';
import { ITEM_SCHEMA, type ShadcnItem } from '../format/shadcn-item.ts';

/** What an item holds in addition to the facts of its version. */
export interface ItemParts {
  readonly id: string;
  /** Of the registry, without `/` at the end. */
  readonly address: string;
  /** Addresses of the items that it requires. */
  readonly requires: readonly string[];
  /** Builds that it requires and this registry does not have, each with its range. */
  readonly elsewhere: Readonly<Record<string, string>>;
  /** Path within the build to bytes, of all files. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The CLI takes no shorter author. */
const MIN_AUTHOR_LENGTH = 2;

/**
 * The item; `undefined` for a version that the form cannot express, or that needs the consent of a user, for which
 * that CLI does not ask.
 */
export function makeItem(facts: VersionFacts, parts: ItemParts): ShadcnItem | undefined {
  const { manifest, risk, version } = facts;
  const paths = facts.files.map(({ path }) => path);
  const placed = (path: string): string =>
    manifest.base === undefined ? path : `${manifest.base}/${path}`;
  if (manifest.kind !== 'module' || risk === 'danger') return undefined;
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = tryDecode(parts.files.get(path));
    if (text === undefined) return undefined;
    const needs = consentClass({ path: placed(path), text });
    if (needs !== undefined || isNeverWritten(placed(path))) return undefined;
    texts.set(placed(path), text);
  }
  const [owner = ''] = parts.id.split('/');
  // The CLI writes no file without content.
  const empty = [...texts].filter(([, text]) => text === '').map(([path]) => path);
  return {
    $schema: ITEM_SCHEMA,
    name: parts.id,
    type: 'registry:item',
    title: `${parts.id} ${version}`,
    ...(owner.length < MIN_AUTHOR_LENGTH ? {} : { author: owner }),
    description: manifest.description,
    ...optional('dependencies', packageArguments(manifest.dependencies?.npm)),
    ...optional('devDependencies', packageArguments(manifest.devDependencies?.npm)),
    ...optional('registryDependencies', parts.requires),
    files: [...texts]
      .filter(([, text]) => text !== '')
      .map(([path, content]) => {
        // Without `~/`, a leading `src/` is dropped where the project has no such folder.
        return { path, type: 'registry:file', target: `~/${path}`, content };
      }),
    docs: itemDocs(facts, { ...parts, empty }),
    ...optional('categories', manifest.keywords ?? []),
    meta: {
      stackyard: { id: parts.id, version, integrity: facts.integrity, license: manifest.license },
    },
  };
}

/** The line of an item in the list of all: without files. */
export function itemEntry({ name, type, title, description, categories }: ShadcnItem): ShadcnItem {
  return { name, type, title, description, ...(categories === undefined ? {} : { categories }) };
}

function packageArguments(packages: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(packages).map(([name, range]) => `${name}@${range}`);
}

function optional<Name extends string>(
  name: Name,
  list: readonly string[],
): Partial<Record<Name, string[]>> {
  return list.length === 0 ? {} : ({ [name]: [...list] } as Partial<Record<Name, string[]>>);
}

/** The text with its byte order mark; `undefined` for other bytes than UTF-8. */
function tryDecode(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

interface DocsParts {
  readonly id: string;
  readonly address: string;
  readonly elsewhere: Readonly<Record<string, string>>;
  /** Files without content, by their places in the project. */
  readonly empty: readonly string[];
}

function itemDocs({ manifest, integration }: VersionFacts, parts: DocsParts): string {
  const { id, address, elsewhere, empty } = parts;
  const pip = { ...manifest.dependencies?.pip, ...manifest.devDependencies?.pip };
  const variables = Object.entries(manifest.env ?? {}).map(([name, variable]) => {
    const { description, required } = variable;
    const text = description === undefined ? '' : `: ${description}`;
    return `${name}${required === true ? ' (required)' : ''}${text}`;
  });
  const sections = [
    section('Needed in the project', pairs(manifest.stack?.requires)),
    section('Needed builds of other registries', pairs(elsewhere)),
    section('Python packages to install', pairs(pip)),
    section('Scripts for package.json', pairs(manifest.scripts, ': ')),
    section('Environment variables', variables),
    section('Empty files to create', empty),
  ].join('');
  return `${id} ${manifest.version}, licence ${manifest.license}, from ${address}
${sections}
${integration}`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${title}:\n${lines.map((line) => `- ${line}\n`).join('')}`;
}

function pairs(map: Readonly<Record<string, string>> = {}, between = ' '): string[] {
  return Object.entries(map).map(([name, value]) => `${name}${between}${value}`);
}
