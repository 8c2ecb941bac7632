/**
 * Inlining: evaluates a small function for the texts of one call, because code that hides strings calls one decoder
 * for all of them.
 *
 *     const t = (s) => s.split('').reverse().join(''); require(t('sf')); require(t('ptth'))
 */
import {
  isFunc,
  type Expr,
  type Func,
  type CallExpr,
  type Module,
  type GetExpr,
  type Entry,
} from '../ir.ts';
import {
  NOTHING,
  Obj,
  UNKNOWN,
  contentOf,
  itemsOf,
  join,
  labelled,
  HIDDEN_KEY,
  type Callable,
  type Slot,
  type Value,
} from '../value.ts';
import type { FactDetails } from '../api.ts';
import { wordsOf } from '../../parse/word-list.ts';
import { ENVIRONMENT, TOOL_TOKEN } from '../label.ts';
import { labelOfVariable } from '../secret-paths.ts';
import { memberOfApi } from './names.ts';

/** Expressions in the body of a function that is inlined. */
const MAX_BODY = 80;
/** Depth of inlined calls within inlined calls. */
const MAX_INLINE_DEPTH = 2;
/** Expressions evaluated in inlined bodies in all files of a build. */
const MAX_INLINE_WORK = 30_000;
/** The slots of functions that are small enough, `null` for those that are not. */
const SLOTS = new WeakMap<Func, readonly Slot[] | null>();

/** The result of one call; a call that passes no texts returns the join of the results of all calls. */
export function applyInline(evaluator: Evaluator, callee: Callable, args: Arguments): Value {
  const common = evaluator.apply(callee, args);
  const { inlined, module } = evaluator;
  if (!isFunc(callee) || module.isLarge || inlined.size >= MAX_INLINE_DEPTH) return common;
  if (evaluator.inlineWork > MAX_INLINE_WORK) return common;
  if (inlined.has(callee) || !args.list.some((value) => value.texts.length > 0)) return common;
  const slots = slotsOf(callee);
  if (slots === null) return common;
  const before = slots.map(({ value }) => value);
  for (const slot of slots) slot.value = undefined;
  inlined.add(callee);
  callee.params.forEach((slot, index) => (slot.value = args.list[index]));
  for (const expr of callee.body) evaluator.evaluate(expr);
  const result = callee.result.value ?? NOTHING;
  slots.forEach((slot, index) => (slot.value = before[index]));
  inlined.delete(callee);
  return result;
}

/** The parameters, the result and the slots that the function assigns; `null` when it is too large. */
function slotsOf(func: Func): readonly Slot[] | null {
  let known = SLOTS.get(func);
  if (known === undefined) SLOTS.set(func, (known = findSlots(func)));
  return known;
}

function findSlots(func: Func): readonly Slot[] | null {
  const slots = new Set<Slot>([...func.params, func.result]);
  const waiting: unknown[] = [...func.body];
  for (let count = 0; waiting.length > 0;) {
    const one = waiting.pop();
    if (Array.isArray(one)) waiting.push(...one);
    else if (isExpr(one)) {
      count += 1;
      if (count > MAX_BODY) return null;
      if (one.op === 'assign' && one.target.op === 'slot') slots.add(one.target.slot);
      // Functions and classes created inside keep the values of all calls.
      if (one.op === 'function' || one.op === 'class') continue;
      waiting.push(...Object.values(one));
    } else if (isEntry(one)) waiting.push(one.key, one.value);
  }
  return [...slots];
}

function isExpr(value: unknown): value is Expr {
  return typeof value === 'object' && value !== null && 'op' in value;
}

function isEntry(value: unknown): value is { readonly key: unknown; readonly value: unknown } {
  return typeof value === 'object' && value !== null && 'key' in value && 'value' in value;
}

