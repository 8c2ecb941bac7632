/**
 * The abstract values of the taint analysis: constant texts, API names, and the sources of the content. They form a
 * join semilattice of bounded height: values only grow, and every set in them has a limit.
 */

/** Stands in a text for a part that is not known. */
export const UNKNOWN = '\u0000';

/** Begins the keys of the analysis itself; no key of the code begins with it. */
export const HIDDEN_KEY = '\u0001';

const MAX_TEXTS = 6;
/** Characters of one text. */
const MAX_TEXT = 20_000;
const MAX_NAMES = 8;
const MAX_FUNCS = 8;
const MAX_OBJECTS = 6;
/** Fields of one object with keys of their own. */
const MAX_FIELDS = 2_000;
/** Nested objects that are visited for the content of one. */
const MAX_INNER = 100;

/** Where in a file the content of a value comes from. */
export interface Origin {
  readonly path: string;
  readonly at: number;
  readonly label: number;
  /** Such as `process.env` or the path of a file. */
  readonly what: string;
}

/** An abstract value: everything that an expression may evaluate to. */
export interface Value {
  readonly labels: number;
  /** The possible texts, unknown parts as `UNKNOWN`; none when nothing is known. */
  readonly texts: readonly string[];
  /** The possible APIs by canonical name: `child_process.exec`. */
  readonly names: readonly string[];
  readonly funcs: readonly Callable[];
  readonly objects: readonly Obj[];
  readonly origins: readonly Origin[];
}

/** A variable; its value is the join of everything ever stored in it. */
export interface Slot {
  value: Value | undefined;
}

/** A function or class of the analysed code; `ir.ts` defines both. Values only compare them. */
export interface Callable {
  /** The object that `new` returns. */
  readonly self: Slot;
}

// Most objects of code hold little: an empty map takes as much memory as five fields.
const NO_FIELDS: ReadonlyMap<string, Value> = new Map();
const NO_OBJECTS: ReadonlySet<Obj> = new Set();

/** An object or list of the analysed code. */
export class Obj {
  fields: ReadonlyMap<string, Value> = NO_FIELDS;
  /** Values stored under keys that are not constant. */
  rest: Value = NOTHING;
  /** The join of all fields and `rest`. */
  items: Value = NOTHING;
  /** Objects in the fields, up to a limit. */
  inner: ReadonlySet<Obj> = NO_OBJECTS;
  /** The number of the last traversal that visited it. */
  visit = 0;
  /** Created by a class or function: a call that receives it does not receive all that it holds. */
  isInstance = false;
}

const NO_TEXTS: readonly string[] = [];

/** The least value: nothing is known. */
export const NOTHING: Value = {
  labels: 0,
  texts: NO_TEXTS,
  names: [],
  funcs: [],
  objects: [],
  origins: [],
};

/** A constant text, cut at the limit. */
export function textValue(text: string): Value {
  return { ...NOTHING, texts: [text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text] };
}

/** An API by canonical name. */
export function nameValue(name: string): Value {
  return { ...NOTHING, names: [name] };
}

/** Content from a source. */
export function labelled(origin: Origin): Value {
  return { ...NOTHING, labels: origin.label, origins: [origin] };
}

/** The least upper bound: all that either value may be, within the limits; `a` itself when `b` adds nothing. */
export function join(a: Value, b: Value): Value {
  if (a === b || b === NOTHING) return a;
  if (a === NOTHING) return b;
  const labels = a.labels | b.labels;
  const texts = union(a.texts, b.texts, MAX_TEXTS);
  const names = union(a.names, b.names, MAX_NAMES);
  const funcs = union(a.funcs, b.funcs, MAX_FUNCS);
  const objects = union(a.objects, b.objects, MAX_OBJECTS);
  const origins = labels === a.labels ? a.origins : unionOrigins(a.origins, b.origins);
  const isSame =
    labels === a.labels &&
    texts === a.texts &&
    names === a.names &&
    funcs === a.funcs &&
    objects === a.objects &&
    origins === a.origins;
  return isSame ? a : { labels, texts, names, funcs, objects, origins };
}

/** The labels and origins of `from` only. */
export function contentOf(from: Value): Value {
  const { labels, origins } = from;
  return labels === 0 ? NOTHING : { ...NOTHING, labels, origins };
}

/** The join of the fields and elements of an object, and its content. */
export function itemsOf(value: Value): Value {
  return value.objects.reduce((sum, obj) => join(sum, obj.items), contentOf(value));
}

let visits = 0;

/** The content of a value and of its nested objects. */
export function deepContent(value: Value): Value {
  let sum = contentOf(value);
  if (value.objects.length === 0) return sum;
  const waiting = [...value.objects];
  visits += 1;
  for (let count = 0; waiting.length > 0 && count < MAX_INNER;) {
    const obj = waiting.pop()!;
    if (obj.visit === visits || obj.isInstance) continue;
    obj.visit = visits;
    count += 1;
    // Allocates nothing without new labels: this runs for every argument of every call.
    if ((obj.items.labels & ~sum.labels) !== 0) sum = join(sum, contentOf(obj.items));
    for (const inner of obj.inner) waiting.push(inner);
  }
  return sum;
}

/** The texts of a value and of the fields of its objects, such as the arguments in a list. */
export function deepTexts(value: Value): string[] {
  const texts = [...value.texts];
  for (const obj of value.objects) {
    for (const inner of [...obj.fields.values(), obj.rest]) texts.push(...inner.texts);
  }
  return texts;
}

/** A variable in which nothing was stored. */
export function newSlot(): Slot {
  return { value: undefined };
}

/** Stores into a slot; true when that adds something. */
export function store(slot: Slot, value: Value): boolean {
  const before = slot.value ?? NOTHING;
  const after = join(before, value);
  slot.value = after;
  return after !== before;
}

/**
 * Stores into an object; true when that adds something.
 *
 * @param key `undefined` for a key that is not constant
 */
export function storeField(obj: Obj, key: string | undefined, value: Value): boolean {
  // The operand that an object was created with is no item of it, but adds to its content.
  obj.items = join(obj.items, key?.startsWith(HIDDEN_KEY) === true ? contentOf(value) : value);
  for (const one of value.objects) {
    if (obj.inner === NO_OBJECTS) obj.inner = new Set();
    if (obj.inner.size < MAX_INNER) (obj.inner as Set<Obj>).add(one);
  }
  if (key === undefined || (obj.fields.size > MAX_FIELDS && !obj.fields.has(key))) {
    const before = obj.rest;
    obj.rest = join(before, value);
    return obj.rest !== before;
  }
  const before = obj.fields.get(key) ?? NOTHING;
  const after = join(before, value);
  if (obj.fields === NO_FIELDS) obj.fields = new Map();
  (obj.fields as Map<string, Value>).set(key, after);
  return after !== before;
}

function union<Item>(a: readonly Item[], b: readonly Item[], limit: number): readonly Item[] {
  let sum = a;
  for (const item of b) {
    if (sum.includes(item)) continue;
    if (sum.length >= limit) break;
    // A list that grows by `push` or a spread keeps memory for sixteen more.
    sum = sum.concat(item);
  }
  return sum;
}

/** One origin for each label is enough evidence. */
function unionOrigins(a: readonly Origin[], b: readonly Origin[]): readonly Origin[] {
  let seen = 0;
  for (const { label } of a) seen |= label;
  const added = b.filter(({ label }) => (label & ~seen) !== 0);
  return added.length === 0 ? a : [...a, ...added];
}
