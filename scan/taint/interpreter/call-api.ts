/** A call whose target is no function of the code: an API, or something unknown that may return its arguments. */
import { wordPattern, wordsOf } from '../../parse/word-list.ts';
import { hostOf } from '../address.ts';
import { JAVASCRIPT_APIS } from '../javascript/apis.ts';
import { PYTHON_APIS } from '../python/apis.ts';
import { isFunc, type Expr, type Func } from '../ir.ts';
import { CREDENTIAL, ENVIRONMENT, SCREEN, SEEN, TOOL_TOKEN } from '../label.ts';
import {
  HIDDEN_KEY,
  NOTHING,
  Obj,
  contentOf,
  deepContent,
  itemsOf,
  join,
  labelled,
  UNKNOWN,
  nameValue,
  newSlot,
  type Value,
  type Slot,
} from '../value.ts';
import { callHook } from './hooks.ts';
import { copyFields, objectAt, setFields } from './made-objects.ts';
import {
  TARGET,
  allOf,
  positional,
  targetOf,
  type Arguments,
  type Call,
  type Evaluator,
} from './evaluator.ts';
import { foldTexts } from './fold.ts';
import { addressesIn, callKnownApi, packedFiles, propagate } from './known-api.ts';
import { callMethod, callWith, elementsOf, entriesOf, pipe } from './methods.ts';
import { getMember } from './get-member.ts';

/** APIs that return their arguments, also in bundles. */
const PROPAGATING_APIS = wordPattern(/^WORDS/, {
  'parse and format data': ['JSON.', 'json.', 'querystring.', 'qs.', 'URL'],
  'encode and decode': ['Buffer', 'btoa', 'base64.', 'zlib.', 'urllib.parse'],
  escape: ['encodeURI', 'decodeURI', 'escape', 'unescape'],
  'list the fields of an object': [/Object\.(?:keys|values|entries|fromEntries)/],
  'convert values': ['String', 'util.', 'builtins.', 'path.'],
});

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
export function callApi(given: Call, target: Value): Value {
  const { evaluator, receiver, method } = given;
  // `with a as b`
  if (method === '__enter__') return target.funcs.length > 0 ? NOTHING : receiver;
  const shown = shownOf(given);
  const list = shown === NOTHING ? given.args.list : [...given.args.list, shown];
  const args = { ...given.args, list };
  const call = { ...given, args };
  const { isLarge, language } = evaluator.module;
  const apis = language === 'python' ? PYTHON_APIS : JAVASCRIPT_APIS;
  let result: Value = NOTHING;
  let isKnown = target.funcs.length > 0;
  let client: Value | undefined;
  for (const name of target.names) {
    const special = callSpecial(call, name);
    const api = apis.get(name) ?? apis.get(name.replace(/^(\$\w+)\..*$/, '$1.$$any'));
    if (special !== undefined) {
      result = join(result, special);
      isKnown = true;
    } else if (api !== undefined) {
      result = join(result, callKnownApi(call, name, api));
      isKnown = true;
    } else {
      if (MAKES_SIGNER.test(name)) result = join(result, nameValue(SIGNER));
      const texts = foldTexts(name, args);
      if (texts.length > 0) result = join(result, { ...propagate(receiver, args), texts });
      if (!isLarge) client = callClient(call, name) ?? client;
    }
  }
  if (target.names.length === 0 && !isLarge && SENDS_SURELY.test(method ?? ''))
    callClient(call, method!);
  const own = method === undefined ? undefined : callMethod(call, method, target);
  if (method === 'save') storeScreen(call);
  if (!isKnown && receiver.names.some((name) => name.startsWith('$') && name !== CLIENT))
    keepArguments(call);
  if (own !== undefined) result = join(result, own);
  else if (!isKnown && (!isLarge || isPropagating(target, method))) {
    // The environment of a process that is started comes back in none of its answers.
    const named = new Map([...args.named].filter(([key]) => key !== 'env' || method !== undefined));
    result = join(result, propagate(receiver, { ...args, named }));
  }
  const isBinding = isKnown || !isLarge || LISTENERS.has(method ?? '');
  if (target.funcs.length === 0 && method !== 'then' && isBinding) bindCallbacks(call, result);
  return client === undefined ? result : join(result, client);
}

