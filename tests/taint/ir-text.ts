/**
 * The intermediate representation of code as text, for the tests of the lowerings. Slots are numbered in the order
 * in which they appear.
 *
 *     const a = f(b)     $0 = @f(@b)
 */
import { parseJavaScript } from '../../scan/parse/parse-javascript.ts';
import { parsePython } from '../../scan/parse/parse-python.ts';
import type { Entry, Expr, Func, Module } from '../../scan/taint/ir.ts';
import { lowerJavaScript } from '../../scan/taint/javascript/lower.ts';
import { lowerPython } from '../../scan/taint/python/lower.ts';
import type { Slot } from '../../scan/taint/value.ts';

/** The module that JavaScript or TypeScript code lowers to. */
export function lowerJavaScriptText(text: string, path = 'a.ts'): Module {
  return lowerJavaScript(path, parseJavaScript(path, text).program);
}

/** The module that Python code lowers to. */
export function lowerPythonText(text: string, path = 'a.py'): Module {
  return lowerPython(path, text, parsePython(text).tree);
}

/** One line for each expression of the module, `exports` for the slot of its exports. */
export function irOf(module: Module): string[] {
  const print = printer(module.exports);
  return module.body.map(print);
}

/** One line for the last function of the module: its parameters, then its body. */
export function functionOf(module: Module): string {
  const func = module.funcs.at(-1);
  if (func === undefined) return 'none';
  return functionText(func, printer(module.exports));
}

function printer(exports: Slot): (expr: Expr) => string {
  const names = new Map<Slot, string>([[exports, 'exports']]);
  const slot = (one: Slot): string => {
    const name = names.get(one) ?? `$${names.size - 1}`;
    names.set(one, name);
    return name;
  };
  const list = (parts: readonly Expr[]): string => parts.map(print).join(', ');
  const entries = (all: readonly Entry[]): string =>
    all.map(({ key, value }) => (key ? `${print(key)}: ` : '...') + print(value)).join(', ');
  function print(expr: Expr): string {
    switch (expr.op) {
      case 'text':
        return JSON.stringify(expr.text);
      case 'none':
        return '_';
      case 'slot':
        return slot(expr.slot);
      case 'global':
        return `@${expr.name}`;
      case 'import':
        return `import(${'.'.repeat(expr.level)}${expr.module})`;
      case 'get':
        return `${print(expr.of)}[${print(expr.key)}]`;
      case 'call': {
        const args = [list(expr.args), entries(expr.named)].filter((t) => t !== '').join(', ');
        return `${expr.isNew === true ? 'new ' : ''}${print(expr.callee)}(${args})`;
      }
      case 'list':
        return `[${list(expr.items)}]`;
      case 'record':
        return `{${entries(expr.entries)}}`;
      case 'spread':
        return `...${print(expr.of)}`;
      case 'function':
        return `function${functionText(expr.func, print)}`;
      case 'class':
        return `class ${print(expr.members)}${expr.init === undefined ? '' : ' init'}`;
      case 'assign':
        return `${print(expr.target)} ${expr.isAdded ? '+=' : '='} ${print(expr.value)}`;
      default:
        return `${expr.op}(${list(expr.parts)})`;
    }
  }
  return print;
}

function functionText({ params, rest, body, result }: Func, print: (e: Expr) => string): string {
  const at = { at: 0, end: 0, op: 'slot' } as const;
  const names = params.map((slot) => print({ ...at, slot }));
  if (rest !== undefined) names.push(`...${print({ ...at, slot: rest })}`);
  const text = body.map(print).join('; ');
  return `(${names.join(', ')}) {${text}} -> ${print({ ...at, slot: result })}`;
}
