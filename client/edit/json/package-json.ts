/**
 * Adds packages and scripts of builds to the text of a package.json. The user's entries, layout, order,
 * line ends and byte order mark are kept. `npm-dependencies.ts` and `package-scripts.ts` select the entries.
 */
import { DEPENDENCY_TABLES } from '../../../format/project/stack-fact.ts';
import { type EditWarning, splitBom } from '../project-file.ts';
import { changeEntries, type EntryChange } from './change-entries.ts';
import { type NpmAddition, planNpm } from './npm-dependencies.ts';
import type { EarlierNpmEntries, NpmOutcome, NpmRequirement } from './npm-requirement.ts';
import { parsePackageJson, readTable, type PackageTable } from './package-json-tables.ts';
import { type EarlierScripts, planScripts, type ScriptOutcome } from './package-scripts.ts';

interface PackageJsonEdit {
  readonly text: string;
  readonly npm: readonly NpmOutcome[];
  readonly scripts: readonly ScriptOutcome[];
  readonly warnings: readonly EditWarning[];
  /** Created entries, see `changeEntries`. */
  readonly created: readonly string[];
  /** Packages whose range or table changed, for other builds that share them. */
  readonly replaced: readonly NpmAddition[];
  /** Packages that were kept by decision although their ranges do not meet. */
  readonly decided: readonly string[];
}

/** Entries of earlier installs. */
interface EarlierInPackageJson {
  readonly npm?: EarlierNpmEntries;
  readonly scripts?: EarlierScripts;
  readonly created?: ReadonlySet<string>;
}

/**
 * Adds the entries of `requirements` that `text` does not have.
 * @param keep packages whose range in `text` the user decided to keep
 * @throws {ClientError} `ERR_PROJECT_FILE` when the file cannot be parsed,
 *   `ERR_DEPENDENCY` when ranges do not intersect
 */
export function editPackageJson(
  text: string,
  requirements: {
    readonly npm: readonly NpmRequirement[];
    readonly scripts: Parameters<typeof planScripts>[1];
  },
  earlier: EarlierInPackageJson = {},
  keep: ReadonlySet<string> = new Set(),
): PackageJsonEdit {
  const { bom, body } = splitBom(text);
  const root = parsePackageJson(body);
  const tables = new Map(
    DEPENDENCY_TABLES.map((table) => [table, readTable(body, root, table)] as const),
  );
  const npm = planNpm(tables, requirements.npm, earlier.npm, keep);
  const scripts = planScripts(
    readTable(body, root, 'scripts'),
    requirements.scripts,
    earlier.scripts,
  );
  const changes = [
    ...npm.additions.flatMap(npmChanges),
    ...scripts.additions.map(
      ({ name, value }) => ({ table: 'scripts', key: name, value }) as const,
    ),
  ];
  const changed = changeEntries(body, changes, earlier.created);
  return {
    text: bom + changed.body,
    npm: npm.outcomes,
    scripts: scripts.outcomes,
    warnings: [...npm.warnings, ...scripts.warnings],
    created: changed.created,
    replaced: npm.additions.filter(({ instead }) => instead !== undefined),
    decided: npm.decided,
  };
}

/** A package that moves to another table is removed from the old one. */
function npmChanges({ name, range, table, instead }: NpmAddition): EntryChange[] {
  const change = { table, key: name, value: range };
  return instead === undefined || instead.table === table
    ? [change]
    : [change, { table: instead.table, key: name, value: undefined }];
}

/** A package or script that the lock records as added. */
interface AddedEntry {
  readonly table: PackageTable;
  readonly key: string;
  readonly value: string;
}

/**
 * Removes those of `entries` that are unchanged; `changed` are the others that the text still has.
 * @param created entries of earlier changes; such a table is removed when it becomes empty
 * @throws {ClientError} `ERR_PROJECT_FILE`
 */
export function uninstallFromPackageJson(
  text: string,
  entries: readonly AddedEntry[],
  created: ReadonlySet<string>,
): { readonly text: string; readonly changed: readonly AddedEntry[] } {
  const { bom, body } = splitBom(text);
  const root = parsePackageJson(body);
  const gone: EntryChange[] = [];
  const changed: AddedEntry[] = [];
  for (const entry of entries) {
    const value = readTable(body, root, entry.table).get(entry.key);
    if (value === entry.value) gone.push({ ...entry, value: undefined });
    else if (value !== undefined) changed.push(entry);
  }
  return { text: bom + changeEntries(body, gone, created).body, changed };
}

/** Whether a package.json has the entry unchanged. @throws {ClientError} `ERR_PROJECT_FILE` */
export function hasEntry(text: string, { table, key, value }: AddedEntry): boolean {
  const { body } = splitBom(text);
  return readTable(body, parsePackageJson(body), table).get(key) === value;
}
