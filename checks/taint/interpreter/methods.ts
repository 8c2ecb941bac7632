/** Methods of texts, lists and promises, by name: what they give is made from the object and the arguments. */
import type { Arguments } from './arguments.ts';
import { objectAt } from './inline.ts';
import { NOBODY, allOf, targetOf } from './arguments.ts';
import type { Expr } from '../ir.ts';
import { foldMethod } from './fold.ts';
import type { Interpreter } from './interpreter.ts';
import { FETCHED } from '../label.ts';
import { UNKNOWN, NOTHING, contentOf, deepContent, joined, textValue } from '../value.ts';
import type { Value } from '../value.ts';

type Call = Extract<Expr, { op: 'call' }>;

const MAX_SPLIT = 2_000;

/** What the method gives; `undefined` when it is none of these. */
export function callMethod(
  to: Interpreter,
  expr: Call,
  method: string,
  target: Value,
  receiver: Value,
  args: Arguments,
): Value | undefined {
  const [first = NOTHING, second = NOTHING] = args.list;
  switch (method) {
    case 'then':
    case 'catch':
    case 'finally': {
      // What a callback gives takes the place of what it got.
      let sum = method === 'then' && allOf(args).length > 0 ? NOTHING : receiver;
      for (const func of [...first.funcs, ...second.funcs]) {
        sum = joined(sum, to.apply(func, { list: [receiver], named: new Map() }));
      }
      // `.then(eval)`
      if (first.names.length > 0) {
        const list = [receiver];
        sum = joined(sum, to.callNamed(expr, first, NOBODY, { list, named: new Map() }));
      }
      return first.funcs.length + first.names.length === 0 ? receiver : sum;
    }
    case 'call':
    case 'apply': {
      if (receiver.funcs.length === 0 && receiver.names.length === 0) return undefined;
      const list =
        method === 'call'
          ? args.list.slice(1)
          : [...(second.objects[0]?.fields.values() ?? [second])];
      let sum = to.callNamed(expr, receiver, NOBODY, { list, named: new Map() });
      for (const func of receiver.funcs)
        sum = joined(sum, to.apply(func, { list, named: new Map() }));
      return sum;
    }
    case 'bind':
      return receiver.funcs.length > 0 || receiver.names.length > 0 ? receiver : undefined;
    case 'push':
    case 'unshift':
    case 'append':
    case 'extend':
    case 'add':
    case 'set':
    case 'insert':
    case 'update': {
      if (receiver.objects.length === 0) return undefined;
      const value = allOf(args).reduce((sum, one) => joined(sum, one), NOTHING);
      for (const obj of receiver.objects) {
        if (method === 'set' && first.texts.length === 1)
          to.storeField(obj, first.texts[0], second);
        else to.storeField(obj, undefined, value);
      }
      return receiver;
    }
    case 'join':
      return joinedList(receiver, first, to.module.language === 'python');
    case 'split':
      return split(to, expr, receiver, first);
    case 'reverse':
      return reversed(to, expr, receiver);
    case 'map':
    case 'flatMap': {
      const items = to.itemsOf(receiver);
      const obj = objectAt(to, expr);
      for (const func of first.funcs) {
        to.storeField(obj, undefined, to.apply(func, { list: [items], named: new Map() }));
      }
      if (first.names.length > 0) {
        const mapped = to.callNamed(expr, first, NOBODY, { list: [items], named: new Map() });
        to.storeField(obj, undefined, mapped);
      }
      return { ...contentOf(receiver), objects: [obj] };
    }
    case 'reduce': {
      const items = joined(to.itemsOf(receiver), second);
      let sum = contentOf(items);
      for (const func of first.funcs) {
        sum = joined(sum, to.apply(func, { list: [joined(items, sum), items], named: new Map() }));
      }
      return sum;
    }
    case 'get':
    case 'shift':
    case 'pop': {
      if (receiver.objects.length === 0 || receiver.names.length > 0) return undefined;
      const [key] = first.texts;
      const known = receiver.objects.map((obj) =>
        key === undefined ? undefined : obj.fields.get(key),
      );
      const found = known.reduce<Value>(
        (sum, one) => (one === undefined ? sum : joined(sum, one)),
        NOTHING,
      );
      return found === NOTHING ? to.itemsOf(receiver) : found;
    }
    case 'pipe':
      return pipe(to, expr, receiver, first);
    case 'toString':
      return asText(receiver, first);
    case 'indexOf':
    case 'lastIndexOf':
    case 'includes':
    case 'startsWith':
    case 'endsWith':
    case 'startswith':
    case 'endswith':
    case 'test':
    case 'has':
    case 'hasOwnProperty':
    case 'localeCompare':
    case 'search':
    case 'some':
    case 'every':
      // Yes, no or a number: nothing of the text.
      return target.funcs.length > 0 ? undefined : NOTHING;
    case 'slice':
    case 'substring':
    case 'substr':
    case 'charAt':
    case 'charCodeAt':
    case 'codePointAt':
    case 'at':
    case '$slice':
      if (target.funcs.length > 0) return undefined;
      return (
        folded(receiver, method, args) ?? { ...contentOf(receiver), objects: receiver.objects }
      );
    default:
      return folded(receiver, method, args);
  }
}

