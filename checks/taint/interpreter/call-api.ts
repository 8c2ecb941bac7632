/** What a call does whose target is an interface of the platform or of a package, or not known. */
import { JAVASCRIPT_APIS } from '../javascript/apis.ts';
import { PYTHON_APIS } from '../python/apis.ts';
import type { Api } from '../api.ts';
import { objectAt } from './inline.ts';
import type { Arguments, Receiver } from './arguments.ts';
import { TARGET, allOf, targetOf } from './arguments.ts';
import type { Expr } from '../ir.ts';
import { foldCall } from './fold.ts';
import { labelOfPath } from '../secret-paths.ts';
import type { Interpreter } from './interpreter.ts';
import { callSpecial } from './special-calls.ts';
import { callMethod } from './methods.ts';
import { DECODED, FETCHED, FILE, SCREEN, VARIABLE } from '../label.ts';
import { UNKNOWN, NOTHING, contentOf, deepContent, joined, labelled } from '../value.ts';
import type { Value } from '../value.ts';

type Call = Extract<Expr, { op: 'call' }>;

/** Places on the machine as paths write them. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['os.homedir', '~'],
  ['os-homedir', '~'],
  ['pathlib.Path.home', '~'],
]);

/** The field of a buffer that stands for its content. */
const SAVED = '$saved';

/** What has more fields is data. */
const MAX_OPTIONS = 100;

/** Options that steer a request and are not sent. */
const UNSENT = new Set(['env', 'agent', 'proxy', 'dispatcher', 'signal', 'ca', 'cwd', 'timeout']);

/** @param target what is called */
export function callNames(
  to: Interpreter,
  expr: Call,
  target: Value,
  { value: receiver, method }: Receiver,
  args: Arguments,
): Value {
  const apis = to.module.language === 'python' ? PYTHON_APIS : JAVASCRIPT_APIS;
  let result: Value = NOTHING;
  let isKnown = target.funcs.length > 0;
  for (const name of target.names) {
    const special = callSpecial(to, expr, name, args);
    const api = apis.get(name);
    if (special !== undefined) {
      result = joined(result, special);
      isKnown = true;
    } else if (api !== undefined) {
      result = joined(result, callApi(to, expr, name, api, receiver, args));
      isKnown = true;
    } else {
      const texts = foldTexts(name, args);
      if (texts.length > 0) result = joined(result, { ...made(receiver, args), texts });
    }
  }
  const own =
    method === undefined ? undefined : callMethod(to, expr, method, target, receiver, args);
  if (method === 'save') saved(to, receiver, args);
  if (own !== undefined) result = joined(result, own);
  else if (!isKnown && (!to.module.isLarge || isPlainCarrier(target, method))) {
    result = joined(result, made(receiver, args));
  }
  const isBinding = isKnown || !to.module.isLarge || LISTENERS.has(method ?? '');
  if (target.funcs.length === 0 && method !== 'then' && isBinding) {
    bindCallbacks(to, args, receiver, result);
  }
  return result;
}

const LISTENERS = new Set(['on', 'once', 'addListener', 'addEventListener', 'forEach', 'catch']);
const CARRIERS =
  /^(?:JSON\.|Buffer|encodeURI|decodeURI|escape|unescape|btoa|Object\.(?:keys|values|entries|fromEntries)|String|querystring\.|qs\.|util\.|zlib\.|URL|builtins\.|json\.|base64\.|urllib\.parse|path\.)/;

/** In large files, which bundle unrelated code, only functions that are known to carry their arguments do. */
function isPlainCarrier(target: Value, method: string | undefined): boolean {
  if (target.names.some((name) => CARRIERS.test(name))) return true;
  return /^(?:toString|trim|concat|replace|replaceAll|text|json|buffer|arrayBuffer|data|encode|decode|read|items|copy|filter|entries|values|keys)$/.test(
    method ?? '',
  );
}

/** A picture that is saved into a buffer is in it. */
function saved(to: Interpreter, receiver: Value, args: Arguments): void {
  if ((receiver.labels & SCREEN) === 0) return;
  for (const obj of args.list[0]?.objects ?? []) to.storeField(obj, SAVED, contentOf(receiver));
}

/** Whatever an unknown function gives is made from what it gets. */
function made(receiver: Value, args: Arguments): Value {
  let sum = deepContent(receiver);
  for (const value of allOf(args)) sum = joined(sum, deepContent(value));
  return sum;
}

/** Functions that are given to others are called with what these have. */
function bindCallbacks(to: Interpreter, args: Arguments, receiver: Value, result: Value): void {
  if (!allOf(args).some((value) => value.funcs.length > 0)) return;
  const items = to.itemsOf(receiver);
  const given = joined(joined(contentOf(receiver), result), { ...items, names: [] });
  for (const value of allOf(args)) {
    for (const func of value.funcs)
      to.apply(func, { list: [given, given, given], named: new Map() });
  }
}

