/** Members of values: fields of objects, members of APIs, environment variables, characters of texts. */
import type { Expr } from '../ir.ts';
import {
  NOTHING,
  UNKNOWN,
  contentOf,
  itemsOf,
  join,
  labelled,
  nameValue,
  type Value,
} from '../value.ts';
import { wordsOf } from '../../parse/word-list.ts';
import { ENVIRONMENT, TOOL_TOKEN } from '../label.ts';
import { HOME_VARIABLE, labelOfVariable } from '../secret-paths.ts';
import { memberOfApi } from './names.ts';
import type { Evaluator } from './evaluator.ts';

const ENVIRONMENTS = new Set(['process.env', 'os.environ', 'Deno.env', 'Bun.env']);
/** Methods that return the whole environment. */
const WHOLE_ENVIRONMENT = new Set(['items', 'copy', 'toObject', 'keys', 'values']);
/** Members of an environment that are not variables. */
const ENVIRONMENT_METHODS = new Set([
  ...WHOLE_ENVIRONMENT,
  ...wordsOf(['get has pop setdefault hasOwnProperty __getitem__ update']),
]);

/** The value of `whole[key]`. */
export function getMember(evaluator: Evaluator, expr: Expr, whole: Value, key: Value): Value {
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
  if (text === 'constructor') {
    // `[].filter.constructor` is `Function`, and so is the constructor of every other method.
    const isMethod = (expr.op === 'get' && expr.of.op === 'get') || whole.names.length > 0;
    if (whole.funcs.length > 0) sum = join(sum, nameValue('Function'));
    else if (isMethod) sum = join(sum, nameValue('$constructor'));
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
  expr: Expr,
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
  expr: Expr,
  name: string,
  key: Value,
  isConstant: boolean,
): Value {
  const { path } = evaluator.module;
  const [text = ''] = key.texts;
  // A loop over the environment reads all of it.
  if (expr.op === 'get' && expr.key.op === 'none')
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
  const variable = labelled({ path, at: expr.at, label: labelOfVariable(what), what });
  return HOME_VARIABLE.test(text) ? { ...variable, texts: ['~'] } : variable;
}
