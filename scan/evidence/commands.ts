/** The commands of a build, in code, scripts and shell files, and the findings about what they do. */
import type { Finding } from '../../format/finding/finding.ts';
import type { FindingLevel } from '../../format/finding/texts/finding-text.ts';
import type { FindingCode } from '../../format/finding/catalogue.ts';
import { once } from '../text/once.ts';
import type { ScannedBuild } from '../scanned-file.ts';
import { found, quote } from './evidence.ts';
import { commandsOf } from './fact-evidence.ts';
import { filesAtInstall, scriptsOf } from './install-hooks.ts';
import { suspicionOf } from './host.ts';
import type { ShellEffect } from '../shell/effect-patterns.ts';
import { effectsBeyondDangers, effectsOf } from '../shell/judge-command.ts';

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
  const addresses = [...command.matchAll(/https?:\/\/[^\s"'`|;)]{3,200}/g)].map(([one]) => one);
  return (
    addresses.length > 0 &&
    addresses.every(
      (a) =>
        a.startsWith('https:') &&
        suspicionOf(a) === undefined &&
        /^https:\/\/[^/]+\/.*(?:install|update|setup)/.test(a),
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