/** `Buffer.toString('base64')` keeps what is in it; on constant texts it changes nothing that matters. */
function asText(receiver: Value, encoding: Value): Value | undefined {
  const isEncoded = encoding.texts.some((t) => t === 'base64' || t === 'hex');
  const content = deepContent(receiver);
  return { ...content, texts: isEncoded ? [] : receiver.texts };
}

function folded(receiver: Value, method: string, args: Arguments): Value | undefined {
  if (receiver.texts.length === 0) return undefined;
  const given = args.list.map((value) => value.texts[0]);
  const texts = receiver.texts.map((text) => foldMethod(text, method, given));
  const known = texts.filter((t) => t !== undefined);
  if (known.length === 0) return undefined;
  const content = allOf(args).reduce(
    (sum, one) => joined(sum, deepContent(one)),
    contentOf(receiver),
  );
  return { ...content, texts: known };
}

function joinedList(receiver: Value, separator: Value, isPython: boolean): Value | undefined {
  // Python joins the list that the separator is given.
  const list = isPython ? separator : receiver;
  const between = (isPython ? receiver : separator).texts[0] ?? ',';
  const [obj] = list.objects;
  if (obj === undefined) return undefined;
  const content = joined(deepContent(list), contentOf(receiver));
  const texts: string[] = [];
  for (let index = 0; index < obj.fields.size; index += 1) {
    const field = obj.fields.get(String(index));
    if (field === undefined) break;
    texts.push(field.texts[0] ?? UNKNOWN);
  }
  if (texts.length === 0) return content;
  return { ...content, texts: textValue(texts.join(between)).texts };
}

function split(to: Interpreter, expr: Call, receiver: Value, separator: Value): Value | undefined {
  const [text] = receiver.texts;
  const [by] = separator.texts;
  if (text === undefined || by === undefined || text.includes(UNKNOWN)) return undefined;
  const parts = text.split(by);
  if (parts.length > MAX_SPLIT) return undefined;
  const obj = objectAt(to, expr);
  parts.forEach((part, index) => {
    to.storeField(obj, String(index), textValue(part));
  });
  return { ...contentOf(receiver), objects: [obj] };
}

function reversed(to: Interpreter, expr: Call, receiver: Value): Value | undefined {
  const [from] = receiver.objects;
  if (from === undefined) return undefined;
  const obj = objectAt(to, expr);
  if (obj === from) return receiver;
  const count = from.fields.size;
  for (const [key, field] of from.fields) {
    const index = /^\d+$/.test(key) ? String(count - 1 - Number(key)) : undefined;
    to.storeField(obj, index, field);
  }
  to.storeField(obj, undefined, from.rest);
  return { ...contentOf(receiver), objects: [obj] };
}

function pipe(to: Interpreter, expr: Call, receiver: Value, into: Value): Value | undefined {
  const content = deepContent(receiver);
  const operand = targetOf(into);
  const note = (action: 'send' | 'write' | 'feed', api: string): void => {
    to.note(expr, { action, api, operand, content, args: [into] });
  };
  for (const name of into.names) {
    if (name === '$file') note('write', '$file.pipe');
    else if (name === '$socket' || name === '$request') note('send', `${name}.pipe`);
    else if (name.startsWith('$child.stdin')) {
      to.note(expr, { action: 'feed', api: '$child.stdin.pipe', operand, content, args: [into] });
    }
  }
  if (
    receiver.names.some((n) => n === '$socket' || n.startsWith('$response')) &&
    content === NOTHING
  ) {
    return { ...NOTHING, labels: FETCHED };
  }
  return joined(into, content);
}
