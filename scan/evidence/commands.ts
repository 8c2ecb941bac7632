/** The commands of a build, in code, scripts and shell files, and the findings about what they do. */
import { wordsOf } from '../parse/word-list.ts';
import { posix } from 'node:path';
import type { Finding } from '../../format/finding/finding.ts';
import type { FindingLevel } from '../../format/finding/texts/finding-text.ts';
import type { FindingCode } from '../../format/finding/catalogue.ts';
import { once } from '../once.ts';
import { readJsonObject, stringEntries } from '../text/json-text.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import { commandsOf } from './fact-evidence.ts';
import { found, quote } from './fact-finding.ts';
import { suspicionOf } from '../taint/host.ts';
import { effectsBeyondDangers, effectsOf } from '../shell/effects-of.ts';

type ShellEffect = ReturnType<typeof effectsOf>[number];

/** Scripts that a package manager runs automatically. */
const HOOKS = wordsOf([
  'preinstall install postinstall preuninstall prepare prepublish preprepare postprepare',
]);

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
      const at = Math.max(0, text.indexOf(JSON.stringify(name), text.indexOf('"scripts"')));
      found.push({ file, name, command, isHook: HOOKS.includes(name), at });
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
};

/** The findings about the commands that have `effect`, each at its command. */
export function commandFindings(build: ScannedBuild, effect: ShellEffect): Finding[] {
  return commandsIn(build)
    .filter((c) => c.effects.includes(effect))
    .map((c) =>
      found(
        build,
        `${effect}-command` as FindingCode,
        c,
        { command: quote(c.text) },
        levelOf(effect, c),
      ),
    );
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
  const addresses = [...command.matchAll(/https?:\/\/[^\s"'`|;)]{3,200}/g)].map(([one]) => one);
  return (
    addresses.length > 0 &&
    addresses.every(
      (a) =>
        a.startsWith('https:') &&
        suspicionOf(a) === undefined &&
        (isPackage || /^https:\/\/[^/]+\/.*(?:install|update|setup)/.test(a)),
    )
  );
}

function fromCode({ taint }: ScannedBuild): Command[] {
  return taint.facts
    .filter((f) => f.action === 'spawn' || f.action === 'feed')
    .flatMap((fact) => {
      const { path, at: offset, end } = fact;
      const texts = fact.action === 'spawn' ? commandsOf(fact) : fact.args.flatMap((a) => a.texts);
      for (const text of texts) {
        const effects = effectsOf(text);
        if (effects.length > 0)
          return [{ path, at: offset, end, text, effects, where: 'code' as const }];
      }
      return [];
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
    let offset = 0;
    const commands: Command[] = [];
    for (const line of (file.text ?? '').slice(0, 1_000_000).split('\n')) {
      const effects = /^\s*(?:#|rem\b|::)/i.test(line)
        ? []
        : where === 'hook'
          ? effectsOf(line)
          : effectsBeyondDangers(line);
      if (effects.length > 0) {
        commands.push({
          path: file.path,
          at: offset,
          end: offset + line.length,
          text: line,
          effects,
          where,
        });
      }
      offset += line.length + 1;
    }
    return commands.slice(0, 50);
  });
}
