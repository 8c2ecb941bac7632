/**
 * Reads JavaScript and TypeScript that is too large or too deeply nested for one parse: in pieces, each short and shallow,
 * whose trees are put together again. Comments are left out, so that padding costs nothing.
 */
import { MAX_PARTS_LENGTH, MAX_WHOLE_LENGTH, PART_LENGTH } from './is-bounded.ts';
import { findCuts, type Group } from './code-cuts.ts';

type CutKind = Group['kind'];

/** A node of an ESTree, whose places are moved. */
interface PieceNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

interface PiecedProgram {
  readonly program: PieceNode & { readonly body: PieceNode[] };
  /** Why part of the text was not read. */
  readonly gap: string | undefined;
  /** What does not matter was not read. */
  readonly isInParts: boolean;
}

interface PieceReading {
  /** The statements of a piece; `undefined` for one that cannot be parsed. */
  readonly parse: (text: string) => readonly PieceNode[] | undefined;
  /** Of a text that is too large: whether a piece is read. */
  readonly matters: (text: string) => boolean;
}

type Nodes = readonly PieceNode[];

/** Characters of statements that are read together. */
const PIECE_LENGTH = 20_000;
/** What is nested deeper in the tree is moved to the end of the program: those who read trees recurse. */
const MAX_TREE_DEPTH = 700;
const DEEP = 'part of it is nested too deeply';

/** How the content of a bracket is parsed, and where it is in that tree. */
const WRAPS: Readonly<Record<CutKind, readonly [string, string, string]>> = {
  block: ['', '', ''],
  rest: ['', '', ''],
  switch: ['switch(_){', '\n}', 'cases'],
  class: ['class _{', '\n}', 'body.body'],
  object: ['({', '\n})', 'expression.properties'],
  paren: ['_(', '\n)', 'expression.arguments'],
  square: ['[', '\n]', 'expression.elements'],
  template: ['(', '\n)', 'expression'],
  tail: ['(', '\n)', 'expression'],
};
/** How a mark stands for the content, where a name alone cannot. */
const MARKS: Readonly<Partial<Record<CutKind, string>>> = { rest: ' _;', switch: 'default:_' };
/** The first permits `await` and `yield`, the second permits them as names. */
const FUNCTIONS = ['async function*_(){', 'function _(){'];

/** The tree of `text`, with places in `text`. */
export function readInPieces(text: string, reading: PieceReading): PiecedProgram {
  return new PieceReader(text, reading).read();
}

class PieceReader {
  readonly #text: string;
  readonly #reading: PieceReading;
  readonly #comments: readonly number[];
  readonly #root: Group;
  readonly #isHuge: boolean;
  /** The trees of the cuts that were read and are in no other tree yet. */
  readonly #trees = new Map<Group, Nodes>();
  /** How deep the trees of groups are at most, with those that were put into them. */
  readonly #depths = new Map<Group, number>();
  #depth = 0;
  readonly #mark: string;
  #parsed = 0;
  #isInParts = false;
  #gap: string | undefined;

