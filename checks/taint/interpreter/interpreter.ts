/**
 * Carries values through the code of a build: what flows into variables, objects, parameters and results, until
 * nothing new arrives. Values only grow and each pass reads every expression once, so the work is bounded by the
 * size of the code; branches and order are not looked at.
 */
import type { Arguments, Receiver } from './arguments.ts';
import { callNames } from './call-api.ts';
import { mergedFact } from '../fact.ts';
import type { Fact, NotableText } from '../fact.ts';
import type { Expr, Func, Module } from '../ir.ts';
import { newSlot } from '../ir.ts';
import { listOf, recordOf } from './containers.ts';
import { applyAlone } from './inline.ts';
import { getMember } from './get-member.ts';
import { concatenated } from './concat.ts';
import { isNotable } from '../secret-paths.ts';
import { namesMember, namesOfGlobal } from './names.ts';
import { SPELLED } from '../label.ts';
import {
  UNKNOWN,
  NOTHING,
  Obj,
  contentOf,
  deepContent,
  joined,
  labelled,
  store,
  storeField,
  textValue,
} from '../value.ts';
import type { ClassValue, Value } from '../value.ts';

/** Passes over the code; values that still grow after the last are cut short there. */
const MAX_PASSES = 5;
/** Expressions read in all passes over all files of a build. */
const MAX_WORK = 12_000_000;

type Get = Extract<Expr, { op: 'get' }>;
type Call = Extract<Expr, { op: 'call' }>;

export class Interpreter {
  /** Functions that are being read for one call alone. */
  readonly alone = new Set<Func>();
  /** Expressions read for one call alone. */
  aloneWork = 0;
  readonly facts = new Map<Expr, Map<string, Fact>>();
  /** Constants of the code that say what it is after. */
  readonly texts: NotableText[] = [];
  readonly #link: (from: Module, module: string, level: number) => Value | undefined;
  readonly #promises = new WeakMap<Expr, { readonly func: Func; readonly slot: Func['self'] }>();
  #module!: Module;
  #isChanged = false;
  #pass = 0;
  #work = 0;

  /** @param link what a module of the build gives that imports it */
  constructor(link: (from: Module, module: string, level: number) => Value | undefined) {
    this.#link = link;
  }

  /** Whether all code was read within the bounds. */
  get isWhole(): boolean {
    return this.#work < MAX_WORK;
  }

  get module(): Module {
    return this.#module;
  }