/** What becomes of objects as texts: the secrets that their methods return. */
function shownOf({ evaluator, args }: Call): Value {
  let sum = NOTHING;
  for (const { fields } of allOf(args).flatMap(({ objects }) => objects)) {
    for (const name of ['__str__', '__repr__', 'toString', 'toJSON']) {
      for (const func of fields.get(name)?.funcs ?? [])
        sum = join(sum, deepContent(evaluator.apply(func, positional())));
    }
  }
  return (sum.labels & ENVIRONMENT) === 0 ? NOTHING : sum;
}

/** An object of an unknown class that sends to an address, or to a service with a key of the code's author. */
const CLIENT = '$client';
const MAKES_CLIENT =
  /client|connect|exporter|producer|transport|mail|from_url|redis|pool$|^boto3\.resource/i;
/** What a client does with data that it sends. */
const SENDS_DATA =
  /(?:^|[._])(?:send|post|put|publish|upload|capture|track|report|insert|write|push|emit|log|info|error|request|query|mutate|set|add|xadd|identify|execute)(?:$|[_A-Z.])/;
/** Of an object that is not known to be a client only these names show that it sends. */
const SENDS_SURELY = /^(?:send|post|put|patch|publish|upload|request)(?:$|[_A-Z])/;
const SENDS_FILES = /(?:^|\.)(?:f?put|fast_?put|upload|attach|send_?(?:file|document))/i;
const SETS_UP = /(?:^|\.)(?:connect|open|init|configure|login|set_?(?:api_?key|token))/i;
/** Methods that return a part of the client. */
const CHAINS =
  /\.(?:db|database|collection|table|channel|queue|topic|bucket|container|index|ref)$/i;
/** The service of a client whose key is not known yet. */
const SERVICE = `${HIDDEN_KEY}service`;

/** An object that signs with a key: a client uses it, and does not send it. */
const SIGNER = '$signer';
/** Objects in arguments that are looked at. */
const MAX_SEEN = 200;
const MAKES_SIGNER =
  /(?:from_?(?:secret|private|key|seed|mnemonic)\w{0,20}|signer|wallet|key_?pair)$/i;

/** The content of arguments without the keys of what signs; of many objects the content of all. */
function withoutSigners(args: Arguments): Value {
  let sum: Value = NOTHING;
  const waiting = [...allOf(args)];
  const seen = new Set<Value['objects'][number]>();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (one.names.includes(SIGNER)) continue;
    if (seen.size > MAX_SEEN) return propagate(NOTHING, args);
    sum = join(sum, contentOf(one));
    for (const obj of one.objects) {
      if (obj.isInstance || seen.has(obj)) continue;
      seen.add(obj);
      waiting.push(obj.rest, ...obj.fields.values());
    }
  }
  return sum;
}

/** Sends what only the user should have, or creates a client. @returns the client */
function callClient(call: Call, name: string): Value | undefined {
  const { evaluator, expr, receiver, args } = call;
  const isMethod = name.startsWith(`${CLIENT}.`);
  const makes = !isMethod && (expr.isNew === true || MAKES_CLIENT.test(name));
  const sendsFiles = SENDS_FILES.test(name);
  const sends = sendsFiles || SENDS_DATA.test(name);
  const setsUp = SETS_UP.test(name);
  if (!makes && !sends && !setsUp) return CHAINS.test(name) && isMethod ? receiver : undefined;
  const all = allOf(args);
  const own = isMethod ? targetOf(receiver, SERVICE).texts : serviceOf(name);
  const account = (makes || setsUp) && (hasKey(all) || AMAZON.test(name)) ? own : [];
  const hosts = makes || setsUp ? hostsWithPort(all, name.endsWith('.connect')) : [];
  const known = isMethod ? targetOf(receiver).texts : [];
  const given = [...account, ...hosts, ...(known.length === 0 || setsUp ? addressesIn(all) : [])];
  const texts = [...known, ...given];
  if (setsUp && isMethod)
    for (const obj of receiver.objects)
      evaluator.storeField(obj, TARGET, { ...NOTHING, texts: given });
  let content = makes || setsUp ? hooked(evaluator, all) : NOTHING;
  // The walk is needed only where something is sent to.
  if (sends && texts.length > 0) content = join(content, withoutSigners(args));
  if (sendsFiles) content = join(content, packedFiles(call));
  if ((content.labels & (ENVIRONMENT | CREDENTIAL | TOOL_TOKEN)) !== 0 && texts.length > 0) {
    const operand = { ...NOTHING, texts };
    evaluator.record(expr, { action: 'send', api: name, operand, content, args: args.list });
  }
  // `mixpanel.init(key)` returns a client.
  const isMade = makes || (!isMethod && account.length > 0);
  if (!isMade || (texts.length === 0 && !MAKES_CLIENT.test(name))) return undefined;
  const obj = objectAt(evaluator, expr);
  evaluator.storeField(obj, TARGET, { ...NOTHING, texts });
  evaluator.storeField(obj, SERVICE, { ...NOTHING, texts: own });
  return { ...nameValue(CLIENT), objects: [obj] };
}

