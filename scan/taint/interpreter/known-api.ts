/** The call of an API of a table: records its fact, and computes its result from the description. */
import type { Api } from '../api.ts';
import { addressesBelow, isAddressLike, placeOf } from '../address.ts';
import type { CallExpr } from '../ir.ts';
import { CREDENTIAL, DECODED, ENVIRONMENT, FETCHED, FILE, OUTPUT } from '../label.ts';
import { TOOL_FOLDER, labelOfCommand, labelOfPath, labelOfVariable } from '../secret-paths.ts';
import {
  NOTHING,
  UNKNOWN,
  contentOf,
  deepContent,
  deepTexts,
  join,
  labelled,
  type Value,
} from '../value.ts';
import { objectAt } from './made-objects.ts';
import { TARGET, allOf, targetOf, type Arguments, type Evaluator } from './evaluator.ts';
import { foldTexts } from './fold.ts';

/** Locations as paths write them. */
const LOCATIONS: ReadonlyMap<string, string> = new Map([
  ['os.homedir', '~'],
  ['os-homedir', '~'],
  ['pathlib.Path.home', '~'],
]);

/** An object with more fields is data, not options. */
const MAX_OPTIONS = 100;

/** Options that control a request and are not sent. */
const UNSENT = new Set(['env', 'agent', 'proxy', 'dispatcher', 'signal', 'ca', 'cwd', 'timeout']);

const LOGGING = 'logging';

/** Characters of an operand that evidence shows. */
const MAX_SHOWN = 120;