/** The interpreter as its parts see it. */
export interface Evaluator {
  /** The module whose code is evaluated now. */
  readonly module: Module;
  /** Functions whose bodies are evaluated for one call only. */
  readonly inlined: Set<Func>;
  /** Number of expressions evaluated in inlined bodies. */
  readonly inlineWork: number;
  /** What the code has written, by module and path. */
  readonly disk: Obj;
  /** What the workers of the build do with messages. */
  readonly channel: Obj;
  readonly evaluate: (expr: Expr) => Value;
  /** The exports of a module of the build, or the API of that name. */
  readonly importOf: (module: string, level: number) => Value;
  readonly store: (slot: Slot, value: Value) => void;
  /** @param key `undefined` for a key that is not constant */
  readonly storeField: (obj: Obj, key: string | undefined, value: Value) => void;
  /** Records a fact at the place of `expr`, joined with the previous facts of the same action and API. */
  readonly record: (expr: Expr, fact: FactDetails) => void;
  /** Calls a function or class of the code; returns the join of its results for all calls. */
  readonly apply: (callee: Callable, args: Arguments) => Value;
  /** Calls an API of the platform or of a package, or something unknown. */
  readonly callApi: (expr: CallExpr, target: Value, receiver: Receiver, args: Arguments) => Value;
}

/** Members of values: fields of objects, members of APIs, environment variables, characters of texts. */
const ENVIRONMENTS = new Set(['process.env', 'os.environ', 'Deno.env', 'Bun.env']);
/** Methods that return the whole environment. */
const WHOLE_ENVIRONMENT = new Set(['items', 'copy', 'toObject', 'keys', 'values']);
/** Members of an environment that are not variables. */
const ENVIRONMENT_METHODS = new Set([
  ...WHOLE_ENVIRONMENT,
  ...wordsOf(['get has pop setdefault hasOwnProperty __getitem__ update']),
]);

/** The value of `whole[key]`. */
export function getMember(evaluator: Evaluator, expr: GetExpr, whole: Value, key: Value): Value {
  const [text] = key.texts;
  // A length reveals nothing of the content.
  if (text === 'length') return NOTHING;
  const isPublic = text !== undefined && /^(?:pub(?:lic)?_?key|address)$/i.test(text);
  const isConstant = text !== undefined && !text.includes(UNKNOWN);
  let sum: Value = NOTHING;
  for (const name of whole.names) {
    sum = join(sum, memberOfName(evaluator, expr, name, key, isConstant));
    // `child.stdin` keeps the operand of `child`.
    if (name.startsWith('$')) sum = join(sum, { ...NOTHING, objects: whole.objects });
  }
  for (const obj of whole.objects) {
    sum = join(sum, obj.rest);
    if (isConstant) {
      for (const one of key.texts) sum = join(sum, obj.fields.get(one) ?? NOTHING);
    } else sum = join(sum, itemsOf({ ...NOTHING, objects: [obj] }));
  }
  // `[].filter.constructor` is `Function`, and so is the constructor of every other method.
  const isMethod = expr.of.op === 'get' || whole.funcs.length > 0 || whole.names.length > 0;
  if (text === 'constructor' && isMethod) {
    sum = join(sum, { ...NOTHING, names: ['$constructor'] });
  }
  const isEnvironment = whole.labels !== 0 && whole.names.some((name) => ENVIRONMENTS.has(name));
  // Settings of a tool beside its token.
  const isSetting = /^(?:registry|region|profile|email|user(?:name)?)$/.test(text ?? '');
  const isOpen = (whole.labels & TOOL_TOKEN) !== 0 && isSetting;
  const rest = isEnvironment ? contentOf(key) : isOpen || isPublic ? NOTHING : contentOf(whole);
  const isCharacter = whole.texts.length > 0 && text !== undefined && /^\d+$/.test(text);
  const characters = isCharacter ? whole.texts.map((t) => t.charAt(Number(text))) : [];
  return join(join(sum, rest), { ...NOTHING, texts: characters });
}

function memberOfName(
  evaluator: Evaluator,
  expr: GetExpr,
  name: string,
  key: Value,
  isConstant: boolean,
): Value {
  if (ENVIRONMENTS.has(name)) return memberOfEnvironment(evaluator, expr, name, key, isConstant);
  if (!isConstant) return NOTHING;
  let sum: Value = NOTHING;
  for (const text of key.texts) sum = join(sum, memberOfApi(evaluator.module, name, text));
  return sum;
}

