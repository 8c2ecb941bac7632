/** Calls that do something to the code itself: load a module, reach a member by name, start a function. */
import type { Arguments } from './arguments.ts';
import { NOBODY } from './arguments.ts';
import type { Expr } from '../ir.ts';
import type { Interpreter } from './interpreter.ts';
import { namesMember } from './names.ts';
import { UNKNOWN, NOTHING, contentOf, joined, nameValue } from '../value.ts';
import type { Value } from '../value.ts';

type Call = Extract<Expr, { op: 'call' }>;

/** What the call gives; `undefined` when it is none of these. */
export function callSpecial(
  to: Interpreter,
  expr: Call,
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
    case '__import__': {
      to.note(expr, {
        action: 'load',
        api: name,
        operand: first,
        content: NOTHING,
        args: args.list,
      });
      return first.texts
        .filter((text) => !text.includes(UNKNOWN))
        .reduce((sum, text) => joined(sum, to.importOf(text, 0)), contentOf(first));
    }
    case 'builtins.globals':
    case 'builtins.locals':
    case 'builtins.vars':
      return nameValue('$globals');
    case 'builtins.getattr':
    case 'Reflect.get': {
      let sum = contentOf(first);
      for (const key of second.texts) {
        for (const of of first.names) sum = joined(sum, namesMember(to.module, of, key));
        for (const obj of first.objects) sum = joined(sum, obj.fields.get(key) ?? obj.rest);
      }
      return sum;
    }
    case 'Reflect.apply':
    case 'Reflect.construct': {
      const list = [...(args.list.at(-1)?.objects[0]?.fields.values() ?? [])];
      return to.callNamed(expr, first, NOBODY, { list, named: new Map() });
    }
    case 'Promise':
      return to.promise(expr, args);
    case 'Promise.all':
    case 'Promise.race':
    case 'Promise.allSettled':
    case 'Promise.any':
    case 'Array.from':
    case 'asyncio.gather':
      return first;
    case 'Object.assign': {
      for (const obj of first.objects) {
        for (const other of args.list.slice(1)) {
          for (const { fields, rest } of other.objects) {
            for (const [key, field] of fields) to.storeField(obj, key, field);
            to.storeField(obj, undefined, rest);
          }
          to.storeField(obj, undefined, contentOf(other));
        }
      }
      return first;
    }
    case 'asyncio.run':
    case 'Promise.resolve':
      return first;
    case 'builtins.map': {
      for (const func of first.funcs) {
        return joined(
          contentOf(second),
          to.apply(func, { list: [to.itemsOf(second)], named: new Map() }),
        );
      }
      return to.callNamed(expr, first, NOBODY, { list: [to.itemsOf(second)], named: new Map() });
    }
    case 'threading.Thread':
    case 'multiprocessing.Process':
    case '_thread.start_new_thread':
    case 'atexit.register': {
      const started = args.named.get('target') ?? first;
      const given = args.named.get('args') ?? second;
      const list = given.objects.flatMap((obj) => [...obj.fields.values()]);
      for (const func of started.funcs) to.apply(func, { list, named: new Map() });
      if (started.names.length > 0) to.callNamed(expr, started, NOBODY, { list, named: new Map() });
      return NOTHING;
    }
    default:
      return undefined;
  }
}