/** The result of the API `name`. */
export function callKnownApi(
  evaluator: Evaluator,
  expr: CallExpr,
  name: string,
  api: Api,
  receiver: Value,
  args: Arguments,
): Value {
  const all = allOf(args);
  const operand = operandOf(api, receiver, args);
  // A log that goes nowhere else.
  const isSilent = name.startsWith('$logger.') && operand.texts.length === 0;
  if (isSilent) return propagate(receiver, args);
  if (api.isDeep === true && name.startsWith('$'))
    for (const obj of receiver.objects) evaluator.storeField(obj, TARGET, operand);
  // What the configuration of all loggers names.
  if (/^logging\.\w*\.?\w*Config$/.test(name))
    evaluator.storeField(evaluator.disk, LOGGING, operand);
  const packed = api.packs === true ? packedFiles(evaluator, expr, all) : NOTHING;
  if (packed !== NOTHING)
    for (const obj of receiver.objects) evaluator.storeField(obj, undefined, packed);
  if (api.sink !== undefined && !isTimerOfFunction(name, operand)) {
    const own = api.isOwnContent === true ? [receiver] : all;
    const given =
      api.content === undefined
        ? sentContent(own, api.sink)
        : deepContent(args.list[api.content] ?? NOTHING);
    const content = join(given, packed);
    evaluator.record(expr, { action: api.sink, api: name, operand, content, args: args.list });
  }
  if (api.isGlob === true) return matching(evaluator, expr, args);
  if (api.sink === 'variable') return variableOf(evaluator, expr, name, operand, args);
  if (api.returns !== undefined) {
    const given = args.list[api.returns] ?? NOTHING;
    // `new URL(path, base)`
    const same = returned(name === 'URL' ? withBase(given, args.list[1] ?? NOTHING) : given, all);
    if (api.result === undefined) return same;
    return { ...same, names: [api.result], objects: [...same.objects, objectAt(evaluator, expr)] };
  }
  // A response, the content of a file and the output of a program do not contain the request.
  const isSanitizer =
    api.isSanitizer === true || (api.sink !== undefined && api.source !== undefined);
  let result = contentOf(isSanitizer ? receiver : propagate(receiver, args));
  result = join(result, sourceOf(evaluator, expr, name, api, operand, args));
  if (api.sink === 'read') {
    for (const text of operand.texts.flatMap((one) => [one, one.replace(ARCHIVE_NAME, '')]))
      result = join(
        result,
        evaluator.disk.fields.get(`${evaluator.module.path} ${text}`) ?? NOTHING,
      );
  }
  const texts = foldTexts(name, args);
  const location = LOCATIONS.get(name);
  if (location !== undefined) result = { ...result, texts: [location] };
  else if (texts.length > 0) result = { ...result, texts };
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
function matching(evaluator: Evaluator, expr: CallExpr, { list }: Arguments): Value {
  const folders = fieldsOf(list[1] ?? NOTHING, ['cwd']);
  const patterns = deepTexts(list[0] ?? NOTHING)
    .flatMap((text) => text.replaceAll(/[{}]/g, ',').split(',').slice(0, 10))
    .map((text) => text.replace(/(\.env)\*$/, '$1'));
  const [folder] = folders;
  const obj = objectAt(evaluator, expr);
  for (const text of patterns) {
    const path = folder === undefined ? text : `${folder}/${text}`;
    evaluator.storeField(obj, undefined, { ...NOTHING, texts: [path] });
  }
  return { ...NOTHING, objects: [obj] };
}

/** The content of the receiver and the arguments, which an unknown function may return. */
export function propagate(receiver: Value, args: Arguments): Value {
  let sum = deepContent(receiver);
  for (const value of allOf(args)) sum = join(sum, deepContent(value));
  return sum;
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
      else if (isName && text.includes('.')) found.push(`//${text}/`);
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

/** The content of the files that `all` name, also below the folder of an option. */
export function packedFiles(evaluator: Evaluator, { at }: CallExpr, all: readonly Value[]): Value {
  const folders = fieldsOf({ ...NOTHING, objects: all.flatMap(({ objects }) => objects) }, [
    'cwd',
    'C',
  ]);
  const names = all.flatMap(deepTexts);
  const paths = [...names, ...folders.flatMap((folder) => names.map((one) => `${folder}/${one}`))];
  const what = paths.find((one) => labelOfPath([one]) !== FILE || TOOL_FOLDER.test(one));
  if (what === undefined) return NOTHING;
  const label = TOOL_FOLDER.test(what) ? CREDENTIAL : labelOfPath([what]);
  return labelled({ path: evaluator.module.path, at, label, what });
}

function operandOf(api: Api, receiver: Value, args: Arguments): Value {
  if (api.isDeep === true)
    return { ...NOTHING, texts: addressesIn(allOf(args), api.keyword === 'host') };
  // The labels of the token with which the client was created.
  if (api.host !== undefined) return { ...contentOf(targetOf(receiver)), texts: [api.host] };
  const index = api.isLast === true ? args.list.length - 1 : (api.operand ?? 0);
  const named = api.keyword === undefined ? undefined : args.named.get(api.keyword);
  const given = args.list[index] ?? named ?? NOTHING;
  if (api.packs === true && api.operand === undefined)
    return join(targetOf(receiver), { ...NOTHING, texts: fieldsOf(given, ['file']) });
  if (api.sink === 'write' && given.names.includes('$file')) return targetOf(given);
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

function sentContent(all: readonly Value[], sink: Api['sink']): Value {
  let sum: Value = NOTHING;
  for (const value of all) {
    sum = join(sum, contentOf(value));
    for (const obj of value.objects) {
      if (obj.fields.size > MAX_OPTIONS) {
        sum = join(sum, deepContent({ ...NOTHING, objects: [obj] }));
        continue;
      }
      for (const [key, field] of obj.fields) {
        // The environment of a process is no part of its command; the field of a message is sent.
        if (!UNSENT.has(key) || (key === 'env' && sink === 'send'))
          sum = join(sum, deepContent(field));
      }
      sum = join(sum, deepContent(obj.rest));
    }
  }
  return sum;
}

/** One environment variable, or its default value. */
function variableOf(
  evaluator: Evaluator,
  expr: CallExpr,
  name: string,
  key: Value,
  args: Arguments,
): Value {
  const [text] = key.texts;
  const environment = name.startsWith('os.') ? 'os.environ' : name.replace(/\.get$/, '');
  const isConstant = text !== undefined && !text.includes(UNKNOWN);
  const what = `${environment}${isConstant ? `.${text}` : '[...]'}`;
  const { path } = evaluator.module;
  const variable = labelled({ path, at: expr.at, label: labelOfVariable(what), what });
  return join({ ...variable, texts: [UNKNOWN] }, args.list[1] ?? NOTHING);
}

/** The returned argument with the content of all arguments. */
function returned(value: Value, all: readonly Value[]): Value {
  return all.reduce((sum, one) => join(sum, contentOf(deepContent(one))), value);
}

/** The label of the result when the API is a source. */
function sourceOf(
  evaluator: Evaluator,
  expr: CallExpr,
  name: string,
  { source }: Api,
  operand: Value,
  args: Arguments,
): Value {
  if (source === undefined || (source === DECODED && isPlainCopy(name, args))) return NOTHING;
  let label = source === FILE ? labelOfPath(operand.texts) : source;
  let text = operand.texts.find((one) => labelOfPath([one]) !== FILE) ?? operand.texts[0];
  if (source === OUTPUT) {
    const commands = [...operand.texts, deepTexts(operand).join(' ')];
    const list = deepTexts(args.list[1] ?? NOTHING).join(' ');
    commands.push(...operand.texts.map((one) => `${one} ${list}`));
    const secret = commands.find((one) => labelOfCommand(one) !== OUTPUT);
    if (commands.some((one) => PRINTS_ENVIRONMENT.test(one))) label = ENVIRONMENT;
    else if (secret !== undefined) [label, text] = [labelOfCommand(secret), secret];
  }
  const metadata =
    source === FETCHED ? operand.texts.find((one) => METADATA.test(placeOf(one))) : undefined;
  if (metadata !== undefined) [label, text] = [FETCHED | CREDENTIAL, metadata];
  const what =
    label === FETCHED || text === undefined
      ? name
      : text.replaceAll(UNKNOWN, '*').slice(0, MAX_SHOWN);
  return labelled({ path: evaluator.module.path, at: expr.at, label, what });
}

/** The keys of a role that a cloud gives to its machines. */
const METADATA =
  /^(?:169\.254\.[\d.]+|metadata\.google\.internal)\/.{0,200}(?:security-credentials|service-accounts|oauth2\/token)/;

/** `Buffer.from(text)` decodes only with an encoding of binary data. */
function isPlainCopy(name: string, args: Arguments): boolean {
  const encoding = args.list[1]?.texts[0] ?? '';
  return name.startsWith('Buffer') && !/^(?:base64|base64url|hex)$/.test(encoding);
}
