/**
 * Many regular expressions in one pass over a text. Each is widened to one that needs no more than a finite automaton, and
 * all of them run as one: what it does not find, no pattern matches, and what it finds is for the pattern itself to judge.
 */
import { isAscii } from 'node:buffer';
import { OTHER, OTHER_LINE_END, characterCodes } from './character-codes.ts';
import { widenPattern } from './widen-pattern.ts';
import type { CharacterSet, Widened } from './widen-pattern.ts';

/** A node of the automaton: it reads a character of `set`, if it has one, and goes on; or it ends a pattern. */
type Node =
  | { readonly set: CharacterSet | undefined; next: readonly number[] }
  | { readonly bit: number };

/** States are made when a text first needs them; patterns that would need more are not filtered. */
const MAX_STATES = 4_000;
const UNKNOWN = -1;
const ENDING = -2;
/** Bits of a small integer. */
const MAX_PATTERNS = 30;

export class PatternFilter {
  readonly #nodes: Node[] = [];
  /** The nodes that every state has, as a match may begin anywhere. */
  readonly #start: readonly number[];
  /** Characters that every set treats the same share a column. */
  readonly #columnOf = new Uint8Array(OTHER_LINE_END + 1);
  /** By column: one of its characters. The first column is none. */
  readonly #examples: number[] = [Number.NaN];
  readonly #rowByMembers = new Map<string, number>();
  readonly #members: (readonly number[])[] = [];
  /**
   * A row for each state: the patterns that end there, then by column the next state's row, as `ENDING - row` where
   * patterns end there, or `UNKNOWN`.
   */
  #rows: Int32Array;
  /** Patterns that cannot be widened. */
  #always = 0;
  #isFull = false;

  /** @throws {RangeError} more than 30 patterns */
  constructor(patterns: readonly RegExp[]) {
    if (patterns.length > MAX_PATTERNS) throw new RangeError('Too many patterns for one filter');
    const start = patterns.flatMap((pattern, n) => {
      const widened = widenPattern(pattern);
      if (widened === undefined) this.#always |= 1 << n;
      return widened === undefined ? [] : this.#compile(widened, [this.#add({ bit: 1 << n })]);
    });
    this.#start = this.#expand(start);
    this.#classify();
    this.#rows = new Int32Array(64 * this.#examples.length).fill(UNKNOWN);
    this.#rowOf([]);
  }

  /**
   * Bit n is 0 only where pattern n has no match in `text`.
   * @param bytes what `text` was decoded from, whose characters are read faster; used where both are ASCII
   */
  test(text: string, bytes?: Uint8Array): number {
    const isSame = bytes?.length === text.length && isAscii(bytes);
    const codes = isSame ? bytes : characterCodes(text);
    const columnOf = this.#columnOf;
    let rows = this.#rows;
    let row = 0;
    let found = this.#always | rows[0]!;
    for (let at = 0; at < text.length; at += 1) {
      const column = columnOf[codes[at]!]!;
      let after = rows[row + column]!;
      // Few steps lead to a state that is not known yet or that ends a pattern.
      if (after < 0) {
        if (after === UNKNOWN) {
          after = this.#makeStep(row, column);
          if (this.#isFull) return -1;
          rows = this.#rows;
        }
        if (after < 0) {
          after = ENDING - after;
          found |= rows[after]!;
        }
      }
      row = after;
    }
    return found;
  }

  /** The entry of `row` for `column`, from now on known. */
  #makeStep(row: number, column: number): number {
    const code = this.#examples[column]!;
    const members = this.#members[row / this.#examples.length]!;
    const after = [...this.#start, ...members].flatMap((id) => {
      const node = this.#nodes[id]!;
      return 'set' in node && node.set?.[code] === 1 ? node.next : [];
    });
    const next = this.#rowOf(after);
    const step = this.#rows[next] === 0 ? next : ENDING - next;
    this.#rows[row + column] = step;
    return step;
  }

  /** The row of the state that is in all `nodes` in addition to the start. */
  #rowOf(nodes: readonly number[]): number {
    const members = this.#expand(nodes).sort((a, b) => a - b);
    const key = members.join();
    const known = this.#rowByMembers.get(key);
    if (known !== undefined) return known;
    const row = (this.#members.push(members) - 1) * this.#examples.length;
    this.#isFull = this.#members.length > MAX_STATES;
    this.#rowByMembers.set(key, row);
    if (row >= this.#rows.length) this.#grow();
    this.#rows[row] = 0;
    for (const id of row === 0 ? this.#start : members) {
      const node = this.#nodes[id]!;
      if ('bit' in node) this.#rows[row]! |= node.bit;
    }
    return row;
  }

  /** `nodes` and those that follow without a character, each once. */
  #expand(nodes: readonly number[]): number[] {
    const expanded = new Set(nodes);
    for (const id of expanded) {
      const node = this.#nodes[id]!;
      if ('next' in node && node.set === undefined)
        for (const next of node.next) expanded.add(next);
    }
    return [...expanded];
  }

  #grow(): void {
    const rows = this.#rows;
    this.#rows = new Int32Array(2 * rows.length).fill(UNKNOWN);
    this.#rows.set(rows);
  }

  /** The nodes where `widened` begins, when `next` follows it. */
  #compile(widened: Widened, next: readonly number[]): readonly number[] {
    switch (widened.kind) {
      case 'set':
        return [this.#add({ set: widened.set, next })];
      case 'sequence':
        return widened.parts.reduceRight((after, part) => this.#compile(part, after), next);
      case 'any-of':
        return widened.parts.flatMap((part) => this.#compile(part, next));
      case 'repeat': {
        const again: Node = { set: undefined, next: [] };
        const id = this.#add(again);
        again.next = [...next, ...this.#compile(widened.part, [id])];
        return [id];
      }
    }
  }

  #add(node: Node): number {
    return this.#nodes.push(node) - 1;
  }

  #classify(): void {
    const sets = new Set(
      this.#nodes.flatMap((node) => ('set' in node && node.set !== undefined ? [node.set] : [])),
    );
    const columns = new Map<string, number>();
    for (let code = 0; code <= OTHER; code += 1) {
      const key = Array.from(sets, (set) => set[code]).join('');
      const known = columns.get(key);
      if (known === undefined) {
        columns.set(key, this.#examples.length);
        this.#columnOf[code] = this.#examples.push(code) - 1;
      } else this.#columnOf[code] = known;
    }
    this.#columnOf[OTHER_LINE_END] = this.#columnOf[OTHER]!;
  }
}