/** Services that take what an account sends, by the names of their packages. */
const SERVICES =
  /(?:^|[@/._-])(rollbar|sendgrid|mailgun|postmark|resend|mailjet|sparkpost|bugsnag|honeybadger|airbrake|raygun|posthog|mixpanel|amplitude|segment|logtail|logdna|loggly|datadog|airtable|dropbox|pusher|ably|pubnub|twilio|notion)/i;

/** Their clients name a bucket and no address. */
const AMAZON = /^(?:boto3|aws-sdk|@aws-sdk)\b/;

function serviceOf(name: string): string[] {
  if (AMAZON.test(name)) return ['https://s3.amazonaws.com/'];
  const service = SERVICES.exec(name)?.[1];
  return service === undefined ? [] : [`https://${service.toLowerCase()}.com/`];
}

/** Whether a key stands in the code: then the account is that of its author. */
function hasKey(all: readonly Value[]): boolean {
  const fields = all.flatMap(({ objects }) => objects.flatMap((obj) => [...obj.fields]));
  const named = fields.flatMap(([key, { texts }]) => (KEY_OPTION.test(key) ? texts : []));
  return [...named, ...all.flatMap(({ texts }) => texts)].some((text) => KEY.test(text));
}

const KEY_OPTION = /key|token|secret|auth/i;
const KEY = /^[\w.:+/=-]{16,200}$/;

/** `connect('host.example', 22)`, `Transport(('host.example', 22))` */
function hostsWithPort(all: readonly Value[], isConnect: boolean): string[] {
  const lists = [all, ...all.flatMap(({ objects }) => objects.map((o) => [...o.fields.values()]))];
  return lists.flatMap(([host = NOTHING, port = NOTHING], at) => {
    const isHost = (at === 0 && isConnect) || port.texts.some((text) => /^\d{2,5}$/.test(text));
    return isHost ? host.texts.filter((t) => hostOf(t) !== undefined).map((t) => `//${t}/`) : [];
  });
}

/** What functions in options return, or put into what they are given: `beforeSend(event) { ... }`. */
function hooked(evaluator: Evaluator, all: readonly Value[]): Value {
  const options = all.flatMap(({ objects }) => objects.flatMap((o) => [...o.fields.values()]));
  let sum = NOTHING;
  for (const { params, result } of options.flatMap((option) => option.funcs).filter(isFunc)) {
    const [given] = params;
    if (given?.value === undefined && given !== undefined)
      evaluator.store(given, { ...NOTHING, objects: [new Obj()] });
    for (const { value = NOTHING } of given === undefined ? [result] : [result, given])
      sum = join(sum, deepContent(value));
  }
  return sum;
}

/** In bundles, which contain unrelated code, an unknown function does not propagate its arguments. */
function isPropagating(target: Value, method: string | undefined): boolean {
  if (target.names.some((name) => PROPAGATING_APIS.test(name))) return true;
  return PROPAGATING_METHODS.has(method ?? '');
}

