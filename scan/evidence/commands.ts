/** The commands of a build, in code, scripts and shell files, and the findings about what they do. */
import { byPath } from '../parse/by-path.ts';
import { posix } from 'node:path';
import type { Finding } from '../../format/finding/finding.ts';
import type { FindingLevel } from '../../format/finding/texts/finding-text.ts';
import type { FindingCode } from '../../format/finding/catalogue.ts';
import { once } from '../once.ts';
import { isInstallScript } from '../text/idle-file.ts';
import { readJsonObject, stringEntries } from '../text/json-text.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import { commandsOf } from './fact-evidence.ts';
import { found, quote } from './fact-finding.ts';
import { placeOf, suspicionOf } from '../taint/address.ts';
import { SECRETS } from '../taint/secret-paths.ts';
import { baseOf } from '../shell/fetched-files.ts';
import { effectsBeyondDangers, effectsOf } from '../shell/effects-of.ts';
import { MAX_PLACED } from '../shell/sources.ts';

type ShellEffect = ReturnType<typeof effectsOf>[number];

/** One script of a `package.json` or of the manifest. */
interface Script {
  readonly file: ScannedFile;
  readonly name: string;
  readonly command: string;
  readonly isHook: boolean;
  /** Where the command is in the file's text. */
  readonly at: number;
}

/** Every script of the build's `package.json` files and of its manifest. */
export const scriptsOf = once((build: ScannedBuild): readonly Script[] => {
  const found: Script[] = [];
  for (const file of build.files) {
    const { path, text = '' } = file;
    if (!/(?:^|\/)(?:package|stackyard)\.json$/.test(path)) continue;
    for (const [name, command] of stringEntries(readJsonObject(text)?.['scripts'])) {
      const from = found.length < MAX_PLACED ? text.indexOf('"scripts"') : text.length;
      const at = Math.max(0, text.indexOf(JSON.stringify(name), from));
      const isHook = isInstallScript(name) || /^pre(?:publish|uninstall)$/.test(name);
      found.push({ file, name, command, isHook, at });
    }
  }
  return found;
});

