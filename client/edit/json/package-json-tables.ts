/**
 * Reads a package.json strictly, for edits: no comments, no duplicate keys, tables of strings only. Every
 * error reports line and column. The file may have any content.
 */
import {
  createScanner,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import type { DependencyTable } from '../../../format/project/stack-fact.ts';
import type { ClientError } from '../../errors.ts';
import { keyOf } from './json-insertion.ts';
import { PACKAGE_JSON } from '../edited-files.ts';
import { placeError, placeOf, quote } from '../project-file.ts';

/** A table of package.json to which builds add entries. */
export type PackageTable = DependencyTable | 'scripts';

/** The parsers used here are recursive. */
const MAX_DEPTH = 100;

const HINT = 'correct package.json and run the command again';

/**
 * The syntax tree of a file that is one strict JSON object.
 * @throws {ClientError} `ERR_PROJECT_FILE`
 */
export function parsePackageJson(body: string): Node {
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

/** The entries of a table; empty for a missing table. @throws {ClientError} `ERR_PROJECT_FILE` */
export function readTable(body: string, root: Node, table: PackageTable): Map<string, string> {
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

/** Parsers differ in which of two equal keys they use. */
function refuseDuplicates(body: string, object: Node): void {
  const seen = new Set<string>();
  for (const property of object.children ?? []) {
    const key = keyOf(property);
    if (seen.has(key)) throw fileError(body, property.offset, `duplicate key ${quote(key)}`);
    seen.add(key);
  }
}

function fileError(body: string, offset: number, problem: string): ClientError {
  return placeError(PACKAGE_JSON, placeOf(body, offset), problem, HINT);
}