/** `message.set_content(text)`: what an object of an API is given, it holds. */
function keepArguments({ evaluator, receiver, args }: Call): void {
  const content = propagate(NOTHING, args);
  if (content === NOTHING) return;
  for (const obj of receiver.objects) evaluator.storeField(obj, undefined, content);
}

/** `image.save(buffer)`: the buffer holds the screen. */
function storeScreen({ evaluator, receiver, args }: Call): void {
  if ((receiver.labels & SCREEN) === 0) return;
  const content = contentOf(receiver);
  for (const obj of args.list[0]?.objects ?? []) evaluator.storeField(obj, SAVED, content);
}

/** Calls the functions among the arguments with the content of the receiver and the result. */
function bindCallbacks({ evaluator, args, receiver }: Call, result: Value): void {
  if (!allOf(args).some((value) => value.funcs.length > 0)) return;
  const items = itemsOf(receiver);
  const given = join(join(contentOf(receiver), result), { ...items, names: [] });
  for (const value of allOf(args)) {
    for (const func of value.funcs) evaluator.apply(func, positional(given, given, given));
  }
}

const LOADS = /^(?:require|import|(?:builtins\.)?__import__|importlib\.import_module)$/;
/** They return what they get. */
const PASSES =
  /^(?:Promise\.(?:all|allSettled|any|race|resolve)|Array\.from|(?:Object|Reflect)\.getPrototypeOf|asyncio\.(?:gather|run))$/;

/** The result of a call of the API `name`; `undefined` when it is not special. */
function callSpecial(call: Call, name: string): Value | undefined {
  const { evaluator, expr, args } = call;
  const [first = NOTHING, second = NOTHING, third = NOTHING] = args.list;
  if (LOADS.test(name)) return load(call, name);
  if (PASSES.test(name)) return first;
  if (FINDS_FIELD.test(name) && first.texts.some((text) => SECRET_FIELD.test(text)))
    return field(call);
  switch (name) {
    case 'builtins.globals':
    case 'builtins.locals':
    case 'builtins.vars':
      return args.list.length === 0 ? nameValue('$globals') : first;
    case 'builtins.setattr':
      for (const obj of first.objects) evaluator.storeField(obj, second.texts[0], third);
      return NOTHING;
    case 'functools.partial':
      return callPartial(call);
    case 'types.SimpleNamespace':
      return setFields(evaluator, { ...NOTHING, objects: [objectAt(evaluator, expr)] }, args);
    case 'builtins.getattr':
    case 'Reflect.get':
      return getMember(evaluator, expr, first, second);
    case 'Reflect.apply':
      return callWith(call, first, elementsOf(third));
    case 'Reflect.construct':
      return callWith(call, first, elementsOf(second));
    case 'axios.interceptors.request.use':
    case 'axios.interceptors.response.use':
      callHook(evaluator, expr, [name], first);
      return undefined;
    case 'Promise':
      return callPromise(call);
    case 'stream.pipeline':
    case 'stream/promises.pipeline':
    case 'pump':
      return args.list.reduce((from, into) => pipe(call, from, into), NOTHING);
    case 'addEventListener':
    case 'document.addEventListener':
      callHook(evaluator, expr, [`on${first.texts[0] ?? ''}`], second);
      return undefined;
    case 'worker_threads.parentPort.on':
    case 'worker_threads.parentPort.once':
    case 'chrome.runtime.onMessage.addListener':
      evaluator.storeField(evaluator.channel, undefined, {
        ...NOTHING,
        funcs: [...first.funcs, ...second.funcs],
      });
      return undefined;
    case 'Object.defineProperty':
      // What any code stores under this name in any object.
      if (first.names.includes('Object.prototype'))
        for (const func of third.objects.flatMap(({ fields }) => fields.get('set')?.funcs ?? []))
          evaluator.apply(func, positional(seenBy(call, name)));
      return undefined;
    case 'document.write':
    case 'document.writeln':
      evaluator.record(expr, { action: 'print', api: '$page', operand: first });
      return NOTHING;
    case 'FormData': {
      if (args.list.length === 0) return undefined;
      const objects = [objectAt(evaluator, expr)];
      return { ...seenBy(call, name), names: ['$store'], objects };
    }
    case '$field.val':
    case '$field.serialize':
      return seenBy(call, '$field.value');
    case '$worker.postMessage':
    case 'chrome.runtime.sendMessage':
    case 'chrome.tabs.sendMessage':
      for (const func of evaluator.channel.rest.funcs) evaluator.apply(func, positional(first));
      return undefined;
    case 'Object.entries':
      return first.objects.length === 0 ? undefined : entriesOf(call, first);
    case 'Object.assign':
      for (const obj of first.objects) {
        for (const source of args.list.slice(1)) {
          copyFields(evaluator, obj, source);
          evaluator.storeField(obj, undefined, contentOf(source));
        }
      }
      return first;
    case 'builtins.map':
      return join(contentOf(second), callWith(call, first, [itemsOf(second)]));
    case 'threading.Thread':
    case 'multiprocessing.Process':
    case '_thread.start_new_thread':
    case 'atexit.register':
      start(call);
      return NOTHING;
    default:
      return undefined;
  }
}

