/**
 * Functions of the code that get the requests of others, because they replace a function of the network or intercept its calls.
 *
 *     https.request = function (options) { send(options.headers) }
 */
import type { Expr } from '../ir.ts';
import { SEEN } from '../label.ts';
import { NOTHING, join, labelled, nameValue, type Value } from '../value.ts';
import { positional, type Evaluator } from './evaluator.ts';
import { objectAt } from './made-objects.ts';

/** They get the options of a request, or the configuration of one. */
const TAKES_OPTIONS =
  /^(?:fetch|http\.(?:request|get)|axios(?:\.[a-z]+)?|axios\.interceptors\.\w+\.use|requests\.Session\.(?:send|request))$/;
/** They get a part of what is sent. */
const TAKES_TEXT =
  /^(?:XMLHttpRequest|WebSocket|http\.(?:ClientRequest|OutgoingMessage))\.prototype\.(?:send|write|end|set(?:Request)?Header)$/;

/** They get what is typed. */
const TAKES_KEYS = /^(?:document\.)?onkey(?:down|press|up)$/;

/** Calls the functions in `hook`, which replaces or intercepts the API with one of `names`, with what others pass to it. */
export function callHook(
  evaluator: Evaluator,
  expr: Expr,
  names: readonly string[],
  { funcs }: Value,
): void {
  if (names.some((name) => TAKES_KEYS.test(name)))
    for (const func of funcs) evaluator.apply(func, positional(nameValue('KeyboardEvent')));
  const what = names.find((name) => TAKES_OPTIONS.test(name) || TAKES_TEXT.test(name));
  if (what === undefined || funcs.length === 0) return;
  const { path } = evaluator.module;
  const content = labelled({ path, at: expr.at, label: SEEN, what });
  const obj = objectAt(evaluator, expr);
  const options = { ...NOTHING, objects: [obj] };
  for (const key of ['headers', 'body', 'data', 'auth']) evaluator.storeField(obj, key, content);
  // A rest parameter, and the answer to the request.
  for (const key of ['0', '1', 'config']) evaluator.storeField(obj, key, options);
  const given = TAKES_TEXT.test(what) ? join(content, options) : options;
  for (const func of funcs) evaluator.apply(func, positional(given, given));
}
