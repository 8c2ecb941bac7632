/** The call of an API of a table: records its fact, and computes its result from the description. */
import type { Api } from '../api.ts';
import { addressesBelow, isAddressLike, placeOf } from '../address.ts';
import * as labels from '../label.ts';
import { TOOL_FOLDER, labelOfCommand, labelOfPath } from '../secret-paths.ts';
import {
  NOTHING,
  UNKNOWN,
  contentOf,
  deepContent,
  deepTexts,
  join,
  labelled,
  textValue,
  type Value,
} from '../value.ts';
import { objectAt } from './made-objects.ts';
import { TARGET, allOf, targetOf, type Arguments, type Call } from './evaluator.ts';
import { foldTexts } from './fold.ts';
import { variableAt } from './get-member.ts';

/** Their result is the home folder, `~` in paths. */
const HOMES = new Set(['os.homedir', 'os-homedir', 'pathlib.Path.home']);

/** An object with more fields is data, not options. */
const MAX_OPTIONS = 100;

/** Options that control a request and are not sent. */
const UNSENT = new Set(['env', 'agent', 'proxy', 'dispatcher', 'signal', 'ca', 'cwd', 'timeout']);

const LOGGING = 'logging';

/** Each call makes a file with a name of its own. */
const TEMPORARY = /^tempfile\.(?:mk[sd]?temp|NamedTemporaryFile)$/;

/** Characters of an operand that evidence shows. */
const MAX_SHOWN = 120;

/** The result of the API `name`. */
export function callKnownApi(call: Call, name: string, api: Api): Value {
  const { evaluator, expr, receiver, args } = call;
  const all = allOf(args);
  const isTemporary = TEMPORARY.test(name);
  const operand = isTemporary ? textValue(`${UNKNOWN}/temporary-${expr.at}`) : operandOf(api, call);
  // A log that goes nowhere else.
  const isSilent = name.startsWith('$logger.') && operand.texts.length === 0;
  if (isSilent) return propagate(receiver, args);
  if (api.isDeep === true && name.startsWith('$'))
    for (const obj of receiver.objects) evaluator.storeField(obj, TARGET, operand);
  // What the configuration of all loggers names.
  if (/^logging\.\w*\.?\w*Config$/.test(name))
    evaluator.storeField(evaluator.disk, LOGGING, operand);
  const packed = api.packs === true ? packedFiles(call) : NOTHING;
  if (packed !== NOTHING)
    for (const obj of receiver.objects) evaluator.storeField(obj, undefined, packed);
  if (api.sink !== undefined && !isTimerOfFunction(name, operand)) {
    const own = api.isOwnContent === true ? [receiver] : all;
    const given =
      api.content === undefined
        ? sentContent(own, api.sink)
        : deepContent(args.list[api.content] ?? NOTHING);
    const content = join(given, packed);
    const isToTarget = api.isOnTarget === true || api.host !== undefined;
    const plain = isToTarget ? args.list : args.list.toSpliced(api.operand ?? 0, 1);
    const isAll = api.content === undefined && api.isOwnContent !== true;
    const sent = (): Value => plain.map(contentOf).reduce(join, bodyOf(args.list, args.named));
    const body = api.sink === 'send' ? join(isAll ? sent() : given, packed) : inputOf(args);
    const recorded = { action: api.sink, api: name, operand };
    if (api.sink !== 'print' || (content.labels & labels.ENCODED) !== 0)
      evaluator.record(expr, { ...recorded, content, body, args: args.list });
  }
  if (api.isGlob === true) return matching(call);
  if (api.sink === 'variable') return variableOf(call, name, operand);
  if (api.returns !== undefined) {
    const given = args.list[api.returns] ?? NOTHING;
    if (/(?:^|\.)Request$/.test(name)) return requestOf(call, api.returns);
    // `new URL(path, base)`
    const same = returned(name === 'URL' ? withBase(given, args.list[1] ?? NOTHING) : given, all);
    if (api.result === undefined) return same;
    return { ...same, names: [api.result], objects: [...same.objects, objectAt(evaluator, expr)] };
  }
  // A response, the content of a file and the output of a program do not contain the request.
  const isSanitizer =
    api.isSanitizer === true || (api.sink !== undefined && api.source !== undefined);
  let result = contentOf(isSanitizer ? receiver : propagate(receiver, args));
  result = join(result, sourceOf(call, name, api, operand));
  if (api.sink === 'read') {
    for (const text of operand.texts.flatMap((one) => [one, one.replace(ARCHIVE_NAME, '')]))
      result = join(result, evaluator.disk.fields.get(`/${text}`) ?? NOTHING);
  }
  const texts = api.joins === true ? operand.texts : foldTexts(name, args);
  if (HOMES.has(name)) result = { ...result, texts: ['~'] };
  else if (texts.length > 0) result = { ...result, texts };
  if (name === 'os.userInfo') {
    const obj = objectAt(evaluator, expr);
    evaluator.storeField(obj, 'homedir', textValue('~'));
    result = { ...result, objects: [obj] };
  }
  if (api.result !== undefined) {
    const obj = objectAt(evaluator, expr);
    const list = api.sink === 'spawn' ? (args.list[1]?.objects ?? []) : [];
    evaluator.storeField(obj, TARGET, { ...operand, objects: [...operand.objects, ...list] });
    if (name === 'logging.getLogger')
      evaluator.storeField(obj, TARGET, evaluator.disk.fields.get(LOGGING) ?? NOTHING);
    result = { ...result, names: [api.result], objects: [obj] };
  }
  if (name === '$xhr.open' || (api.sink === 'send' && name.endsWith('.connect'))) {
    for (const obj of receiver.objects) evaluator.storeField(obj, TARGET, operand);
  }
  return result;
}

