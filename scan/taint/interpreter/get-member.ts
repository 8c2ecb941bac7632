/** Members of values: fields of objects, members of APIs, environment variables, characters of texts. */
import type { Expr } from '../ir.ts';
import { NOTHING, UNKNOWN, contentOf, itemsOf, join, labelled, type Value } from '../value.ts';
import { wordsOf } from '../../parse/word-list.ts';
import { ENVIRONMENT, TOOL_TOKEN } from '../label.ts';
import { labelOfVariable } from '../secret-paths.ts';
import { memberOfApi } from './names.ts';
import { positional, type Evaluator } from './evaluator.ts';

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
  if (text === '__dict__') return whole;
  const isPublic = text !== undefined && /^(?:pub(?:lic)?_?key|address)$/i.test(text);
  const isConstant = text !== undefined && !text.includes(UNKNOWN);
  let sum: Value = NOTHING;
  for (const name of whole.names) {
    if (ENVIRONMENTS.has(name))
      sum = join(sum, memberOfEnvironment(evaluator, expr, name, key, isConstant));
    else if (isConstant)
      for (const one of key.texts) sum = join(sum, memberOfApi(evaluator.module, name, one));
    // `child.stdin` keeps the operand of `child`.
    if (name.startsWith('$')) sum = join(sum, { ...NOTHING, objects: whole.objects });
    // `fd, path = mkstemp()`
    if (name === '$file' && /^(?:name|[01])$/.test(text ?? ''))
      sum = join(sum, { ...NOTHING, texts: whole.texts });
  }
  for (const obj of whole.objects) {
    sum = join(sum, obj.rest);
    if (isConstant) {
      for (const one of key.texts) sum = join(sum, obj.fields.get(one) ?? NOTHING);
    } else sum = join(sum, itemsOf({ ...NOTHING, objects: [obj] }));
  }
  for (const name of ['__getattr__', '__getitem__', '__iter__']) {
    for (const func of whole.objects.flatMap(({ fields }) => fields.get(name)?.funcs ?? []))
      sum = join(sum, evaluator.apply(func, positional(key)));
  }
  // `[].filter.constructor` is `Function`, and so is the constructor of every other method.
  const isApi = whole.names.some((name) => name !== '$globals');
  const isMethod = (expr.op === 'get' && expr.of.op === 'get') || isApi;
  if (text === 'constructor' && (isMethod || whole.funcs.length > 0))
    sum = join(sum, { ...NOTHING, names: ['$constructor'] });
  const isEnvironment = whole.labels !== 0 && whole.names.some((name) => ENVIRONMENTS.has(name));
  // Settings of a tool beside its token.
  const isSetting = /^(?:registry|region|profile|email|user(?:name)?)$/.test(text ?? '');
  const isOpen = (whole.labels & TOOL_TOKEN) !== 0 && isSetting;
  const rest = isEnvironment ? contentOf(key) : isOpen || isPublic ? NOTHING : contentOf(whole);
  const isCharacter = whole.names.length === 0 && text !== undefined && /^\d+$/.test(text);
  const characters = isCharacter ? whole.texts.map((t) => t.charAt(Number(text))) : [];
  return join(join(sum, rest), { ...NOTHING, texts: characters });
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
  evaluator.record(expr, { action: 'variable', api: name, operand: key });
  return variableAt(evaluator, expr, name, key);
}

/** What the variable `key` of an environment holds. */
export function variableAt(
  { module }: Evaluator,
  { at }: Expr,
  environment: string,
  { texts: [name = UNKNOWN] }: Value,
): Value {
  const what = `${environment}${name.includes(UNKNOWN) ? '[...]' : `.${name}`}`;
  const value = labelled({ path: module.path, at, label: labelOfVariable(what), what });
  return /\.(?:HOME|USERPROFILE|HOMEPATH)$/.test(what) ? { ...value, texts: ['~'] } : value;
}