/** Paths of the files that run at install, and of those that these import. */
export const filesAtInstall = once((build: ScannedBuild): ReadonlySet<string> => {
  const paths = new Set(build.files.map((f) => f.path));
  const reached = new Set<string>();
  const add = (path: string, isLoaded = true): void => {
    const index = isLoaded ? [posix.join(path, 'index.js')] : [];
    const tried = [path, `${path}.js`, `${path}.cjs`, `${path}.mjs`, ...index];
    const found = tried.find((p) => paths.has(p));
    if (found !== undefined) reached.add(found);
  };
  const scripts = scriptsOf(build);
  const named = new Map(scripts.map((one) => [`${one.name} ${one.file.path}`, one]));
  const run = new Set(scripts.filter(({ isHook }) => isHook));
  for (const { file, command } of run) {
    const folder = posix.dirname(file.path);
    // The name of a script is no path; the script runs too.
    const own = command.replaceAll(RUNS_SCRIPT, (words, name: string) => {
      const script = named.get(`${name} ${file.path}`);
      if (script !== undefined) run.add(script);
      return script === undefined ? words : '';
    });
    for (const { 1: word, index } of own.matchAll(
      /(?:^|[\s"'=])((?:\.{0,2}\/)?[\w@.-]{1,80}(?:\/[\w@.-]{1,80}){0,9})/g,
    )) {
      if (word !== undefined && !/^(?:node|npm|npx|sh|bash)$/.test(word))
        // A folder that another tool gets is not loaded.
        add(posix.join(folder, word), LOADS.test(own.slice(Math.max(0, index - 300), index)));
    }
  }
  for (const path of paths) {
    if (/(?:^|\/)(?:setup\.py|binding\.gyp)$/.test(path)) reached.add(path);
  }
  // What they import runs too.
  for (const { action, path, operand } of build.taint.facts) {
    if (action !== 'load' || !reached.has(path)) continue;
    for (const text of operand.texts) {
      if (text.startsWith('.')) add(posix.join(posix.dirname(path), text));
    }
  }
  return reached;
});

/** What stands before a file or folder that a program loads; options may have a value. */
const LOADS =
  /(?:\b(?:node|bun|deno|tsx|ts-node)(?:\s{1,3}-\S{1,40}(?:\s{1,3}[^\s&|;-]\S{0,80})?){0,6}|\brequire\()$/;
const RUNS_SCRIPT =
  /\b(?:npm|pnpm|yarn|bun)\s{1,3}(?:run(?:-script)?\s{1,3})?(?:-\S{1,30}\s{1,3})?([\w:.-]{1,80})/g;

interface Command {
  readonly path: string;
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly effects: readonly ShellEffect[];
  /** `hook`: runs at install; `code`: a program starts it; `script`: a user must call it. */
  readonly where: 'hook' | 'code' | 'script';
}

const commandsIn = once((build: ScannedBuild): readonly Command[] => [
  ...fromCode(build),
  ...fromScripts(build),
  ...fromShellFiles(build),
]);

/** Commands that run automatically are judged more strictly. */
const LEVELS: Readonly<Record<ShellEffect, Readonly<Record<Command['where'], FindingLevel>>>> = {
  'remote-code': { hook: 'error', code: 'error', script: 'info' },
  'decode-execute': { hook: 'error', code: 'error', script: 'warn' },
  'data-exfiltration': { hook: 'error', code: 'error', script: 'info' },
  'reverse-shell': { hook: 'error', code: 'error', script: 'error' },
  persistence: { hook: 'error', code: 'info', script: 'info' },
  destructive: { hook: 'error', code: 'error', script: 'warn' },
  'crypto-mining': { hook: 'error', code: 'error', script: 'error' },
  'unattended-agent': { hook: 'error', code: 'warn', script: 'warn' },
};

/** The findings about the commands that have `effect`, each at its command. */
export function commandFindings(build: ScannedBuild, effect: ShellEffect): Finding[] {
  const code = `${effect}-command` as FindingCode;
  return commandsIn(build)
    .filter((c) => c.effects.includes(effect))
    .map((c) => found(build, code, c, { command: quote(c.text) }, levelOf(effect, c)));
}

function levelOf(effect: ShellEffect, { where, text }: Command): FindingLevel {
  // Programs update themselves from their own host over TLS: worth a look, not proof.
  const isOwnUpdate = effect === 'remote-code' && where === 'code' && isPlainDownload(text);
  return isOwnUpdate ? 'warn' : LEVELS[effect][where];
}

function isPlainDownload(command: string): boolean {
  const isPackage = /\b(?:npm|pnpm|yarn|bun|pip3?|uv)\s(?:.{0,40}\s)?(?:install|i|add)\s/.test(
    command,
  );
  const addresses = [...command.matchAll(/\bhttps?:[^\s"'`|;)]{3,200}/gi)].map(([one]) => one);
  return (
    addresses.length > 0 &&
    addresses.every(
      (a) =>
        a.startsWith('https:') &&
        suspicionOf(a) === undefined &&
        (isPackage || /\/.*(?:install|update|setup)/.test(placeOf(a))),
    )
  );
}

/** Base names of the files into which code writes secrets, as `findShellDangers()` takes them. */
export const writtenSecrets = once((build: ScannedBuild): ReadonlyMap<string, string> => {
  const facts = build.taint.facts.filter(
    (f) => f.action === 'write' && !f.isLarge && (f.content.labels & SECRETS) !== 0,
  );
  const names = facts.flatMap(({ operand }) => operand.texts).map(baseOf);
  return new Map(names.filter((name) => name.length > 2).map((name) => [`/${name}`, '*']));
});

function fromCode(build: ScannedBuild): Command[] {
  // One constant may be started in many places.
  const judge = byPath((text) => effectsOf(text, writtenSecrets(build)));
  return build.taint.facts
    .filter((f) => f.action === 'spawn' || f.action === 'feed')
    .flatMap((fact) => {
      const { path, at: offset, end } = fact;
      const texts = fact.action === 'spawn' ? commandsOf(fact) : fact.args.flatMap((a) => a.texts);
      const text = texts.find((one) => judge(one).length > 0);
      if (text === undefined) return [];
      return [{ path, at: offset, end, text, effects: judge(text), where: 'code' as const }];
    });
}

function fromScripts(build: ScannedBuild): Command[] {
  return scriptsOf(build).flatMap(({ file, name, command, isHook, at: offset }) => {
    // What the rule `shell-fetch` finds in the same text, it reports.
    const effects = effectsBeyondDangers(command);
    const where = isHook ? ('hook' as const) : ('script' as const);
    const end = offset + name.length + 2;
    return effects.length === 0
      ? []
      : [{ path: file.path, at: offset, end, text: command, effects, where }];
  });
}

function fromShellFiles(build: ScannedBuild): Command[] {
  const scripts = build.files.filter(
    (f) =>
      /\.(?:sh|bash|zsh|bat|cmd|ps1)$/i.test(f.path) ||
      (f.text?.startsWith('#!/') === true && /^#!.{0,40}\b(?:ba|z|da)?sh\b/.test(f.text)),
  );
  if (scripts.length === 0) return [];
  const atInstall = filesAtInstall(build);
  return scripts.flatMap((file) => {
    const where = atInstall.has(file.path) ? ('hook' as const) : ('script' as const);
    const { path, text: whole = '' } = file;
    const effectsIn = where === 'hook' ? effectsOf : effectsBeyondDangers;
    return Array.from(whole.slice(0, 1_000_000).matchAll(/[^\n]+/g), ({ 0: text, index: at }) => {
      const effects = /^\s*(?:#|rem\b|::)/i.test(text) ? [] : effectsIn(text);
      return { path, at, end: at + text.length, text, effects, where };
    })
      .filter(({ effects }) => effects.length > 0)
      .slice(0, 50);
  });
}