/** The list of the files that match patterns, by their patterns. */
function matching({ evaluator, expr, args: { list } }: Call): Value {
  const patterns = deepTexts(list[0] ?? NOTHING)
    .flatMap((text) => text.replaceAll(/[{}]/g, ',').split(',').slice(0, 10))
    .map((text) => text.replace(/(\.env)\*$/, '$1'));
  const [folder] = fieldsOf(list[1] ?? NOTHING, ['cwd']);
  const obj = objectAt(evaluator, expr);
  for (const text of patterns) {
    const path = folder === undefined ? text : `${folder}/${text}`;
    evaluator.storeField(obj, undefined, { ...NOTHING, texts: [path] });
  }
  return { ...NOTHING, objects: [obj] };
}

/** The content of the receiver and the arguments, which an unknown function may return. */
export function propagate(receiver: Value, args: Arguments): Value {
  return allOf(args).map(deepContent).reduce(join, deepContent(receiver));
}

const ADDRESS_KEY =
  /^(?:hosts?|hostname|url|uri|endpoint(?:_url)?|server|base_?url|connection_?string|dsn|brokers?)$/i;

/** Fields of options that are looked at. */
const MAX_VISITED = 200;

/** The addresses in options, and those with which the clients among them were created. */
export function addressesIn(values: readonly Value[], isHost = false): string[] {
  const found: string[] = [];
  const waiting = values.map((value, at) => ({ value, isHost: isHost && at === 0 }));
  for (let count = 0; count < waiting.length && count < MAX_VISITED; count += 1) {
    const { value, isHost: isName } = waiting[count]!;
    for (const text of value.texts) {
      if (WHOLE_ADDRESS.test(text) && isAddressLike(text)) found.push(text);
      else if (isName && /^[^.].*\./.test(text)) found.push(`//${text}/`);
    }
    for (const { fields, rest } of value.objects) {
      if (rest.objects.length > 0) waiting.push({ value: rest, isHost: false });
      for (const [key, field] of fields) {
        const isAddress = ADDRESS_KEY.test(key);
        if (waiting.length > MAX_VISITED) break;
        if (isAddress || key === TARGET || field.objects.length > 0)
          waiting.push({ value: field, isHost: isAddress });
      }
    }
  }
  return found;
}

const WHOLE_ADDRESS = /^[\S\n\t]{8,500}$/;
const ARCHIVE_NAME = /\.(?:zip|tar(?:\.\w+)?)$/;

/** The content of the files that the arguments name, also below the folder of an option. */
export function packedFiles({ evaluator, expr: { at }, args }: Call): Value {
  const all = allOf(args);
  const folders = all.flatMap((one) => fieldsOf(one, ['cwd', 'C']));
  const names = all.flatMap(deepTexts);
  const paths = [...names, ...folders.flatMap((folder) => names.map((one) => `${folder}/${one}`))];
  const what = paths.find((one) => labelOfPath([one]) !== labels.FILE || TOOL_FOLDER.test(one));
  if (what === undefined) return NOTHING;
  const label = TOOL_FOLDER.test(what) ? labels.CREDENTIAL : labelOfPath([what]);
  return labelled({ path: evaluator.module.path, at, label, what });
}

/** The path that `parts` make. */
export function pathOf(parts: readonly Value[]): Value {
  const args: Arguments = { list: parts, named: new Map() };
  return { ...propagate(NOTHING, args), texts: foldTexts('os.path.join', args) };
}

