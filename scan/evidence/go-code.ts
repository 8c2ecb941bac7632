/** Go that sends secrets, or starts what it downloads in `init`. A reader of text: gofmt ends functions with a "}" at the start of a line. */
import { at, finding, type Finding } from '../../format/finding/finding.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import { effectsOf } from '../shell/effects-of.ts';
import { namesSecretPlace } from '../shell/shell-danger.ts';
import { isTestOrExamplePath } from '../text/file-kind.ts';
import { once } from '../once.ts';
import { hostOf, isLocal } from '../taint/address.ts';
import { isTrustedPlace } from './trusted-place.ts';

interface GoFunction {
  readonly file: ScannedFile;
  readonly name: string;
  readonly start: number;
  /** One for each statement, without comments. */
  readonly lines: readonly string[];
}

const FUNCTION = /^func\s(?:\([^)\n]{0,100}\)\s?)?(\w{1,100})\([^\n]{0,500}\{[ \t]*$/gm;
const MAX_FUNCTIONS = 500;
/** Functions that one function calls. */
const MAX_CALLED = 50;
const CONCERNS = /\bos\.Environ\(|\bfunc init\(|\bReadFile\(|\bos\.Open\(|"(?:env|printenv)"/;
const FETCHES = /\bhttp\.(?:Get|NewRequest\w{0,11})\(/;
const STARTS = /\b(?:exec\.Command(?:Context)?|syscall\.Exec|os\.StartProcess)\(/;
const SENDS =
  /\bhttp\.NewRequest\w{0,11}\(.*|\b\w+\.(?:PostForm|Post|Get|Do)\(.*|\bconn\.Write\w*\(.*|\bFprint\w*\(conn,.*/;
/** What an assignment, a loop, or a write into a buffer or a request fills. */
const FILLS =
  /^(?:for |var |if )?((?:[\w.]+(?:\[[^\]]*\])?,? )+)(?::|\+)?= |^(\w+)\.(?:Write\w*|Set|Add|Header\.\w+)\(|\(&?(\w+)\)\.Encode\(|\bFprint\w*\(&?(\w+),/;
const ADDRESS = String.raw`"(https?:\/\/[^"\s]{3,200}|(?:[\w-]+\.)+[a-z]{2,}:\d{2,5})"`;
const CONSTANT = new RegExp(String.raw`\b(\w{1,60})\s*(?:string\s*)?:?=\s*${ADDRESS}`, 'g');
const SHELL = /\bexec\.Command\("\S{0,9}sh", "-c", ["`]([^"`]{1,2000})/;
const COMMENT = /(?<![:"'`])\/\/.*/;
const RETURNED = 'return';

/** What the Go code of a build sends, and starts. */
export const goFindings = once((build: ScannedBuild): readonly Finding[] => {
  const functions = build.files.flatMap(functionsOf).slice(0, MAX_FUNCTIONS);
  // What these functions return is a source for those that call them.
  const giving = new Set<string>();
  for (const one of [...functions, ...functions])
    if (secretsOf(one, giving).has(RETURNED)) giving.add(one.name);
  return functions.flatMap((one) => {
    const secrets = secretsOf(one, giving);
    const sending = one.lines.find((line) => isSecret(SENDS.exec(line)?.[0] ?? '', secrets));
    if (sending === undefined && one.name !== 'init') return [];
    const [{ file, start }, body] = [one, one.lines.join('\n')];
    const called = functions.filter(({ name }) => body.includes(`${name}(`)).slice(0, MAX_CALLED);
    const near = sending === undefined ? [one, ...called] : [one];
    const lines = near.flatMap((other) => other.lines);
    const isStart =
      [FETCHES, STARTS].every((deed) => lines.some((line) => deed.test(line))) ||
      lines.some((line) => effectsOf(SHELL.exec(line)?.[1] ?? '').includes('remote-code'));
    const address = near.map(addressIn).find((found) => found !== '') ?? '';
    const host = hostOf(address);
    if (host === undefined || isLocal(host)) return [];
    if (sending === undefined && (!isStart || isTrustedPlace(build, address))) return [];
    const code = sending === undefined ? 'remote-code-download' : 'data-exfiltration';
    const args = { host, file: '*', what: 'the environment or a key' };
    const place = file.text?.indexOf(sending?.slice(0, 30) ?? '', start) ?? -1;
    return [at(finding(code, file.path, args, 'warn'), file.place(Math.max(start, place), 4))];
  });
});

function functionsOf(file: ScannedFile): GoFunction[] {
  const { path, text = '' } = file;
  if (!path.endsWith('.go') || isTestOrExamplePath(path) || !CONCERNS.test(text)) return [];
  const found: GoFunction[] = [];
  let end = 0;
  for (const { 0: head, 1: name = '', index: start } of text.matchAll(FUNCTION)) {
    if (start < end) continue;
    end = text.indexOf('\n}', start);
    if (end === -1 || found.length === MAX_FUNCTIONS) break;
    const lines: string[] = [];
    let depth = 0;
    for (const whole of text.slice(start + head.length, end).split('\n')) {
      const line = whole.slice(0, 1_000).replace(COMMENT, '').trim();
      // A statement goes on while a bracket is open; the body of a function in it is no part of it.
      const before = depth > 0 ? lines.pop()! : '';
      lines.push(before.length > 5_000 ? before : `${before} ${line}`.trim());
      depth += line.split(/[([]/).length - line.split(/[)\]]/).length;
      if (line.endsWith('{') || depth < 0) depth = 0;
    }
    found.push({ file, name, start, lines });
  }
  return found;
}

/** The names of a function that hold something secret; `RETURNED` when it returns that. */
function secretsOf({ lines }: GoFunction, giving: ReadonlySet<string>): Set<string> {
  const secrets = new Set(giving);
  for (const line of [...lines, ...lines]) {
    // Not the environment of a program that is started.
    if (!isSecret(line, secrets) || /\bEnv\b\s{0,3}[:=]/.test(line)) continue;
    const [, names, ...others] = FILLS.exec(line) ?? [];
    const filled = names?.split(',') ?? others.filter((one) => one !== undefined);
    for (const name of filled) secrets.add(/\w+/.exec(name)?.[0] ?? '_');
    if (line.startsWith('return ')) secrets.add(RETURNED);
    for (const name of ['_', 'err', 'ok']) secrets.delete(name);
  }
  return secrets;
}

function isSecret(text: string, secrets: ReadonlySet<string>): boolean {
  if (/\bos\.Environ\(\)|\bexec\.Command\("(?:env|printenv)"\)/.test(text)) return true;
  if (/\b(?:ReadFile|os\.Open)\(/.test(text) && namesSecretPlace(text.replaceAll('"', '/')))
    return true;
  const words = text.replaceAll(/"[^"]*"/g, '').match(/\w+/g) ?? [];
  return words.some((word) => word !== RETURNED && secrets.has(word));
}

/** The first address that a function names, itself or by a constant of its file. */
const addressIn = once(({ file: { text = '' }, lines }: GoFunction): string => {
  const own = lines.join('\n');
  const words = new Set(own.match(/\w+/g));
  const constants = [...text.slice(0, 20_000).matchAll(CONSTANT)];
  const named = constants.find(([, name = '']) => words.has(name));
  const shell = /https?:\/\/[^\s"'`|;]{3,200}/.exec(SHELL.exec(own)?.[1] ?? '')?.[0];
  return new RegExp(ADDRESS).exec(own)?.[1] ?? named?.[2] ?? shell ?? '';
});
