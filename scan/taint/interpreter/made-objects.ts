/** The objects that expressions of the code create: lists, records, and the results of calls. */
import type { Expr, Entry } from '../ir.ts';
import { NOTHING, Obj, UNKNOWN, contentOf, itemsOf, join, type Value } from '../value.ts';
import type { Arguments, Evaluator } from './evaluator.ts';

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

/** The arguments as the fields of an object: `@dataclass class A: url: str` has them in order. */
export function setFields(evaluator: Evaluator, value: Value, { list, named }: Arguments): Value {
  for (const obj of value.objects) {
    const names = [...obj.fields].filter(([, { funcs }]) => funcs.length === 0);
    const given = names.slice(0, list.length).map(([name], at) => [name, list[at]!] as const);
    for (const [name, one] of [...given, ...named]) evaluator.storeField(obj, name, one);
  }
  return value;
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
  copyFields(evaluator, obj, evaluated);
  return contentOf(evaluated);
}

/** Stores all fields of the objects of `from`. */
export function copyFields(evaluator: Evaluator, obj: Obj, from: Value): void {
  for (const { fields, rest } of from.objects) {
    for (const [name, field] of fields) evaluator.storeField(obj, name, field);
    evaluator.storeField(obj, undefined, rest);
  }
}