function operandOf(api: Api, { receiver, args }: Call): Value {
  if (api.joins === true) {
    return pathOf(api.isOnTarget === true ? [targetOf(receiver), ...args.list] : args.list);
  }
  if (api.isDeep === true)
    return { ...NOTHING, texts: addressesIn(allOf(args), api.keyword === 'host') };
  // The labels of the token with which the client was created.
  if (api.host !== undefined) return { ...contentOf(targetOf(receiver)), texts: [api.host] };
  const index = api.isLast === true ? args.list.length - 1 : (api.operand ?? 0);
  const named = api.keyword === undefined ? undefined : args.named.get(api.keyword);
  const given = args.list[index] ?? named ?? NOTHING;
  if (api.packs === true && api.operand === undefined)
    return join(targetOf(receiver), { ...NOTHING, texts: fieldsOf(given, ['file']) });
  if (/^(?:read|write)$/.test(api.sink ?? '') && given.names.some((one) => one.startsWith('$file')))
    return targetOf(given);
  if (api.sink !== 'send') return api.isOnTarget === true ? targetOf(receiver) : given;
  const operand =
    api.isOnTarget === true ? targetOf(receiver) : withBase(given, targetOf(receiver));
  // A trusted host that passes the request on to another one.
  const texts = allOf(args)
    .flatMap(({ objects }) => objects.map(({ fields }) => fields.get('headers') ?? NOTHING))
    .concat(args.named.get('headers') ?? NOTHING)
    .flatMap((headers) => fieldsOf(headers, ['Host', 'host']))
    .map((host) => `//${host}/`);
  return texts.length === 0 ? operand : join(operand, { ...NOTHING, texts });
}

/** The address of a request of a client that was created with a base address. */
function withBase(given: Value, target: Value): Value {
  const bases = [...target.texts, ...fieldsOf(target, ['baseURL', 'prefixUrl', 'base_url'])];
  const [base] = bases.filter(isAddressLike);
  if (base === undefined) return given;
  const paths = given.texts.length === 0 ? [UNKNOWN] : given.texts;
  return { ...given, texts: paths.flatMap((path) => addressesBelow(base, path)) };
}

function fieldsOf({ objects }: Value, keys: readonly string[]): string[] {
  return objects.flatMap(({ fields }) => keys.flatMap((key) => fields.get(key)?.texts ?? []));
}

/** A command that prints the environment. */
const PRINTS_ENVIRONMENT =
  /^\s*(?:\S{0,40}\/)?(?:env|printenv|set|export(?: -p)?|cmd(?:\.exe)? \/c set)\s*$/i;

/** `setTimeout(f)` runs a function of the code; only `setTimeout('text')` executes a text. */
function isTimerOfFunction(name: string, operand: Value): boolean {
  return /^set(?:Timeout|Interval|Immediate)$/.test(name) && operand.funcs.length > 0;
}

function sentContent(all: readonly Value[], sink: Api['sink'], isHeaders = false): Value {
  let sum: Value = NOTHING;
  for (const value of all) {
    sum = join(sum, contentOf(value));
    for (const obj of value.objects) {
      if (obj.fields.size > MAX_OPTIONS) {
        sum = join(sum, deepContent({ ...NOTHING, objects: [obj] }));
        continue;
      }
      for (const [key, field] of obj.fields) {
        const isInner = key === 'headers' && !isHeaders;
        const content = isInner ? sentContent([field], sink, true) : deepContent(field);
        // The header of a request that is passed on under its own name.
        const isOwn = isHeaders && content.labels === labels.SEEN && OWN_HEADER.test(key);
        // The environment of a process is no part of its command; the field of a message is sent.
        const isUnsent = !isHeaders && UNSENT.has(key) && (key !== 'env' || sink !== 'send');
        if (!isOwn && !isUnsent) sum = join(sum, content);
      }
      sum = join(sum, deepContent(obj.rest));
    }
  }
  return sum;
}

/** Headers that only the service itself gets. */
const AUTHORIZATION = /^(?:proxy-)?authorization$|auth$|token$|key$|cookies?$/i;
/** Options that name or authorize the request, or control it. */
const UNSHOWN =
  /^(?:url|uri|base_?url|path(?:name)?|hostname|host|method|auth|agent|proxy|dispatcher|signal|ca|cwd|timeout)$/i;

