/**
 * Items of modules in the form that the CLI of shadcn installs; which items for shadcn a run makes, and what they require. An item of a version requires what was published when
 * that version was, permanently; the item of the latest version requires what is published now.
 */
import { createHash } from 'node:crypto';
import { consentClass } from '../../format/build/consent.ts';
import { isNeverWritten } from '../../format/build/protected-path.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { CATALOG_PATH, shardPath } from '../../format/index/layout.ts';
import {
  SHADCN_REGISTRY_PATH,
  shadcnItemPath,
  shadcnVersionPath,
} from '../../format/index/shadcn-path.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { ITEM_SCHEMA, REGISTRY_SCHEMA, type ShadcnItem } from './shadcn-item.ts';
import { isGone, type Status, statusOf } from '../../format/registry/status.ts';
import { compareVersions, isPrerelease, satisfies } from '../../format/version/semver-range.ts';
import type { RequiringVersion } from '../state/shadcn-table.ts';
import type { State } from '../state/state.ts';
import type { AddFile } from './emit.ts';
import { latestVersion } from './record.ts';
import { MAX_SHARD_SUMMARIES } from '../../format/index/record.ts';
import type { VersionFacts } from '../../scan/version-facts.ts';

/** A version whose item is to be made. */
export interface ItemVersion extends Pick<ItemParts, 'requires' | 'elsewhere'> {
  readonly version: string;
}

export interface ItemWork {
  /** Of the registry. */
  readonly address: string;
  /** Versions that have no item yet. */
  readonly versions: readonly ItemVersion[];
  /** `undefined` when all are yanked. */
  readonly latest: ItemVersion | undefined;
}

export interface RenderedItems {
  /** Versions that have an item now. */
  readonly versions: readonly string[];
  /** The line of the latest one in the list of all, as JSON. */
  readonly entry: string | undefined;
  /** How many files are new to the index. */
  readonly written: number;
}

/** The items of a registry that has them. */
export class ShadcnItems {
  readonly #state: State;
  readonly #config: RegistryConfig;
  /** Paths that are not part of the index any more. */
  readonly outdated: string[] = [];

  constructor(state: State, config: RegistryConfig) {
    this.#state = state;
    this.#config = config;
  }

  /** The builds whose latest item requires one of `changed` at an address that is another one now. */
  dependents(changed: Iterable<string>): string[] {
    return [...changed].flatMap((build) => {
      const rows = this.#state.shadcn.requiring(build);
      return rows
        .filter(({ range, address }) => this.#currentAddress(build, range) !== address)
        .map(({ id }) => id);
    });
  }

  /** Makes the items of all versions of `ids` again: one that they require was withdrawn, and has no address any more. */
  makeAgain(ids: readonly string[]): void {
    for (const id of ids) this.#state.shadcn.dropVersions(id);
  }

  /** What is to be made of `id`; remembers what its latest item requires. */
  workFor(id: string): ItemWork {
    const { shadcn } = this.#state;
    const versions = shadcn.versionsOf(id);
    const latest = this.#latestOf(id, versions);
    const required = Object.entries(latest?.builds ?? {}).map(([build, range]) => {
      return { build, range, address: this.#currentAddress(build, range) };
    });
    shadcn.setRequired(id, required);
    const statusIn = this.#statusIn(id);
    return {
      address: this.#config.base_url,
      versions: versions
        .filter(({ version }) => !shadcn.has(id, version) && !isGone(statusIn(version)))
        .map((one) => itemVersion(one, (build, range) => this.#addressThen(one, build, range))),
      latest: latest && itemVersion(latest, (build, range) => this.#currentAddress(build, range)),
    };
  }

  /** Remembers what was made. */
  keep(id: string, { versions, entry }: RenderedItems): void {
    const { shadcn } = this.#state;
    for (const version of versions) shadcn.addVersion(id, version);
    if (entry === undefined && shadcn.hasLatest(id)) this.outdated.push(shadcnItemPath(id));
    shadcn.setLatest(id, entry);
  }

  /** Stages the list of all items, where they are few enough. */
  writeRegistry(add: AddFile): void {
    if (!this.#state.shadcn.isListed()) {
      this.outdated.push(SHADCN_REGISTRY_PATH);
      return;
    }
    const items = this.#state.shadcn.entries().map((entry) => JSON.parse(entry) as object);
    const { name, base_url: homepage } = this.#config;
    add(SHADCN_REGISTRY_PATH, canonicalJson({ $schema: REGISTRY_SCHEMA, name, homepage, items }));
  }

  #latestOf(id: string, versions: readonly RequiringVersion[]): RequiringVersion | undefined {
    const isOpen = this.#open(id);
    if (!versions.some(({ version }) => isOpen(version))) return undefined;
    const latest = latestVersion(versions.map(({ version }) => version).sort(highestFirst), isOpen);
    return versions.find(({ version }) => version === latest);
  }

  /** Where a build is that is required now; `""` for one without an item here. */
  #currentAddress(build: string, range: string): string {
    const isOpen = this.#open(build);
    const all = this.#state.risksOf(build).map(({ version }) => version);
    if (all.length === 0) return '';
    const latest = latestVersion(all.sort(highestFirst), isOpen);
    const admitted = all.filter(isOpen);
    const best = satisfies(latest, range) ? latest : (bestVersion(admitted, range) ?? latest);
    const path = best === latest ? shadcnItemPath(build) : shadcnVersionPath(build, best);
    return this.#addressOf(build, best, path);
  }

  /** The same at the time of a publication. */
  #addressThen({ seq, commit }: RequiringVersion, build: string, range: string): string {
    const all = this.#state.versionsUpTo(build, seq, commit);
    const statusIn = this.#statusIn(build);
    const there = all.filter((one) => !isGone(statusIn(one)));
    const best = bestVersion(there, range);
    if (best !== undefined) return this.#addressOf(build, best, shadcnVersionPath(build, best));
    return all.length === 0 ? '' : `${this.#config.base_url}/${shadcnItemPath(build)}`;
  }

  #statusIn(id: string): (version: string) => Status {
    const [owner = '', name = ''] = id.split('/');
    const file = this.#state.ownerFile(owner);
    return (version) => statusOf(file, name, version);
  }

  #open(id: string): (version: string) => boolean {
    const statusIn = this.#statusIn(id);
    return (version) => statusIn(version).is === 'open';
  }

