/** Members of values: fields of objects, parts of interfaces, environment variables. */
import type { Expr } from '../ir.ts';
import type { Interpreter } from './interpreter.ts';
import { namesMember } from './names.ts';
import { ENVIRONMENT, VARIABLE } from '../label.ts';
import { UNKNOWN, NOTHING, contentOf, joined, labelled } from '../value.ts';
import type { Value } from '../value.ts';

type Get = Extract<Expr, { op: 'get' }>;

/** What `whole[key]` is. */
export function getMember(to: Interpreter, expr: Get, whole: Value, key: Value): Value {
  const [text] = key.texts;
  // What a thing's length tells gives nothing of it away.
  if (text === 'length') return NOTHING;
  const isConstant = text !== undefined && !text.includes(UNKNOWN);
  let sum: Value = NOTHING;
  for (const name of whole.names) {
    sum = joined(sum, member(to, expr, name, key, isConstant));
    // `child.stdin` still knows what was started.
    if (name.startsWith('$')) sum = joined(sum, { ...NOTHING, objects: whole.objects });
  }
  for (const obj of whole.objects) {
    sum = joined(sum, obj.rest);
    if (isConstant) {
      for (const one of key.texts) sum = joined(sum, obj.fields.get(one) ?? NOTHING);
    } else sum = joined(sum, to.itemsOf({ ...NOTHING, objects: [obj] }));
  }
  // `[].filter.constructor` is `Function`: so is whatever a method is made by.
  const isMethod = expr.of.op === 'get' || whole.funcs.length > 0 || whole.names.length > 0;
  if (text === 'constructor' && isMethod) {
    sum = joined(sum, { ...NOTHING, names: ['$constructor'] });
  }
  const isEnvironment = whole.labels !== 0 && whole.names.some(isEnvironmentName);
  const rest = isEnvironment ? contentOf(key) : contentOf(whole);
  const isCharacter = whole.texts.length > 0 && text !== undefined && /^\d+$/.test(text);
  const characters = isCharacter ? whole.texts.map((t) => t.charAt(Number(text))) : [];
  return joined(joined(sum, rest), { ...NOTHING, texts: characters });
}

function member(to: Interpreter, expr: Expr, name: string, key: Value, isConstant: boolean): Value {
  if (isEnvironmentName(name)) {
    const api = name;
    if (
      isConstant &&
      /^(?:get|toObject|items|copy|keys|values|has|pop|setdefault|hasOwnProperty|__getitem__|update)$/.test(
        key.texts[0]!,
      )
    ) {
      const member = namesMember(to.module, name, key.texts[0]!);
      return /^(?:items|copy|toObject|keys|values)$/.test(key.texts[0]!)
        ? joined(member, environment(to.module.path, expr.at, name))
        : member;
    }
    to.note(expr, { action: 'variable', api, operand: key, content: NOTHING, args: [] });
    const what = isConstant ? `${name}.${key.texts[0]}` : `${name}[...]`;
    return labelled({ path: to.module.path, at: expr.at, label: VARIABLE, what });
  }
  if (!isConstant) return NOTHING;
  let sum: Value = NOTHING;
  for (const text of key.texts) sum = joined(sum, namesMember(to.module, name, text));
  return sum;
}

function isEnvironmentName(name: string): boolean {
  return (
    name === 'process.env' || name === 'os.environ' || name === 'Deno.env' || name === 'Bun.env'
  );
}

function environment(path: string, at: number, what: string): Value {
  return labelled({ path, at, label: ENVIRONMENT, what });
}