  run(modules: readonly Module[]): void {
    for (this.#pass = 0; this.#pass < MAX_PASSES; this.#pass += 1) {
      this.#isChanged = false;
      for (const module of modules) {
        this.#module = module;
        for (const expr of module.body) this.evaluate(expr);
        for (const func of module.funcs) for (const expr of func.body) this.evaluate(expr);
      }
      if (!this.#isChanged || !this.isWhole) return;
    }
  }

  evaluate(expr: Expr): Value {
    this.#work += 1;
    if (this.alone.size > 0) this.aloneWork += 1;
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
        return namesOfGlobal(this.#module, expr);
      case 'import':
        return this.importOf(expr.module, expr.level);
      case 'get':
        return this.#get(expr);
      case 'call':
        return this.#call(expr);
      case 'join':
        return this.#join(expr.parts);
      case 'xor':
        return this.#xor(expr);
      case 'any':
        return expr.parts.reduce((sum, part) => joined(sum, this.evaluate(part)), NOTHING);
      case 'sequence': {
        let last = NOTHING;
        for (const part of expr.parts) last = this.evaluate(part);
        return last;
      }
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
    return this.#link(this.#module, module, level) ?? namesMember(this.#module, '', module);
  }

  store(slot: Func['self'], value: Value): void {
    if (store(slot, value)) this.#isChanged = true;
  }

  storeField(obj: Obj, key: string | undefined, value: Value): void {
    if (storeField(obj, key, value)) this.#isChanged = true;
  }

  note(expr: Expr, fact: Omit<Fact, 'path' | 'at' | 'end' | 'isLarge'>): void {
    let known = this.facts.get(expr);
    if (known === undefined) this.facts.set(expr, (known = new Map()));
    const key = `${fact.action} ${fact.api}`;
    known.set(key, mergedFact(known.get(key), { ...fact, ...this.#where(expr.at, expr.end) }));
  }

  #where(at: number, end: number): Pick<Fact, 'path' | 'at' | 'end' | 'isLarge'> {
    const { path, isLarge } = this.#module;
    return { path, at, end, isLarge };
  }

  /** The values of an object's fields and items together. */
  itemsOf(value: Value): Value {
    return value.objects.reduce((sum, obj) => joined(sum, obj.items), contentOf(value));
  }

  #get(expr: Get): Value {
    return getMember(this, expr, this.evaluate(expr.of), this.evaluate(expr.key));
  }

  #assign(target: Expr, value: Value): void {
    if (target.op === 'slot') this.store(target.slot, value);
    else if (target.op === 'get') {
      const key = this.evaluate(target.key);
      const whole = this.#objectAt(target.of);
      const [text] = key.texts;
      const name = text !== undefined && !text.includes(UNKNOWN) ? text : undefined;
      for (const obj of whole.objects) this.storeField(obj, name, value);
    } else this.evaluate(target);
  }

  /** The object that is stored into; a variable without one gets one. */
  #objectAt(expr: Expr): Value {
    const known = this.evaluate(expr);
    if (known.objects.length > 0) return known;
    if (expr.op === 'slot' || expr.op === 'get') {
      if (expr.op === 'get' && this.#objectAt(expr.of).objects.length === 0) return known;
      const obj = new Obj();
      obj.isInstance = expr.op === 'slot';
      const made = { ...NOTHING, objects: [obj] };
      this.#assign(expr, made);
      return made;
    }
    return known;
  }

  #join(parts: readonly Expr[]): Value {
    return concatenated(parts.map((part) => this.evaluate(part)));
  }

  #xor(expr: Extract<Expr, { op: 'xor' }>): Value {
    const parts = expr.parts.map((part) => this.evaluate(part));
    const sum = parts.reduce((all, part) => joined(all, deepContent(part)), NOTHING);
    const origin = { path: this.#module.path, at: expr.at, label: SPELLED, what: 'xor' };
    return joined(sum, labelled(origin));
  }

  #call(expr: Extract<Expr, { op: 'call' }>): Value {
    const { callee } = expr;
    let [target, receiver, method]: [Value, Value, string | undefined] = [
      NOTHING,
      NOTHING,
      undefined,
    ];
    if (callee.op === 'get') {
      // Once: chains of calls would double the work with each link.
      receiver = this.evaluate(callee.of);
      const key = this.evaluate(callee.key);
      target = getMember(this, callee, receiver, key);
      [method] = key.texts;
    } else target = this.evaluate(callee);
    const list = expr.args.flatMap((arg) => {
      const value = this.evaluate(arg);
      if (arg.op !== 'spread') return [value];
      const [obj] = value.objects;
      const items =
        obj === undefined
          ? []
          : [...obj.fields.entries()].filter(([k]) => /^\d+$/.test(k)).map(([, v]) => v);
      return items.length > 0 ? items.slice(0, 100) : [this.itemsOf(value)];
    });
    const named = new Map<string, Value>();
    for (const { key, value } of expr.named) {
      const evaluated = this.evaluate(value);
      if (key?.op === 'text') named.set(key.text, evaluated);
      else list.push(this.itemsOf(evaluated));
    }
    const args: Arguments = { list, named };
    let result: Value = NOTHING;
    for (const func of target.funcs) {
      result = joined(result, applyAlone(this, func, args));
      if (expr.isNew && 'params' in func) result = joined(result, func.self.value ?? NOTHING);
    }
    return joined(result, callNames(this, expr, target, { value: receiver, method }, args));
  }

  /** Calls an interface of the platform or of a package, or what is not known. */
  callNamed(expr: Call, target: Value, receiver: Receiver, args: Arguments): Value {
    return callNames(this, expr, target, receiver, args);
  }

  /** Calls a function of the code; what it gives is what it has given for any arguments. */
  apply(func: Func | ClassValue, args: Arguments): Value {
    if (!('params' in func)) {
      const init = func.init ?? classInit(func.self.value);
      if (init !== undefined) this.apply(init, args);
      return func.self.value ?? NOTHING;
    }
    args.list.forEach((value, index) => {
      const slot = func.params[index] ?? func.rest;
      if (slot !== undefined) this.store(slot, value);
    });
    for (const [name, value] of args.named) {
      const slot = func.named.get(name);
      if (slot !== undefined) this.store(slot, value);
    }
    return func.result.value ?? NOTHING;
  }

  /** What `new Promise((resolve) => ...)` resolves to. */
  promise(expr: Expr, args: Arguments): Value {
    let known = this.#promises.get(expr);
    if (known === undefined) {
      const slot = newSlot();
      const func: Func = {
        params: [slot],
        rest: undefined,
        named: new Map(),
        body: [],
        self: newSlot(),
        result: newSlot(),
      };
      this.#promises.set(expr, (known = { func, slot }));
    }
    const resolve = { ...NOTHING, funcs: [known.func] };
    for (const executor of args.list[0]?.funcs ?? []) {
      this.apply(executor, { list: [resolve, resolve], named: new Map() });
    }
    return known.slot.value ?? NOTHING;
  }
}

function classInit(self: Value | undefined): Func | undefined {
  for (const obj of self?.objects ?? []) {
    const init = obj.fields.get('__init__')?.funcs[0];
    if (init !== undefined && 'params' in init) return init;
  }
  return undefined;
}
