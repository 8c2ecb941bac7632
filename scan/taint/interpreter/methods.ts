/** Methods of texts, lists and promises by name; their results come from the receiver and the arguments. */
import { wordsOf } from '../../parse/word-list.ts';
import { ENCODED, FETCHED } from '../label.ts';
import {
  HIDDEN_KEY,
  NOTHING,
  Obj,
  UNKNOWN,
  contentOf,
  deepContent,
  itemsOf,
  join,
  nameValue,
  textValue,
  type Value,
} from '../value.ts';
import { objectAt } from './made-objects.ts';
import { TARGET, allOf, positional, targetOf, type Arguments, type Call } from './evaluator.ts';
import { foldMethod } from './fold.ts';
import { pathOf, propagate } from './known-api.ts';

const MAX_SPLIT = 2_000;
/** Keys of an object that a loop over it is followed with. */
const MAX_KEYS = 20;
const PAIR = `${HIDDEN_KEY}pair`;
const ADDS = new Set(wordsOf(['push unshift append extend add insert update']));
/** A boolean or a number reveals nothing of the text. */
const ASKS = new Set(
  wordsOf([
    'indexOf lastIndexOf includes startsWith endsWith startswith endswith test has hasOwnProperty',
    'localeCompare search some every',
  ]),
);
const PATH_METHODS = new Set(
  wordsOf(['read_text read_bytes write_text write_bytes open unlink rmdir glob rglob iterdir']),
);
const SLICES = new Set(wordsOf(['slice substring substr charAt charCodeAt codePointAt at $slice']));

/** The result of the method; `undefined` when it is not known here. */
export function callMethod(call: Call, method: string, target: Value): Value | undefined {
  const { evaluator, expr, receiver, args } = call;
  const [first = NOTHING, second = NOTHING] = args.list;
  switch (ADDS.has(method) ? 'push' : method) {
    case 'then':
    case 'catch':
    case 'finally': {
      // The result of the callback replaces its argument.
      if (first.funcs.length + first.names.length === 0) return receiver;
      const kept = method === 'then' ? NOTHING : receiver;
      return join(kept, callWith(call, join(first, second), [receiver]));
    }
    case 'call':
    case 'apply': {
      if (receiver.funcs.length === 0 && receiver.names.length === 0) return undefined;
      const list = method === 'call' ? args.list.slice(1) : elementsOf(second);
      return callWith(call, receiver, list);
    }
    case 'joinpath':
      return pathOf([receiver, ...args.list]);
    case 'bind':
      return receiver.funcs.length > 0 || receiver.names.length > 0 ? receiver : undefined;
    case 'push':
    case 'set': {
      if (receiver.objects.length === 0) return undefined;
      const value = allOf(args).reduce((sum, one) => join(sum, one), NOTHING);
      for (const obj of receiver.objects) {
        if (method === 'set' && first.texts.length === 1)
          evaluator.storeField(obj, first.texts[0], second);
        else evaluator.storeField(obj, undefined, value);
      }
      return receiver;
    }
    case 'join':
      return joinItems(receiver, first, evaluator.module.language === 'python');
    case 'split':
      return split(call, first);
    case 'reverse':
      return reverse(call);
    case 'map':
    case 'flatMap': {
      const items = itemsOf(receiver);
      const obj = objectAt(evaluator, expr);
      evaluator.storeField(obj, undefined, callWith(call, first, [items]));
      return { ...contentOf(receiver), objects: [obj] };
    }
    case 'items':
    case 'entries':
      return receiver.objects.length === 0 ? undefined : entriesOf(call, receiver);
    case 'filter':
    case 'sort':
      if (receiver.objects.length === 0) return undefined;
      return { ...contentOf(receiver), objects: receiver.objects };
    case 'reduce': {
      const items = join(itemsOf(receiver), second);
      let sum = contentOf(items);
      for (const func of first.funcs) {
        sum = join(sum, evaluator.apply(func, positional(join(items, sum), items)));
      }
      return sum;
    }
    case 'get':
    case 'shift':
    case 'pop': {
      if (receiver.objects.length === 0 || receiver.names.some((name) => !name.startsWith('$')))
        return undefined;
      const [key] = first.texts;
      const found = key === undefined ? NOTHING : targetOf(receiver, key);
      return found === NOTHING ? itemsOf(receiver) : found;
    }
    case 'on':
    case 'once':
    case 'addListener': {
      const listeners = { ...NOTHING, funcs: second.funcs };
      for (const obj of receiver.objects) evaluator.storeField(obj, eventKey(first), listeners);
      return undefined;
    }
    case 'emit': {
      const listeners = receiver.objects.flatMap(
        (obj) => obj.fields.get(eventKey(first))?.funcs ?? [],
      );
      for (const func of listeners) evaluator.apply(func, positional(...args.list.slice(1)));
      return undefined;
    }
    case 'pipe':
      return pipe(call, receiver, first);
    case 'toString':
      return asText(receiver, first);
    default:
      // A path that `/` made of texts.
      if (PATH_METHODS.has(method) && receiver.texts.length > 0 && receiver.names.length === 0) {
        const obj = objectAt(evaluator, expr);
        evaluator.storeField(obj, TARGET, receiver);
        const value = { ...nameValue('$file'), objects: [obj] };
        return evaluator.callApi({ ...call, receiver: value }, nameValue(`$file.${method}`));
      }
      if (ASKS.has(method)) return target.funcs.length > 0 ? undefined : NOTHING;
      if (!SLICES.has(method)) return fold(receiver, method, args);
      if (target.funcs.length > 0) return undefined;
      return fold(receiver, method, args) ?? { ...contentOf(receiver), objects: receiver.objects };
  }
}

