/** Calls that act on the code itself: load a module, get a member by name, start a function. */
import type { CallExpr } from '../ir.ts';
import { NOTHING, UNKNOWN, contentOf, itemsOf, join, nameValue, type Value } from '../value.ts';
import { NO_RECEIVER, positional, type Arguments } from './arguments.ts';
import type { Evaluator } from './evaluator.ts';
import { memberOfApi } from './names.ts';
import { callPromise } from './promise.ts';

/** The result of a call of the API `name`; `undefined` when it is not special. */
export function callSpecial(
  evaluator: Evaluator,
  expr: CallExpr,
  name: string,
  args: Arguments,
): Value | undefined {
  const [first = NOTHING, second = NOTHING] = args.list;
  switch (name) {
    case 'require':
    case 'import':
    case 'process.binding':
    case 'builtins.__import__':
    case 'importlib.import_module':
    case '__import__':
      return load(evaluator, expr, name, args);
    case 'builtins.globals':
    case 'builtins.locals':
    case 'builtins.vars':
      return nameValue('$globals');
    case 'builtins.getattr':
    case 'Reflect.get': {
      let sum = contentOf(first);
      for (const key of second.texts) {
        for (const of of first.names) sum = join(sum, memberOfApi(evaluator.module, of, key));
        for (const obj of first.objects) sum = join(sum, obj.fields.get(key) ?? obj.rest);
      }
      return sum;
    }
    case 'Reflect.apply':
    case 'Reflect.construct': {
      const list = [...(args.list.at(-1)?.objects[0]?.fields.values() ?? [])];
      return evaluator.callApi(expr, first, NO_RECEIVER, positional(...list));
    }
    case 'Promise':
      return callPromise(evaluator, expr, args);
    case 'Promise.all':
    case 'Promise.race':
    case 'Promise.allSettled':
    case 'Promise.any':
    case 'Promise.resolve':
    case 'Array.from':
    case 'asyncio.gather':
    case 'asyncio.run':
      return first;
    case 'Object.assign':
      assignFields(evaluator, first, args.list.slice(1));
      return first;
    case 'builtins.map': {
      const items = positional(itemsOf(second));
      const [func] = first.funcs;
      if (func !== undefined) return join(contentOf(second), evaluator.apply(func, items));
      return evaluator.callApi(expr, first, NO_RECEIVER, items);
    }
    case 'threading.Thread':
    case 'multiprocessing.Process':
    case '_thread.start_new_thread':
    case 'atexit.register':
      start(evaluator, expr, args);
      return NOTHING;
    default:
      return undefined;
  }
}

function load(evaluator: Evaluator, expr: CallExpr, api: string, { list }: Arguments): Value {
  const [operand = NOTHING] = list;
  evaluator.record(expr, { action: 'load', api, operand, content: NOTHING, args: list });
  return operand.texts
    .filter((text) => !text.includes(UNKNOWN))
    .reduce((sum, text) => join(sum, evaluator.importOf(text, 0)), contentOf(operand));
}

function assignFields(evaluator: Evaluator, target: Value, sources: readonly Value[]): void {
  for (const obj of target.objects) {
    for (const source of sources) {
      for (const { fields, rest } of source.objects) {
        for (const [key, field] of fields) evaluator.storeField(obj, key, field);
        evaluator.storeField(obj, undefined, rest);
      }
      evaluator.storeField(obj, undefined, contentOf(source));
    }
  }
}

/** Starts a function with a list of arguments: `Thread(target=f, args=(a,))`. */
function start(evaluator: Evaluator, expr: CallExpr, { list, named }: Arguments): void {
  const started = named.get('target') ?? list[0] ?? NOTHING;
  const given = named.get('args') ?? list[1] ?? NOTHING;
  const args = positional(...given.objects.flatMap((obj) => [...obj.fields.values()]));
  for (const func of started.funcs) evaluator.apply(func, args);
  if (started.names.length > 0) evaluator.callApi(expr, started, NO_RECEIVER, args);
}
