/**
 * Three-way merge of JSON objects by key: applies the changes from `base` to `theirs` to the text of
 * `ours` and keeps its layout, order and other entries. For package.json, where package installs and new
 * versions of a foundation change adjacent lines.
 */
import { applyEdits, modify } from 'jsonc-parser';
import { insertProperty, removeProperty, replaceString } from './json-insertion.ts';
import { lineEndOf } from '../project-file.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = Readonly<Record<string, Json>>;

type JsonMerge =
  | { readonly kind: 'clean'; readonly text: string }
  /** Keys, joined by dots, that both sides changed to different values. */
  | { readonly kind: 'conflict'; readonly keys: readonly string[]; readonly text: string };

/** Deeper objects are taken as a whole. */
const MAX_DEPTH = 8;

/**
 * Merges three JSON texts; `undefined` when one of them is no JSON object.
 * @param favor the side to take for a key that both changed; otherwise a conflict
 */
export function mergeJson(
  base: string,
  ours: string,
  theirs: string,
  favor?: 'ours' | 'theirs',
): JsonMerge | undefined {
  const [before, own, after] = [base, ours, theirs].map(tryParseObject);
  if (before === undefined || own === undefined || after === undefined) return undefined;
  const merge = new Merge(ours, favor);
  merge.run([], before, own, after);
  const { text, conflicts } = merge;
  return conflicts.length === 0
    ? { kind: 'clean', text }
    : { kind: 'conflict', keys: conflicts, text };
}

class Merge {
  text: string;
  readonly conflicts: string[] = [];
  readonly #favor: 'ours' | 'theirs' | undefined;

  constructor(text: string, favor: 'ours' | 'theirs' | undefined) {
    this.text = text;
    this.#favor = favor;
  }

  run(path: readonly string[], base: JsonObject, ours: JsonObject, theirs: JsonObject): void {
    for (const key of new Set([...Object.keys(base), ...Object.keys(theirs)])) {
      const [before, own, after] = [base, ours, theirs].map((side) => valueOf(side, key));
      if (isEqual(before, after) || isEqual(own, after)) continue;
      if (isEqual(own, before)) {
        this.#set(path, key, own, after);
      } else if (isObject(own) && isObject(after) && path.length < MAX_DEPTH) {
        this.run([...path, key], isObject(before) ? before : {}, own, after);
      } else if (this.#favor === 'theirs') {
        this.#set(path, key, own, after);
      } else if (this.#favor === undefined) {
        this.conflicts.push([...path, key].join('.'));
      }
    }
  }

  #set(
    path: readonly string[],
    key: string,
    before: Json | undefined,
    after: Json | undefined,
  ): void {
    if (after === undefined) {
      this.text = removeProperty(this.text, path, key, false);
    } else if (before === undefined && typeof after === 'string') {
      this.text = insertProperty(this.text, path, key, after, sortedIndex(key));
    } else if (typeof before === 'string' && typeof after === 'string') {
      this.text = replaceString(this.text, path, key, after);
    } else {
      const eol = lineEndOf(this.text);
      const isTabbed = /^\t/m.test(this.text);
      const tabSize = /^( +)"/m.exec(this.text)?.[1]?.length ?? 2;
      const formattingOptions = { eol, tabSize, insertSpaces: !isTabbed };
      const edits = modify(this.text, [...path, key], after, { formattingOptions });
      this.text = applyEdits(this.text, edits);
    }
  }
}

/** The sorted place if the keys are sorted, otherwise the end. */
function sortedIndex(key: string): (keys: readonly string[]) => number {
  return (keys) => {
    const isSorted = keys.every((name, at) => at === 0 || (keys[at - 1] ?? '') <= name);
    const place = keys.findIndex((name) => name > key);
    return isSorted && place !== -1 ? place : keys.length;
  };
}

function valueOf(object: JsonObject | undefined, key: string): Json | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function tryParseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
    // Parsing loses a duplicate key, and an edit could change the wrong one.
    return isObject(value) && !Object.hasOwn(value, '__proto__') ? value : undefined;
  } catch {
    return undefined;
  }
}
