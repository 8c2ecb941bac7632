/** A call whose target is no function of the code: an API, or something unknown that may return its arguments. */
import { wordPattern } from '../../parse/word-list.ts';
import { wordsOf } from '../api.ts';
import { JAVASCRIPT_APIS } from '../javascript/apis.ts';
import { PYTHON_APIS } from '../python/apis.ts';
import type { CallExpr } from '../ir.ts';
import { SCREEN } from '../label.ts';
import { NOTHING, contentOf, itemsOf, join, type Value } from '../value.ts';
import { allOf, positional, type Arguments, type Receiver } from './arguments.ts';
import type { Evaluator } from './evaluator.ts';
import { foldTexts } from './fold-texts.ts';
import { callKnownApi, propagate } from './known-api.ts';
import { callMethod } from './methods.ts';
import { callSpecial } from './special-calls.ts';

/** APIs that return their arguments, also in bundles. */
const PROPAGATING_APIS = wordPattern(
  [
    { why: 'parse and format data', words: ['JSON.', 'json.', 'querystring.', 'qs.', 'URL'] },
    { why: 'encode and decode', words: ['Buffer', 'btoa', 'base64.', 'zlib.', 'urllib.parse'] },
    { why: 'escape', words: ['encodeURI', 'decodeURI', 'escape', 'unescape'] },
    { why: 'list the fields of an object', words: [/Object\.(?:keys|values|entries|fromEntries)/] },
    { why: 'convert values', words: ['String', 'util.', 'builtins.', 'path.'] },
  ],
  { before: /^/ },
);

/** Methods that return the content of their receiver, also in bundles. */
const PROPAGATING_METHODS = new Set(
  wordsOf([
    // Change a text.
    'toString trim concat replace replaceAll encode decode',
    // Read a response or a file.
    'text json buffer arrayBuffer data read',
    // List the contents of an object.
    'items copy filter entries values keys',
  ]),
);

/** Methods that call their callback with data of the receiver, also in bundles. */
const LISTENERS = new Set(['on', 'once', 'addListener', 'addEventListener', 'forEach', 'catch']);

/** The field of a buffer that stands for its content. */
const SAVED = '$saved';

/**
 * The result of a call.
 *
 * @param target the value that is called
 */
export function callApi(
  evaluator: Evaluator,
  expr: CallExpr,
  target: Value,
  { value: receiver, method }: Receiver,
  args: Arguments,
): Value {
  const { isLarge, language } = evaluator.module;
  const apis = language === 'python' ? PYTHON_APIS : JAVASCRIPT_APIS;
  let result: Value = NOTHING;
  let isKnown = target.funcs.length > 0;
  for (const name of target.names) {
    const special = callSpecial(evaluator, expr, name, args);
    const api = apis.get(name);
    if (special !== undefined) {
      result = join(result, special);
      isKnown = true;
    } else if (api !== undefined) {
      result = join(result, callKnownApi(evaluator, expr, name, api, receiver, args));
      isKnown = true;
    } else {
      const texts = foldTexts(name, args);
      if (texts.length > 0) result = join(result, { ...propagate(receiver, args), texts });
    }
  }
  const own =
    method === undefined ? undefined : callMethod(evaluator, expr, method, target, receiver, args);
  if (method === 'save') storeScreen(evaluator, receiver, args);
  if (own !== undefined) result = join(result, own);
  else if (!isKnown && (!isLarge || isPropagating(target, method))) {
    result = join(result, propagate(receiver, args));
  }
  const isBinding = isKnown || !isLarge || LISTENERS.has(method ?? '');
  if (target.funcs.length === 0 && method !== 'then' && isBinding) {
    bindCallbacks(evaluator, args, receiver, result);
  }
  return result;
}

/** In bundles, which contain unrelated code, an unknown function does not propagate its arguments. */
function isPropagating(target: Value, method: string | undefined): boolean {
  if (target.names.some((name) => PROPAGATING_APIS.test(name))) return true;
  return PROPAGATING_METHODS.has(method ?? '');
}

/** `image.save(buffer)`: the buffer holds the screen. */
function storeScreen(evaluator: Evaluator, receiver: Value, args: Arguments): void {
  if ((receiver.labels & SCREEN) === 0) return;
  const content = contentOf(receiver);
  for (const obj of args.list[0]?.objects ?? []) evaluator.storeField(obj, SAVED, content);
}

/** Calls the functions among the arguments with the content of the receiver and the result. */
function bindCallbacks(
  evaluator: Evaluator,
  args: Arguments,
  receiver: Value,
  result: Value,
): void {
  if (!allOf(args).some((value) => value.funcs.length > 0)) return;
  const items = itemsOf(receiver);
  const given = join(join(contentOf(receiver), result), { ...items, names: [] });
  for (const value of allOf(args)) {
    for (const func of value.funcs) evaluator.apply(func, positional(given, given, given));
  }
}