function callApi(
  to: Interpreter,
  expr: Call,
  name: string,
  api: Api,
  receiver: Value,
  args: Arguments,
): Value {
  const all = allOf(args);
  const operand = operandOf(api, receiver, args);
  const content =
    api.content === undefined
      ? sentContent(receiver, all)
      : deepContent(args.list[api.content] ?? NOTHING);
  if (api.action !== undefined && isReal(name, api, operand)) {
    to.note(expr, { action: api.action, api: name, operand, content, args: args.list });
  }
  if (api.action === 'variable') return variableOf(to, expr, name, operand, args);
  if (api.same !== undefined) return withArguments(args.list[api.same] ?? NOTHING, all);
  // An answer, a file's content and a program's output are not made from what they were asked with.
  const isSealed = api.isSealed === true || (api.action !== undefined && api.gives !== undefined);
  let result: Value = isSealed ? contentOf(receiver) : contentOf(made(receiver, args));
  if (api.gives !== undefined) {
    const what = operand.texts[0]?.replaceAll(UNKNOWN, '*').slice(0, 120) ?? name;
    const isPlainCopy = api.gives === DECODED && isPlain(name, args);
    const label = isPlainCopy ? 0 : api.gives === FILE ? labelOfPath(operand.texts) : api.gives;
    if (label !== 0) {
      const shown = label === FETCHED || operand.texts.length === 0 ? name : what;
      result = joined(result, labelled({ path: to.module.path, at: expr.at, label, what: shown }));
    }
  }
  const texts = foldTexts(name, args);
  const known = PLACES.get(name);
  if (known !== undefined) result = { ...result, texts: [known] };
  else if (texts.length > 0) result = { ...result, texts };
  if (api.result !== undefined) {
    const obj = objectAt(to, expr);
    to.storeField(obj, TARGET, api.isOnTarget === true ? targetOf(receiver) : operand);
    result = { ...result, names: [api.result], objects: [obj] };
  }
  if (api.action === 'send' && name.endsWith('.connect')) {
    for (const obj of receiver.objects) to.storeField(obj, TARGET, operand);
  }
  if (name === '$xhr.open') for (const obj of receiver.objects) to.storeField(obj, TARGET, operand);
  return result;
}

/** One variable of the environment, or what is given for the case that it is not set. */
function variableOf(to: Interpreter, expr: Call, name: string, key: Value, args: Arguments): Value {
  const [text] = key.texts;
  const environment = name.startsWith('os.') ? 'os.environ' : name.replace(/\.get$/, '');
  const isConstant = text !== undefined && !text.includes(UNKNOWN);
  const what = `${environment}${isConstant ? `.${text}` : '[...]'}`;
  const variable = labelled({ path: to.module.path, at: expr.at, label: VARIABLE, what });
  return joined({ ...variable, texts: [UNKNOWN] }, args.list[1] ?? NOTHING);
}

/** A file to read gives content of its own; an opened one for writing is not read. */
function isReal(name: string, api: Api, operand: Value): boolean {
  if (!/^set(?:Timeout|Interval|Immediate)$/.test(name)) return true;
  return api.action !== 'execute' || operand.funcs.length === 0;
}

function operandOf(api: Api, receiver: Value, args: Arguments): Value {
  if (api.isOnTarget === true) return targetOf(receiver);
  const index = api.isLast === true ? args.list.length - 1 : (api.operand ?? 0);
  const named = api.keyword === undefined ? undefined : args.named.get(api.keyword);
  return args.list[index] ?? named ?? NOTHING;
}

function sentContent(receiver: Value, all: readonly Value[]): Value {
  let sum: Value = NOTHING;
  for (const value of all) {
    sum = joined(sum, contentOf(value));
    for (const obj of value.objects) {
      if (obj.fields.size > MAX_OPTIONS) {
        sum = joined(sum, deepContent({ ...NOTHING, objects: [obj] }));
        continue;
      }
      for (const [key, field] of obj.fields) {
        if (!UNSENT.has(key)) sum = joined(sum, deepContent(field));
      }
      sum = joined(sum, deepContent(obj.rest));
    }
  }
  return receiver.names.length > 0 ? sum : joined(sum, NOTHING);
}

function withArguments(value: Value, all: readonly Value[]): Value {
  let sum = value;
  for (const one of all) if (one !== value) sum = joined(sum, contentOf(deepContent(one)));
  return sum;
}

/** `Buffer.from(text)` and the like without a decoding. */
function isPlain(name: string, args: Arguments): boolean {
  return (
    name.startsWith('Buffer') && !/^(?:base64|base64url|hex)$/.test(args.list[1]?.texts[0] ?? '')
  );
}

function foldTexts(name: string, args: Arguments): string[] {
  const lists = args.list.slice(0, 2_000).map((value) => value.texts);
  if (lists.length === 0) return [];
  const found: string[] = [];
  for (const first of lists[0] ?? []) {
    const rest = lists.slice(1).map((texts) => texts[0]);
    const folded = foldCall(name, [first, ...rest]);
    if (folded !== undefined) found.push(folded);
  }
  if (found.length === 0 && /path\.(?:join|resolve)$/.test(name)) {
    const known = lists[0]?.find((text) => text.lastIndexOf(UNKNOWN) === 0)?.slice(1) ?? '';
    const folded = foldCall(name, [`*${known}`, ...lists.slice(1).map((texts) => texts[0])]);
    if (folded !== undefined) found.push(UNKNOWN + folded.slice(1));
  }
  return found;
}
