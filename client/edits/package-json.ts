/**
 * Adds packages and scripts of builds to the text of a package.json. It only ever inserts: the user's
 * entries, layout, order, line ends and byte order mark stay. Which entries: the two plans beside it.
 */
import { isDeepStrictEqual } from 'node:util';
import { createScanner, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { InternalError } from '../../format/errors.ts';
import type { ClientError } from '../errors.ts';
import { insertProperty, keyOf } from './json-insertion.ts';
import type { DependencyTable, NpmOutcome, NpmWish } from './npm-dependencies.ts';
import { DEPENDENCY_TABLES, planNpm } from './npm-dependencies.ts';
import type { ScriptOutcome, ScriptWish } from './package-scripts.ts';
import { planScripts } from './package-scripts.ts';
import type { EditWarning } from './project-file.ts';
import { compareText, placeError, placeOf, quote, splitBom } from './project-file.ts';

export interface PackageJsonEdit {
  readonly text: string;
  readonly npm: readonly NpmOutcome[];
  readonly scripts: readonly ScriptOutcome[];
  readonly warnings: readonly EditWarning[];
}

const FILE = 'package.json';

/** The parsers behind this one recurse. */
const MAX_DEPTH = 100;

const HINT = 'correct package.json and run the command again';

/**
 * `text` with what `wishes` need and it does not have.
 * @throws {ClientError} `ERR_PROJECT_FILE` when the file cannot be read with certainty,
 *   `ERR_DEPENDENCY` when ranges do not meet
 */
export function editPackageJson(
  text: string,
  wishes: { readonly npm: readonly NpmWish[]; readonly scripts: readonly ScriptWish[] },
): PackageJsonEdit {
  const { bom, body } = splitBom(text);
  const root = parseRoot(body);
  const tables = new Map(
    DEPENDENCY_TABLES.map((table) => [table, readTable(body, root, table)] as const),
  );
  const npm = planNpm(tables, wishes.npm);
  const scripts = planScripts(readTable(body, root, 'scripts'), wishes.scripts);
  const entries: Entry[] = [
    ...npm.additions.map(({ name, range, table }) => ({ table, key: name, value: range })),
    ...scripts.additions.map(({ name, value }) => ({
      table: 'scripts' as const,
      key: name,
      value,
    })),
  ];
  let edited = body;
  for (const entry of entries) edited = insertEntry(edited, entry);
  if (!isDeepStrictEqual(JSON.parse(edited), intendedValue(body, entries))) {
    throw new InternalError('the edit of package.json does not have the intended value');
  }
  return {
    text: bom + edited,
    npm: npm.outcomes,
    scripts: scripts.outcomes,
    warnings: [...npm.warnings, ...scripts.warnings],
  };
}

type Table = DependencyTable | 'scripts';

interface Entry {
  readonly table: Table;
  readonly key: string;
  readonly value: string;
}

/** The tree of a file that is one JSON object by the strict rules. */
function parseRoot(body: string): Node {
  const deepAt = findDeepNesting(body);
  if (deepAt !== undefined) throw fileError(body, deepAt, `nested more than ${MAX_DEPTH} deep`);
  try {
    JSON.parse(body);
  } catch {
    throw syntaxError(body);
  }
  const root = parseTree(body, [], { disallowComments: true });
  if (root?.type !== 'object') throw fileError(body, root?.offset ?? 0, 'it is not an object');
  refuseDuplicates(body, root);
  return root;
}

function findDeepNesting(body: string): number | undefined {
  const scanner = createScanner(body, true);
  let depth = 0;
  while (scanner.getPosition() < body.length) {
    scanner.scan();
    const mark = body[scanner.getTokenOffset()];
    if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

function syntaxError(body: string): ClientError {
  const errors: ParseError[] = [];
  parseTree(body, errors, { disallowComments: true });
  const [error] = errors;
  if (error === undefined) return fileError(body, 0, 'it is not JSON');
  const words = printParseErrorCode(error.error).replace(/([a-z])([A-Z])/g, '$1 $2');
  return fileError(body, error.offset, words.toLowerCase());
}

/** Parsers differ in which of two equal keys they take. */
function refuseDuplicates(body: string, object: Node): void {
  const seen = new Set<string>();
  for (const property of object.children ?? []) {
    const key = keyOf(property);
    if (seen.has(key)) throw fileError(body, property.offset, `key ${quote(key)} stands twice`);
    seen.add(key);
  }
}

function readTable(body: string, root: Node, table: Table): Map<string, string> {
  const entries = new Map<string, string>();
  const value = root.children?.find((property) => keyOf(property) === table)?.children?.[1];
  if (value === undefined) return entries;
  if (value.type !== 'object') throw fileError(body, value.offset, `"${table}" is not an object`);
  refuseDuplicates(body, value);
  for (const property of value.children ?? []) {
    const entry = property.children?.[1];
    if (entry?.type !== 'string') {
      const problem = `${quote(keyOf(property))} in "${table}" is not a string`;
      throw fileError(body, entry?.offset ?? property.offset, problem);
    }
    entries.set(keyOf(property), String(entry.value));
  }
  return entries;
}

function insertEntry(body: string, { table, key, value }: Entry): string {
  const hasTable = parseRoot(body).children?.some((property) => keyOf(property) === table) === true;
  const withTable = hasTable ? body : insertProperty(body, [], table, {}, tableIndex(table));
  const indexOf =
    table === 'scripts' ? undefined : (keys: readonly string[]) => sortedIndex(keys, key);
  return insertProperty(withTable, [table], key, value, indexOf);
}

/** A new table goes to the end, but `dependencies` in front of `devDependencies` and that behind it. */
function tableIndex(table: Table): (keys: readonly string[]) => number {
  return (keys) => {
    const dev = keys.indexOf('devDependencies');
    if (table === 'dependencies' && dev >= 0) return dev;
    const main = keys.indexOf('dependencies');
    return table === 'devDependencies' && main >= 0 ? main + 1 : keys.length;
  };
}

/** The place of `key` where `keys` are sorted as npm sorts them or by code unit; else the end. */
function sortedIndex(keys: readonly string[], key: string): number {
  const asNpm = (a: string, b: string): number => a.localeCompare(b, 'en');
  for (const compare of [asNpm, compareText]) {
    const isSorted = keys.every((k, i) => i === 0 || compare(keys[i - 1] ?? '', k) <= 0);
    if (!isSorted) continue;
    const index = keys.findIndex((k) => compare(key, k) < 0);
    return index < 0 ? keys.length : index;
  }
  return keys.length;
}

/** The object that the edit must give. `defineProperty`: a key `__proto__` is a key like others. */
function intendedValue(body: string, entries: readonly Entry[]): unknown {
  const root = JSON.parse(body) as Record<string, unknown>;
  for (const { table, key, value } of entries) {
    if (!Object.hasOwn(root, table)) define(root, table, {});
    define(root[table] as object, key, value);
  }
  return root;
}

function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function fileError(body: string, offset: number, problem: string): ClientError {
  return placeError(FILE, placeOf(body, offset), problem, HINT);
}
