/**
 * The canonical form of a package.json: its values, without the order of those keys whose order means nothing.
 * Formatters and their plugins sort them. The conditions of `exports` and the patterns of a tool keep their order.
 */
import { parseTree, createScanner, type Node, type ParseError } from 'jsonc-parser';
import { canonicalNumber } from './javascript-tree.ts';
import { canonicalComment } from './python.ts';

/** Tables of npm, read by name: the order of their keys means nothing. */
const TABLES = new Set([
  'author',
  'bin',
  'bugs',
  'config',
  'dependencies',
  'devDependencies',
  'directories',
  'engines',
  'funding',
  'optionalDependencies',
  'overrides',
  'peerDependencies',
  'peerDependenciesMeta',
  'publishConfig',
  'repository',
  'resolutions',
  'scripts',
]);

/** Lists of words, read as sets. */
const SETS = new Set(['keywords', 'bundledDependencies', 'bundleDependencies']);

/** `undefined` where it has a syntax error. */
export function canonicalPackageJson(text: string): readonly string[] | undefined {
  const tokens = canonicalJson(text);
  const root = tokens === undefined ? undefined : parseTree(text, [], { allowTrailingComma: true });
  // No package.json has comments: one that has keeps their places.
  const isPlain = tokens?.every((token) => !/^(?:comment|above|behind) /.test(token)) === true;
  if (root?.type !== 'object' || !isPlain) return tokens;
  const fields = membersOf(root, text).map(([key, value]) => {
    const name = JSON.parse(key) as string;
    if (TABLES.has(name) && value.type === 'object') return [key, ...tableForm(value, text)];
    if (SETS.has(name) && value.type === 'array') return [key, ...setForm(value, text)];
    return [key, ...orderedForm(value, text)];
  });
  return fields.sort(byKey).flat();
}

function membersOf({ children = [] }: Node, text: string): [key: string, value: Node][] {
  return children.map(({ children: [key, value] = [] }) => [rawOf(key!, text), value!]);
}

function tableForm(table: Node, text: string): string[] {
  const rows = membersOf(table, text).map(([key, value]) => [key, ...orderedForm(value, text)]);
  return ['{', ...rows.sort(byKey).flat(), '}'];
}

function orderedForm(node: Node, text: string): string[] {
  const inner = (node.children ?? []).flatMap((child) => orderedForm(child, text));
  if (node.type === 'object') return ['{', ...inner, '}'];
  if (node.type === 'array') return ['[', ...inner, ']'];
  if (node.type === 'property') return inner;
  const raw = rawOf(node, text);
  return [node.type === 'number' ? canonicalNumber(raw) : raw];
}

function setForm(list: Node, text: string): string[] {
  const items = (list.children ?? []).map((item) => orderedForm(item, text).join(' '));
  return ['[', ...new Set(items.sort()), ']'];
}

/** Of equal keys the last one counts, so that these keep their order. */
function byKey([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function rawOf({ offset, length }: Node, text: string): string {
  return text.slice(offset, offset + length);
}

// The package declares them as `const enum`, which erasable syntax cannot read.
const [COMMA, NUMBER, LINE_COMMENT, BLOCK_COMMENT, LINE_BREAK, TRIVIA, END] = [
  5, 11, 12, 13, 14, 15, 17,
];

/** The tokens of a JSON text without its commas; `undefined` where it has a syntax error. */
export function canonicalJson(text: string): readonly string[] | undefined {
  const errors: ParseError[] = [];
  parseTree(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) return undefined;
  const scanner = createScanner(text);
  const tokens: string[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    // The text is valid: commas only separate, and the other tokens alone give its structure.
    if (kind === COMMA || kind === LINE_BREAK || kind === TRIVIA) continue;
    const start = scanner.getTokenOffset();
    const raw = text.slice(start, start + scanner.getTokenLength());
    const isComment = kind === LINE_COMMENT || kind === BLOCK_COMMENT;
    if (isComment) tokens.push(canonicalComment(raw, text, start));
    else tokens.push(kind === NUMBER ? canonicalNumber(raw) : raw);
  }
  return tokens;
}
