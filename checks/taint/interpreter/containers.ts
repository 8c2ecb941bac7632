/** Lists and records of the code as objects. */
import type { Entry, Expr } from '../ir.ts';
import type { Interpreter } from './interpreter.ts';
import { UNKNOWN, NOTHING, Obj, contentOf, joined } from '../value.ts';
import type { Value } from '../value.ts';

function objectOf(to: Interpreter, expr: { obj: Obj | undefined }): Obj {
  return to.alone.size > 0 ? new Obj() : (expr.obj ??= new Obj());
}

/** The object that a list is. */
export function listOf(to: Interpreter, expr: Extract<Expr, { op: 'list' }>): Value {
  const obj = objectOf(to, expr);
  let isOrdered = true;
  expr.items.forEach((item, index) => {
    const value = to.evaluate(item);
    if (item.op === 'spread') {
      isOrdered = false;
      to.storeField(obj, undefined, to.itemsOf(value));
    } else to.storeField(obj, isOrdered && index < 2_000 ? String(index) : undefined, value);
  });
  return { ...NOTHING, objects: [obj] };
}

/** The object that a record is. */
export function recordOf(to: Interpreter, expr: Extract<Expr, { op: 'record' }>): Value {
  const obj = objectOf(to, expr);
  let content: Value = NOTHING;
  for (const entry of expr.entries) content = joined(content, entryOf(to, obj, entry));
  return { ...content, objects: [obj] };
}

function entryOf(to: Interpreter, obj: Obj, { key, value }: Entry): Value {
  const evaluated = to.evaluate(value);
  if (key !== undefined) {
    const [text] = to.evaluate(key).texts;
    to.storeField(obj, text === undefined || text.includes(UNKNOWN) ? undefined : text, evaluated);
    return NOTHING;
  }
  for (const other of evaluated.objects) {
    for (const [name, field] of other.fields) to.storeField(obj, name, field);
    to.storeField(obj, undefined, other.rest);
  }
  return contentOf(evaluated);
}
