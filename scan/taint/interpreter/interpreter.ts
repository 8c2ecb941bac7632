/**
 * The abstract interpreter: propagates values through variables, objects, parameters and results until nothing
 * changes. It ignores branches and order. Values only grow and each pass evaluates every expression once, so the
 * work is bounded by the size of the code.
 */
import { mergeFacts, type FactDetails, type Fact, type NotableText } from '../api.ts';
import { isClass, isFunc, type CallExpr, type Expr, type Func, type Module } from '../ir.ts';
import { SPELLED } from '../label.ts';
import { SECRETS, isNotable } from '../secret-paths.ts';
import {
  NOTHING,
  Obj,
  UNKNOWN,
  deepContent,
  join,
  labelled,
  store,
  storeField,
  textValue,
  itemsOf,
  type Callable,
  type Slot,
  type Value,
} from '../value.ts';
import { applyInline } from './inline.ts';
import { listOf, recordOf, setFields } from './made-objects.ts';
import type { Arguments, Call, Evaluator } from './evaluator.ts';
import { getMember } from './get-member.ts';
import { callApi } from './call-api.ts';
import { callHook } from './hooks.ts';
import { globalValue, memberOfApi } from './names.ts';

/** Passes over the code; values that still grow after the last one stay incomplete. */
const MAX_PASSES = 5;
/** Expressions evaluated in all passes over all files of a build, and what rules compare of its facts. */
const MAX_WORK = 12_000_000;
/** Rules compare each such fact with all others: four comparisons take as long as an expression. */
const COMPARED = new Set(['send', 'execute', 'spawn', 'feed', 'write', 'inject']);

const FORKED = /^(?:requests|urllib3|httpx|aiohttp)$/;

/** Returns the exports of a module of the build, `undefined` when the build has no such module. */
type Linker = (from: Module, module: string, level: number) => Value | undefined;

export class Interpreter implements Evaluator {
  readonly inlined = new Set<Func>();
  readonly channel = new Obj();
  readonly disk = new Obj();
  inlineWork = 0;
  readonly facts = new Map<Expr, Map<string, Fact>>();
  /** Constants of the code that indicate its purpose. */
  readonly texts: NotableText[] = [];
  readonly #link: Linker;
  #module!: Module;
  #isChanged = false;
  #pass = 0;
  #work = 0;

  constructor(link: Linker) {
    this.#link = link;
  }

  /** Whether all code was evaluated within the bounds. */
  get isComplete(): boolean {
    return this.#work < MAX_WORK;
  }

  get module(): Module {
    return this.#module;
  }