const FINDS_FIELD =
  /^(?:\$|document\.(?:getElementById|getElementsBy(?:Tag)?Name|querySelector(?:All)?))$/;
/** The fields of a form by which a user pays or logs in, or all of them. */
const SECRET_FIELD =
  /pass(?:w|\b)|\bpwd\b|card|cv[vcn]|(?<![a-z])cc(?![a-z])|seed|mnemonic|^(?:form|input|textarea)\b/i;

/** An element that a page shows, or a list of them. */
function field({ evaluator, expr }: Call): Value {
  const obj = objectAt(evaluator, expr);
  evaluator.storeField(obj, undefined, nameValue('$field'));
  return { ...nameValue('$field'), objects: [obj] };
}

/** What a page or a program of others shows to the code. */
function seenBy({ evaluator, expr }: Call, what: string): Value {
  return labelled({ path: evaluator.module.path, at: expr.at, label: SEEN, what });
}

function load({ evaluator, expr, args: { list } }: Call, api: string): Value {
  const [operand = NOTHING] = list;
  evaluator.record(expr, { action: 'load', api, operand, args: list });
  return operand.texts
    .filter((text) => !text.includes(UNKNOWN))
    .reduce((sum, text) => join(sum, evaluator.importOf(text, 0)), contentOf(operand));
}

/** Starts a function with a list of arguments: `Thread(target=f, args=(a,))`. */
function start(call: Call): void {
  const { list, named } = call.args;
  const started = named.get('target') ?? list[0] ?? NOTHING;
  const given = named.get('args') ?? list[1] ?? NOTHING;
  callWith(call, started, elementsOf(given));
}

/** `new Promise((resolve) => ...)`: what the executor resolves is the value of the promise. */
function callPromise({ evaluator, expr, args }: Call): Value {
  const { func, slot } = keeperOf(expr);
  const resolve = { ...NOTHING, funcs: [func] };
  for (const executor of args.list[0]?.funcs ?? [])
    evaluator.apply(executor, positional(resolve, resolve));
  return slot.value ?? NOTHING;
}

/** `partial(f, a)`: a function that adds its own arguments to those that `f` is given. */
function callPartial(call: Call): Value {
  const { evaluator, expr, args: own } = call;
  const { func, slot } = keeperOf(expr);
  const [target = NOTHING, ...given] = own.list;
  const args = { ...own, list: [...given, slot.value ?? NOTHING] };
  const plain = { ...call, args, receiver: NOTHING, method: undefined };
  let result = evaluator.callApi(plain, target);
  for (const one of target.funcs) result = join(result, evaluator.apply(one, args));
  evaluator.store(func.result, result);
  return { ...NOTHING, funcs: [func] };
}

/** A function that keeps its arguments in `slot`. */
function keeperOf(expr: Expr): { readonly func: Func; readonly slot: Slot } {
  let known = KEEPERS.get(expr);
  if (known === undefined) {
    const slot = newSlot();
    const [self, result] = [newSlot(), newSlot()];
    const func: Func = { params: [slot], rest: slot, named: new Map(), body: [], self, result };
    KEEPERS.set(expr, (known = { func, slot }));
  }
  return known;
}

const KEEPERS = new WeakMap<Expr, ReturnType<typeof keeperOf>>();