/** What options and arguments add to a request but its authorization and its address. */
function bodyOf(
  options: readonly Value[],
  named: Iterable<[string, Value]> = [],
  depth: 0 | 1 | 2 = 0,
): Value {
  const objects = options.flatMap((option) => option.objects);
  const fields = [...named, ...objects.flatMap((one) => [...one.fields])];
  let sum = objects.reduce((all, { rest }) => join(all, deepContent(rest)), NOTHING);
  for (const [key, value] of fields) {
    if ((depth === 0 ? UNSHOWN : AUTHORIZATION).test(key)) continue;
    // `new Headers({ ... })` was created with them.
    const inner =
      depth === 0 && key === 'headers' ? 1 : depth === 1 && key === TARGET ? 2 : undefined;
    sum = join(sum, inner === undefined ? deepContent(value) : bodyOf([value], [], inner));
  }
  return sum;
}

/** The input of a process. */
function inputOf({ list, named }: Arguments): Value {
  const options = list.flatMap(({ objects }) => objects.map(({ fields }) => fields.get('input')));
  return [named.get('input'), ...options].reduce<Value>(
    (sum, one) => join(sum, deepContent(one ?? NOTHING)),
    NOTHING,
  );
}

/** `new Request(url, { body })`: its address, with its body as content, and its options. */
function requestOf({ evaluator, expr, args }: Call, at: number): Value {
  const [given = NOTHING, ...more] = args.list.slice(at);
  const obj = objectAt(evaluator, expr);
  const options = more.flatMap(({ objects }) => objects.flatMap(({ fields }) => [...fields]));
  for (const [key, value] of [...args.named, ...options]) evaluator.storeField(obj, key, value);
  const body = more.map(contentOf).reduce(join, bodyOf(more, args.named));
  return { ...join(given, contentOf(body)), objects: [obj] };
}
const OWN_HEADER = /^(?:authorization|cookie)$/i;

/** One environment variable, or its default value. */
function variableOf({ evaluator, expr, args }: Call, name: string, key: Value): Value {
  const environment = name.startsWith('os.') ? 'os.environ' : name.replace(/\.get$/, '');
  const variable = variableAt(evaluator, expr, environment, key);
  const texts = variable.texts.length > 0 ? variable.texts : [UNKNOWN];
  return join({ ...variable, texts }, args.list[1] ?? NOTHING);
}

/** The returned argument with the content of all arguments. */
function returned(value: Value, all: readonly Value[]): Value {
  return all.reduce((sum, one) => join(sum, contentOf(deepContent(one))), value);
}

/** The label of the result when the API is a source. */
function sourceOf(call: Call, name: string, { source }: Api, operand: Value): Value {
  const { evaluator, expr, args } = call;
  if (source === undefined || (source === labels.DECODED && isPlainCopy(name, args)))
    return NOTHING;
  let label = source === labels.FILE ? labelOfPath(operand.texts) : source;
  // A path from the list of a secret place.
  const secret =
    label === labels.FILE ? operand.labels & (labels.CREDENTIAL | labels.TOOL_TOKEN) : 0;
  if (secret !== 0) {
    const origins = operand.origins.filter((one) => (one.label & secret) !== 0);
    return { ...NOTHING, labels: secret, origins };
  }
  let text = operand.texts.find((one) => labelOfPath([one]) !== labels.FILE) ?? operand.texts[0];
  if (source === labels.OUTPUT) {
    const commands = [...operand.texts, deepTexts(operand).join(' ')];
    const list = deepTexts(args.list[1] ?? NOTHING).join(' ');
    commands.push(...operand.texts.map((one) => `${one} ${list}`));
    const secret = commands.find((one) => labelOfCommand(one) !== labels.OUTPUT);
    if (commands.some((one) => PRINTS_ENVIRONMENT.test(one))) label = labels.ENVIRONMENT;
    else if (secret !== undefined) [label, text] = [labelOfCommand(secret), secret];
  }
  const metadata =
    source === labels.FETCHED
      ? operand.texts.find((one) => METADATA.test(placeOf(one)))
      : undefined;
  if (metadata !== undefined) [label, text] = [labels.FETCHED | labels.CREDENTIAL, metadata];
  const what =
    label === labels.FETCHED || text === undefined
      ? name
      : text.replaceAll(UNKNOWN, '*').slice(0, MAX_SHOWN);
  return labelled({ path: evaluator.module.path, at: expr.at, label, what });
}

/** The keys of a role that a cloud gives to its machines. */
const METADATA =
  /^(?:169\.254\.[\d.]+|100\.100\.100\.200|metadata\.google\.internal)\/.{0,200}(?:credentials|service-accounts|oauth2\/token)/;

/** `Buffer.from(text)` decodes only with an encoding of binary data. */
function isPlainCopy(name: string, args: Arguments): boolean {
  const encoding = args.list[1]?.texts[0] ?? '';
  return name.startsWith('Buffer') && !/^(?:base64|base64url|hex)$/.test(encoding);
}