function memberOfEnvironment(
  evaluator: Evaluator,
  expr: GetExpr,
  name: string,
  key: Value,
  isConstant: boolean,
): Value {
  const { path } = evaluator.module;
  const [text = ''] = key.texts;
  // A loop over the environment reads all of it.
  if (expr.key.op === 'none')
    return labelled({ path, at: expr.at, label: ENVIRONMENT, what: name });
  if (isConstant && ENVIRONMENT_METHODS.has(text)) {
    const method = memberOfApi(evaluator.module, name, text);
    if (!WHOLE_ENVIRONMENT.has(text)) return method;
    return join(method, labelled({ path, at: expr.at, label: ENVIRONMENT, what: name }));
  }
  evaluator.record(expr, {
    action: 'variable',
    api: name,
    operand: key,
    content: NOTHING,
    args: [],
  });
  const what = isConstant ? `${name}.${text}` : `${name}[...]`;
  return labelled({ path, at: expr.at, label: labelOfVariable(what), what });
}

/** The objects that expressions of the code create: lists, records, and the results of calls. */
type ListExpr = Extract<Expr, { op: 'list' }>;
type RecordExpr = Extract<Expr, { op: 'record' }>;

/** Elements of a list that keep a key of their own. */
const MAX_KEYED_ITEMS = 2_000;

const OBJECTS = new WeakMap<Expr, Obj>();

/** The object that a call creates: the same one in every pass, but a new one for each inlined call. */
export function objectAt(evaluator: Evaluator, expr: Expr): Obj {
  if (evaluator.inlined.size > 0) return new Obj();
  let obj = OBJECTS.get(expr);
  if (obj === undefined) OBJECTS.set(expr, (obj = new Obj()));
  return obj;
}

/** The object of a list literal. */
export function listOf(evaluator: Evaluator, expr: ListExpr): Value {
  const obj = literalObject(evaluator, expr);
  let isOrdered = true;
  expr.items.forEach((item, index) => {
    const value = evaluator.evaluate(item);
    if (item.op === 'spread') {
      isOrdered = false;
      evaluator.storeField(obj, undefined, itemsOf(value));
    } else {
      const key = isOrdered && index < MAX_KEYED_ITEMS ? String(index) : undefined;
      evaluator.storeField(obj, key, value);
    }
  });
  return { ...NOTHING, objects: [obj] };
}

/** The object of a record literal. */
export function recordOf(evaluator: Evaluator, expr: RecordExpr): Value {
  const obj = literalObject(evaluator, expr);
  let content: Value = NOTHING;
  for (const entry of expr.entries) content = join(content, storeEntry(evaluator, obj, entry));
  return { ...content, objects: [obj] };
}

/** As `objectAt`; literals are frequent, so the object is kept in the expression itself. */
function literalObject(evaluator: Evaluator, expr: ListExpr | RecordExpr): Obj {
  return evaluator.inlined.size > 0 ? new Obj() : (expr.obj ??= new Obj());
}

function storeEntry(evaluator: Evaluator, obj: Obj, { key, value }: Entry): Value {
  const evaluated = evaluator.evaluate(value);
  if (key !== undefined) {
    const [text] = evaluator.evaluate(key).texts;
    const name = text === undefined || text.includes(UNKNOWN) ? undefined : text;
    evaluator.storeField(obj, name, evaluated);
    return NOTHING;
  }
  for (const other of evaluated.objects) {
    for (const [name, field] of other.fields) evaluator.storeField(obj, name, field);
    evaluator.storeField(obj, undefined, other.rest);
  }
  return contentOf(evaluated);
}

/** The key of the operand that an object was created with, such as the address of a request. */
export const TARGET = `${HIDDEN_KEY}target`;

/** The arguments of a call, evaluated. */
export interface Arguments {
  readonly list: readonly Value[];
  /** Keyword arguments. */
  readonly named: ReadonlyMap<string, Value>;
}

/** The object whose method is called, and the name of the method. */
export interface Receiver {
  readonly value: Value;
  readonly method: string | undefined;
}

/** The receiver of a call that is not a method call. */
export const NO_RECEIVER: Receiver = { value: NOTHING, method: undefined };

/** Arguments without keyword arguments. */
export function positional(...list: readonly Value[]): Arguments {
  return { list, named: new Map() };
}

/** The operand that an object was created with. */
export function targetOf(value: Value, key = TARGET): Value {
  let sum: Value = NOTHING;
  for (const obj of value.objects) sum = join(sum, obj.fields.get(key) ?? NOTHING);
  return sum;
}

/** All arguments, positional ones first. */
export function allOf({ list, named }: Arguments): Value[] {
  return named.size === 0 ? [...list] : [...list, ...named.values()];
}