  constructor(text: string, reading: PieceReading) {
    this.#text = text;
    this.#reading = reading;
    const { root, comments, problemAt } = findCuts(text);
    [this.#root, this.#comments] = [root, comments];
    let length = text.length;
    for (let at = 0; at < comments.length; at += 2) length -= comments[at + 1]! - comments[at]!;
    this.#isHuge = length > MAX_WHOLE_LENGTH;
    if (problemAt !== undefined) this.#gap = 'its brackets and literals do not end';
    let mark = '$$piece';
    while (text.includes(mark)) mark += '$';
    this.#mark = mark;
  }

  read(): PiecedProgram {
    // Inner cuts first: they are put into the trees of those around them.
    const open = [this.#root];
    const order: Group[] = [];
    for (let group = open.pop(); group !== undefined; group = open.pop()) {
      order.push(group);
      for (const inner of group.inner) open.push(inner);
    }
    let body: PieceNode[] = [];
    let deepest = 0;
    for (const group of order.toReversed()) {
      this.#depth = 0;
      const nodes = this.#readGroup(group);
      this.#depths.set(group, this.#depth);
      deepest = Math.max(deepest, this.#depth);
      if (group === this.#root) body = [...nodes];
      else this.#trees.set(group, nodes);
    }
    // Those whose surroundings were not read.
    for (const nodes of this.#trees.values())
      for (const node of nodes) body.push(asStatement(node));
    const program = { type: 'Program', start: 0, end: this.#text.length, body };
    if (deepest + 2 > MAX_TREE_DEPTH && flatten(program)) this.#gap ??= DEEP;
    return { program, gap: this.#gap, isInParts: this.#isInParts };
  }

  #readGroup(group: Group): Nodes {
    if (group.ends.length === 0) return this.#readPiece(group, group.start, group.end) ?? [];
    const nodes: PieceNode[] = [];
    const ends = [...group.ends, group.end];
    let from = group.start;
    let first = 0;
    ends.forEach((end, at) => {
      if (end - from < (this.#isHuge ? PART_LENGTH : PIECE_LENGTH) && at < ends.length - 1) return;
      const whole = this.#readPiece(group, from, end, at === first);
      if (whole !== undefined) for (const node of whole) nodes.push(node);
      else {
        // One by one: only what cannot be read is left out.
        let start = from;
        for (const one of ends.slice(first, at + 1)) {
          for (const node of this.#readPiece(group, start, one) ?? []) nodes.push(node);
          start = one;
        }
      }
      [from, first] = [end, at + 1];
    });
    return nodes;
  }

  /**
   * The tree of the content of `group` from `from` to `to`.
   * @param isLast no smaller part of it will be tried
   */
  #readPiece(group: Group, from: number, to: number, isLast = true): Nodes | undefined {
    const piece = new Piece(this.#text, this.#comments, from, to);
    const marks = new Map<string, Group>();
    for (const inner of cutsBetween(group.inner, from, to)) {
      const mark = `${this.#mark}${marks.size}_`;
      marks.set(mark, inner);
      piece.replace(inner.start, inner.end, MARKS[inner.kind]?.replace('_', mark) ?? mark);
    }
    const code = piece.finish();
    if (code.trim() === '') return [];
    if (this.#isHuge) {
      const holdsTree = [...marks.values()].some(
        (inner) => (this.#trees.get(inner) ?? []).length > 0,
      );
      if (!holdsTree && !this.#reading.matters(code)) {
        this.#isInParts = true;
        return [];
      }
      if (this.#parsed + code.length > MAX_PARTS_LENGTH) {
        this.#gap ??= `it has more than ${MAX_PARTS_LENGTH} characters of code`;
        return [];
      }
      this.#parsed += code.length;
    }
    const isRoot = group === this.#root;
    const [open, close, path] = WRAPS[group.kind];
    for (const head of isRoot ? [''] : FUNCTIONS) {
      const tail = isRoot ? '' : '\n}';
      const parsed = this.#reading.parse(`${head}${open}${code}${close}${tail}`);
      if (parsed === undefined) continue;
      const place = (at: number): number => piece.placeOf(at - head.length - open.length);
      let depth = 0;
      for (const statement of parsed) depth = Math.max(depth, movePlaces(statement, place));
      const inner = Math.max(0, ...[...marks.values()].map((one) => this.#depths.get(one) ?? 0));
      this.#depth = Math.max(this.#depth, depth + inner);
      const statements = isRoot ? parsed : (follow(parsed[0], 'body.body') as Nodes);
      const inside: unknown = path === '' ? statements : follow(statements[0], path);
      const nodes = (Array.isArray(inside) ? inside : [inside]).filter(isNode);
      return this.#graft(nodes, marks);
    }
    // A list of types, say, has nothing that the analysis would find.
    if (isLast && this.#reading.matters(code)) this.#gap ??= DEEP;
    return undefined;
  }

  /** Puts the trees of the cuts where their marks are. */
  #graft(nodes: PieceNode[], marks: ReadonlyMap<string, Group>): Nodes {
    if (marks.size === 0) return nodes;
    const treeOf = (value: unknown): Nodes | undefined => {
      const group = marks.get(nameOf(value) ?? '');
      if (group === undefined) return undefined;
      const tree = this.#trees.get(group) ?? [];
      this.#trees.delete(group);
      return tree;
    };
    const root = { type: 'Program', start: 0, end: 0, body: nodes } as PieceNode;
    const open: PieceNode[] = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const [key, value] of Object.entries(node)) {
        if (Array.isArray(value)) {
          const list = value as unknown[];
          for (const one of list) if (isNode(one) && !marks.has(nameOf(one) ?? '')) open.push(one);
          node[key] = list.flatMap((one): readonly unknown[] => treeOf(one) ?? [one]);
        } else if (isNode(value)) {
          const tree = treeOf(value);
          if (tree === undefined) open.push(value);
          else
            node[key] =
              tree.length === 1
                ? tree[0]
                : { ...value, type: 'SequenceExpression', expressions: tree };
        }
      }
    }
    return root['body'] as Nodes;
  }
}

/** The text of a piece, with the place of each part of it in the whole text. */
class Piece {
  readonly #text: string;
  readonly #comments: readonly number[];
  readonly #parts: string[] = [];
  /** Pairs: where a part begins in the piece, and in the whole text. */
  readonly #places: number[] = [];
  readonly #to: number;
  #from: number;
  #length = 0;
  #comment: number;

  constructor(text: string, comments: readonly number[], from: number, to: number) {
    [this.#text, this.#comments] = [text, comments];
    [this.#from, this.#to] = [from, to];
    this.#comment = firstAtLeast(comments, from);
  }

  replace(start: number, end: number, by: string): void {
    this.#copy(start);
    this.#add(by, start);
    this.#from = end;
    this.#comment = firstAtLeast(this.#comments, end);
  }

  finish(): string {
    this.#copy(this.#to);
    return this.#parts.join('');
  }

  placeOf(at: number): number {
    let [low, high] = [0, this.#places.length / 2 - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#places[2 * middle]! <= at) low = middle;
      else high = middle - 1;
    }
    const [part = 0, whole = 0] = [this.#places[2 * low], this.#places[2 * low + 1]];
    return Math.min(this.#to, whole + Math.max(0, at - part));
  }

  /** Copies up to `to`, without comments. */
  #copy(to: number): void {
    for (; this.#comment < this.#comments.length; this.#comment += 2) {
      const start = this.#comments[this.#comment]!;
      const end = this.#comments[this.#comment + 1]!;
      if (start >= to) break;
      if (start > this.#from) this.#add(this.#text.slice(this.#from, start), this.#from);
      // A comment with a line end ends a statement as that does.
      this.#add(/[\n\r\u2028\u2029]/.test(this.#text.slice(start, end)) ? '\n' : ' ', start);
      this.#from = end;
    }
    if (to > this.#from) this.#add(this.#text.slice(this.#from, to), this.#from);
    this.#from = Math.max(this.#from, to);
  }

  #add(part: string, place: number): void {
    this.#places.push(this.#length, place);
    this.#parts.push(part);
    this.#length += part.length;
  }
}

/** The first even index of an item that is at least `least`; `pairs` is sorted. */
function firstAtLeast(pairs: readonly number[], least: number): number {
  let [low, high] = [0, pairs.length / 2];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (pairs[2 * middle]! < least) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}

function cutsBetween(inner: readonly Group[], from: number, to: number): readonly Group[] {
  let [low, high] = [0, inner.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (inner[middle]!.start < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < inner.length && inner[end]!.start < to) end += 1;
  return inner.slice(low, end);
}

function isNode(value: unknown): value is PieceNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The name that a node consists of: an identifier, alone as a statement, a case, a field or a property. */
function nameOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === 'Identifier') return value['name'] as string;
  if (value.type === 'ExpressionStatement') return nameOf(value['expression']);
  if (value.type === 'SwitchCase') return nameOf((value['consequent'] as Nodes)[0]);
  const isField = value.type === 'PropertyDefinition' && value['value'] === null;
  return isField || value['shorthand'] === true ? nameOf(value['key']) : undefined;
}

function asStatement(node: PieceNode): PieceNode {
  if (/(?:Statement|Declaration)$/.test(node.type)) return node;
  const isValue = /Property|Definition$/.test(node.type) && isNode(node['value']);
  const expression = isValue ? node['value'] : node;
  return { type: 'ExpressionStatement', start: node.start, end: node.end, expression };
}

function follow(node: PieceNode | undefined, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (isNode(at) ? at[key] : undefined), node);
}

/** @returns how many nodes and lists are in each other at most */
function movePlaces(root: PieceNode, place: (at: number) => number): number {
  const open: PieceNode[] = [root];
  const depths = [1];
  let deepest = 1;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const depth = depths.pop()!;
    if (depth > deepest) deepest = depth;
    if (typeof node.start === 'number' && typeof node.type === 'string') {
      node.start = place(node.start);
      node.end = place(node.end);
    }
    // Copying the fields of each node would cost half of the time.
    for (const key in node) {
      const value = node[key];
      if (typeof value !== 'object' || value === null || value instanceof RegExp) continue;
      open.push(value as PieceNode);
      depths.push(depth + 1);
    }
  }
  return deepest;
}

/** `a + b + c` nests on its left; those who read trees take it as one. */
function goesOn(node: object, key: string, inner: PieceNode): boolean {
  if (key !== 'left' || !isNode(node) || node['operator'] !== inner['operator']) return false;
  return /^(?:Binary|Logical)Expression$/.test(inner.type);
}

/** Moves what is nested too deeply to the end of the program. @returns whether there is such */
function flatten({ body }: PiecedProgram['program']): boolean {
  let isDeep = false;
  const open = body.map((node): [object, number] => [node, 1]);
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [node, depth] = one;
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null || value instanceof RegExp) continue;
      const inner = value as PieceNode;
      const isMovable = /(?:Expression|Statement|Declaration)$/.test(inner.type ?? '');
      if (depth < MAX_TREE_DEPTH || !isMovable) {
        open.push([inner, depth + (isNode(inner) && !goesOn(node, key, inner) ? 1 : 0)]);
        continue;
      }
      isDeep = true;
      (node as Record<string, unknown>)[key] = {
        type: 'EmptyStatement',
        start: inner.start,
        end: inner.end,
      };
      const moved = asStatement(inner);
      body.push(moved);
      open.push([moved, 1]);
    }
  }
  return isDeep;
}