/** The result of a call of `target`, which may be functions of the code and APIs. */
export function callWith(call: Call, target: Value, list: readonly Value[]): Value {
  const args = positional(...list);
  const plain = { ...call, args, receiver: NOTHING, method: undefined };
  let sum = target.names.length > 0 ? call.evaluator.callApi(plain, target) : NOTHING;
  for (const func of target.funcs) sum = join(sum, call.evaluator.apply(func, args));
  return sum;
}

/** The elements of a list; the value itself when it is none. */
export function elementsOf(value: Value): readonly Value[] {
  return value.objects.length === 0 ? [value] : [...value.objects[0]!.fields.values()];
}

/** The field of an object that holds the listeners of an event. */
function eventKey(event: Value): string {
  return `${HIDDEN_KEY}on ${event.texts[0] ?? UNKNOWN}`;
}

/** `buffer.toString('base64')` keeps the content; other encodings keep constant texts too. */
function asText(receiver: Value, encoding: Value): Value | undefined {
  const content = deepContent(receiver);
  if (!encoding.texts.some((t) => /^(?:base64(?:url)?|hex)$/.test(t)))
    return { ...content, texts: receiver.texts };
  return content.labels === 0 ? content : { ...content, labels: content.labels | ENCODED };
}

function fold(receiver: Value, method: string, args: Arguments): Value | undefined {
  if (receiver.texts.length === 0) return undefined;
  const given = args.list.map((value) => value.texts[0]);
  const texts = receiver.texts.map((text) => foldMethod(text, method, given));
  const known = texts.filter((t) => t !== undefined);
  if (known.length === 0) return undefined;
  return { ...propagate(contentOf(receiver), args), texts: known };
}

/** The list of the keys of objects, each with the values. */
export function entriesOf({ evaluator, expr }: Call, whole: Value): Value {
  const list = objectAt(evaluator, expr);
  const [pair = new Obj()] = list.fields.get(PAIR)?.objects ?? [];
  const keys = whole.objects.flatMap(({ fields }) => [...fields.keys()].slice(0, MAX_KEYS));
  for (const key of keys)
    if (!key.startsWith(HIDDEN_KEY)) evaluator.storeField(pair, '0', textValue(key));
  evaluator.storeField(pair, '1', itemsOf(whole));
  evaluator.storeField(list, PAIR, { ...NOTHING, objects: [pair] });
  evaluator.storeField(list, undefined, { ...NOTHING, objects: [pair] });
  return { ...contentOf(whole), objects: [list] };
}

function joinItems(receiver: Value, separator: Value, isPython: boolean): Value | undefined {
  // In Python the separator is the receiver: `','.join(list)`.
  const list = isPython ? separator : receiver;
  const between = (isPython ? receiver : separator).texts[0] ?? ',';
  const [obj] = list.objects;
  if (obj === undefined) return undefined;
  const content = join(deepContent(list), contentOf(receiver));
  const texts: string[] = [];
  for (let index = 0; index < obj.fields.size; index += 1) {
    const field = obj.fields.get(String(index));
    if (field === undefined) break;
    texts.push(field.texts[0] ?? UNKNOWN);
  }
  if (texts.length === 0) return content;
  return { ...content, texts: textValue(texts.join(between)).texts };
}

function split({ evaluator, expr, receiver }: Call, separator: Value): Value | undefined {
  const [text] = receiver.texts;
  const [by] = separator.texts;
  if (text === undefined || by === undefined || text.includes(UNKNOWN)) return undefined;
  const parts = text.split(by);
  if (parts.length > MAX_SPLIT) return undefined;
  const obj = objectAt(evaluator, expr);
  parts.forEach((part, at) => evaluator.storeField(obj, String(at), textValue(part)));
  return { ...contentOf(receiver), objects: [obj] };
}

function reverse({ evaluator, expr, receiver }: Call): Value | undefined {
  const [from] = receiver.objects;
  if (from === undefined) return undefined;
  const obj = objectAt(evaluator, expr);
  if (obj === from) return receiver;
  const count = from.fields.size;
  for (const [key, field] of from.fields) {
    const index = /^\d+$/.test(key) ? String(count - 1 - Number(key)) : undefined;
    evaluator.storeField(obj, index, field);
  }
  evaluator.storeField(obj, undefined, from.rest);
  return { ...contentOf(receiver), objects: [obj] };
}

/** Also `pipeline(from, ..., into)`. */
export function pipe({ evaluator, expr }: Call, receiver: Value, into: Value): Value {
  const content = deepContent(receiver);
  const operand = targetOf(into);
  const record = (action: 'send' | 'write' | 'feed', api: string): void => {
    evaluator.record(expr, { action, api, operand, content, args: [into] });
  };
  for (const name of into.names) {
    if (name === '$file') record('write', '$file.pipe');
    else if (name === '$socket' || name === '$request') record('send', `${name}.pipe`);
    else if (name.startsWith('$child.stdin')) record('feed', '$child.stdin.pipe');
  }
  const isFetched = receiver.names.some((n) => n === '$socket' || n.startsWith('$response'));
  return isFetched && content === NOTHING ? { ...NOTHING, labels: FETCHED } : join(into, content);
}