  /** Evaluates `modules` until nothing changes; a later run adds to the facts of an earlier one. */
  run(modules: readonly Module[]): void {
    for (this.#pass = 0; this.#pass < MAX_PASSES; this.#pass += 1) {
      this.#isChanged = false;
      for (const module of modules) {
        this.#module = module;
        for (const expr of module.body) this.evaluate(expr);
        for (const func of module.funcs) for (const expr of func.body) this.evaluate(expr);
      }
      if (!this.#isChanged || !this.isComplete) return;
    }
  }

  evaluate(expr: Expr): Value {
    this.#work += 1;
    if (this.inlined.size > 0) this.inlineWork += 1;
    if (this.#work > MAX_WORK) return NOTHING;
    switch (expr.op) {
      case 'none':
        return NOTHING;
      case 'text':
        if (this.#pass === 0 && isNotable(expr.text)) {
          this.texts.push({ path: this.#module.path, at: expr.at, end: expr.end, text: expr.text });
        }
        return textValue(expr.text);
      case 'slot':
        return expr.slot.value ?? NOTHING;
      case 'global':
        return globalValue(this.#module, expr);
      case 'import':
        return this.importOf(expr.module, expr.level);
      case 'get':
        return getMember(this, expr, this.evaluate(expr.of), this.evaluate(expr.key));
      case 'call':
        return this.#call(expr);
      case 'concat': {
        const value = concat(expr.parts.map((part) => this.evaluate(part)));
        if (value.texts.some((text) => text.includes('<script')))
          this.record(expr, { action: 'print', api: '$page', operand: value });
        return value;
      }
      case 'xor': {
        const content = expr.parts.map((part) => deepContent(this.evaluate(part)));
        const { path } = this.#module;
        const origin = { path, at: expr.at, label: SPELLED, what: 'xor' };
        return join(content.reduce(join, NOTHING), labelled(origin));
      }
      case 'any':
        return expr.parts.reduce((sum, part) => join(sum, this.evaluate(part)), NOTHING);
      case 'sequence':
        return expr.parts.map((part) => this.evaluate(part)).at(-1) ?? NOTHING;
      case 'list':
        return listOf(this, expr);
      case 'record':
        return recordOf(this, expr);
      case 'spread':
        return this.evaluate(expr.of);
      case 'function':
        return { ...NOTHING, funcs: [expr.func] };
      case 'class': {
        const members = this.evaluate(expr.members);
        for (const obj of members.objects) obj.isInstance = true;
        this.store(expr.self, members);
        return { ...members, funcs: [expr] };
      }
      case 'assign': {
        const value = this.evaluate(expr.value);
        this.#assign(expr.target, expr.isAdded ? { ...value, names: [] } : value);
        return value;
      }
      default:
        return expr;
    }
  }

  importOf(module: string, level: number): Value {
    const own = this.#link(this.#module, module, level);
    // A fork of a client under another name calls what is installed.
    const isOwn = own !== undefined && (level > 0 || !FORKED.test(module));
    return isOwn ? own : join(own ?? NOTHING, memberOfApi(this.#module, '', module));
  }

  store(slot: Slot, value: Value): void {
    if (store(slot, value)) this.#isChanged = true;
  }

  storeField(obj: Obj, key: string | undefined, value: Value): void {
    if (storeField(obj, key, value)) this.#isChanged = true;
  }

  record(expr: Expr, details: FactDetails): void {
    let known = this.facts.get(expr);
    if (known === undefined) {
      this.facts.set(expr, (known = new Map()));
      if (COMPARED.has(details.action)) this.#work += this.facts.size / 4;
    }
    const key = `${details.action} ${details.api}`;
    const { path, isLarge } = this.#module;
    const { at, end } = expr;
    const fact = { content: NOTHING, args: [], ...details, path, at, end, isLarge };
    known.set(key, mergeFacts(known.get(key), fact));
    if (details.action !== 'write' || isLarge || (fact.content.labels & SECRETS) === 0) return;
    for (const text of details.operand.texts) {
      if (/\w{3}/.test(text)) this.storeField(this.disk, `/${text}`, fact.content);
    }
  }

  callApi(call: Call, target: Value): Value {
    return callApi(call, target);
  }

  apply(callee: Callable, args: Arguments): Value {
    if (isFunc(callee)) {
      this.#bind(callee, args);
      return callee.result.value ?? NOTHING;
    }
    const init = (isClass(callee) ? callee.init : undefined) ?? pythonInit(callee.self.value);
    if (init !== undefined) this.apply(init, args);
    const self = callee.self.value ?? NOTHING;
    const isData = init === undefined && this.#module.language === 'python';
    return isData ? setFields(this, self, args) : self;
  }

  #bind(func: Func, args: Arguments): void {
    args.list.forEach((value, index) => {
      const slot = func.params[index] ?? func.rest;
      if (slot !== undefined) this.store(slot, value);
    });
    for (const [name, value] of args.named) {
      const slot = func.named.get(name) ?? func.rest;
      if (slot !== undefined) this.store(slot, value);
    }
  }

  #assign(target: Expr, value: Value): void {
    if (target.op === 'slot') this.store(target.slot, value);
    else if (target.op === 'get') {
      const key = this.evaluate(target.key);
      const whole = this.#objectAt(target.of);
      const [text] = key.texts;
      const name = text?.includes(UNKNOWN) === true ? undefined : text;
      for (const obj of whole.objects) this.storeField(obj, name, value);
      for (const of of value.funcs.length === 0 ? [] : this.evaluate(target.of).names)
        callHook(this, target, memberOfApi(this.#module, of, name ?? '').names, value);
      // A browser requests what it shows.
      if (name === 'src' && whole.names.includes('$image')) {
        const sent = { operand: value, content: deepContent(value) };
        this.record(target, { action: 'send', api: '$image.src', ...sent });
      }
    } else callHook(this, target, this.evaluate(target).names, value);
  }

  /** The object that a field is stored into; a variable that holds no object gets a new one. */
  #objectAt(expr: Expr): Value {
    const known = this.evaluate(expr);
    if (known.objects.length > 0) return known;
    if (expr.op === 'slot' || expr.op === 'get') {
      if (expr.op === 'get' && this.#objectAt(expr.of).objects.length === 0) return known;
      const obj = new Obj();
      obj.isInstance = expr.op === 'slot';
      const created = { ...NOTHING, objects: [obj] };
      this.#assign(expr, created);
      return created;
    }
    return known;
  }

  #call(expr: CallExpr): Value {
    const { callee } = expr;
    let target: Value;
    let receiver: Value = NOTHING;
    let method: string | undefined;
    if (callee.op === 'get') {
      // The receiver is evaluated once: twice would double the work with each link of a chain of calls.
      receiver = this.evaluate(callee.of);
      const key = this.evaluate(callee.key);
      target = getMember(this, callee, receiver, key);
      [method] = key.texts;
    } else target = this.evaluate(callee);
    const args = evaluateArguments(this, expr);
    let result: Value = NOTHING;
    const called = target.objects.flatMap(({ fields }) => fields.get('__call__')?.funcs ?? []);
    for (const func of [...target.funcs, ...called]) {
      result = join(result, applyInline(this, func, args));
      if (expr.isNew && isFunc(func)) result = join(result, func.self.value ?? NOTHING);
    }
    return join(result, callApi({ evaluator: this, expr, args, receiver, method }, target));
  }
}

/** The `__init__` method of a Python class. */
function pythonInit(self: Value | undefined): Func | undefined {
  for (const obj of self?.objects ?? []) {
    const init = obj.fields.get('__init__')?.funcs[0];
    if (init !== undefined && isFunc(init)) return init;
  }
  return undefined;
}

/** A text of this length or more is not extended. */
const MAX_LENGTH = 20_000;
const MAX_TEXTS = 4;

/** The texts that `values` may form in a row, unknown parts as `UNKNOWN`. */
export function concat(values: readonly Value[]): Value {
  let texts: readonly string[] = [''];
  let content: Value = NOTHING;
  let lists: Value = NOTHING;
  for (const value of values) {
    content = join(content, deepContent(value));
    if (value.objects.length > 0) lists = join(lists, { ...NOTHING, objects: value.objects });
    const added = value.texts.length === 0 ? [UNKNOWN] : value.texts;
    texts = texts
      .flatMap((t) => added.map((a) => (t.length > MAX_LENGTH ? t : t + a)))
      .slice(0, MAX_TEXTS);
  }
  const known = texts.map((t) => t.replaceAll(/\0+/g, UNKNOWN)).filter((t) => t !== UNKNOWN);
  return { ...content, texts: known, objects: lists.objects };
}

/** Elements of a spread list that are passed as arguments of their own. */
const MAX_SPREAD = 100;

/** The arguments; a spread list with known elements becomes one argument per element. */
function evaluateArguments(evaluator: Evaluator, { args, named: entries }: CallExpr): Arguments {
  const list = args.flatMap((arg) => evaluateArgument(evaluator, arg));
  const named = new Map<string, Value>();
  for (const { key, value } of entries) {
    const evaluated = evaluator.evaluate(value);
    if (key?.op === 'text') named.set(key.text, evaluated);
    else list.push(itemsOf(evaluated));
  }
  return { list, named };
}

function evaluateArgument(evaluator: Evaluator, arg: Expr): Value[] {
  const value = evaluator.evaluate(arg);
  if (arg.op !== 'spread') return [value];
  const items = [...(value.objects[0]?.fields ?? [])].filter(([key]) => /^\d+$/.test(key));
  if (items.length === 0) return [itemsOf(value)];
  return items.slice(0, MAX_SPREAD).map(([, item]) => item);
}