  #addressOf(id: string, version: string, path: string): string {
    const facts = this.#state.facts(id, version);
    return facts !== undefined && isInstallable(facts) ? `${this.#config.base_url}/${path}` : '';
  }
}

function itemVersion(
  { version, builds }: RequiringVersion,
  addressOf: (build: string, range: string) => string,
): ItemWork['versions'][number] {
  const all = Object.entries(builds).map(([build, range]) => {
    return { build, range, address: addressOf(build, range) };
  });
  return {
    version,
    requires: all.flatMap(({ address }) => (address === '' ? [] : [address])),
    elsewhere: Object.fromEntries(
      all.filter(({ address }) => address === '').map(({ build, range }) => [build, range]),
    ),
  };
}

/** The highest stable version within `range`, or the highest prerelease. */
function bestVersion(versions: readonly string[], range: string): string | undefined {
  const fitting = versions.filter((version) => satisfies(version, range)).sort(highestFirst);
  return fitting.find((version) => !isPrerelease(version)) ?? fitting[0];
}

function highestFirst(a: string, b: string): number {
  return compareVersions(b, a);
}

/**
 * The catalog's shards: a binary tree over the bits of SHA-256(id), whose leaves hold at most
 * `MAX_SHARD_SUMMARIES` builds. The tree depends on the set of ids alone, and a new build changes one
 * leaf.
 */
const BITS = 64;

/** The first 64 bits of SHA-256(id) as text, such as `0110...`. */
export function shardBits(id: string): string {
  const digest = createHash('sha256').update(id).digest();
  return digest.readBigUInt64BE(0).toString(2).padStart(BITS, '0');
}

/**
 * Makes the shards that contain one of `ids`, and the catalog, again.
 * @returns paths of shards that are no longer part of the index
 */
export function writeCatalog(state: State, ids: ReadonlySet<string>, add: AddFile): string[] {
  const before = new Set(state.shards.all().map((s) => s.sha256));
  const leaves = new Set([...ids].map((id) => leafOf(state, shardBits(id))));
  if (before.size === 0) leaves.add('');
  for (const prefix of leaves) writeUnder(state, prefix, add);
  const shards = state.shards.all();
  add(CATALOG_PATH, canonicalJson({ shards }));
  for (const { sha256 } of shards) before.delete(sha256);
  return [...before].map(shardPath);
}

function leafOf(state: State, bits: string): string {
  for (let length = 0; length <= BITS; length += 1) {
    const prefix = bits.slice(0, length);
    if (state.shards.has(prefix)) return prefix;
  }
  return '';
}

function writeUnder(state: State, prefix: string, add: AddFile): void {
  const count = state.shards.countUnder(prefix);
  if (count > MAX_SHARD_SUMMARIES && prefix.length < BITS) {
    state.shards.drop(prefix);
    writeUnder(state, `${prefix}0`, add);
    writeUnder(state, `${prefix}1`, add);
    return;
  }
  const content = canonicalJson({ builds: state.shards.summariesUnder(prefix) });
  const sha256 = createHash('sha256').update(content).digest('hex');
  add(shardPath(sha256), content);
  state.shards.set({ prefix, sha256, count });
}

/** What an item holds in addition to the facts of its version. */
export interface ItemParts {
  readonly id: string;
  /** Of the registry, without `/` at the end. */
  readonly address: string;
  /** Addresses of the items that it requires. */
  readonly requires: readonly string[];
  /** Builds that it requires and that have no item here, each with its range. */
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
  if (risk === 'danger' || !isInstallable(facts)) return undefined;
  const texts = new Map<string, string>();
  for (const { path } of facts.files) {
    const text = tryDecode(parts.files.get(path));
    const place = placeOf(manifest, path);
    if (text === undefined || consentClass({ path: place, text }) !== undefined) return undefined;
    texts.set(place, text);
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

/** Whether it is a module whose places in a project need no consent. */
function isInstallable({ manifest, files }: Pick<VersionFacts, 'manifest' | 'files'>): boolean {
  const places = files.map(({ path }) => placeOf(manifest, path));
  const isFree = (path: string): boolean =>
    consentClass({ path }) === undefined && !isNeverWritten(path);
  return manifest.kind === 'module' && places.every(isFree);
}

function placeOf({ base }: VersionFacts['manifest'], path: string): string {
  return base === undefined ? path : `${base}/${path}`;
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
    section('Needed builds that have no item here', pairs(elsewhere)),
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
