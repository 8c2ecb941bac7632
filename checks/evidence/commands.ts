/** The commands of a build, wherever they stand, and the findings about what they do. */
import type { Finding, FindingLevel } from '../../format/finding/finding.ts';
import type { FindingCode } from '../../format/finding/catalogue.ts';
import type { ScannedBuild } from '../scanned-file.ts';
import { commandsOf, found, quote } from './evidence.ts';
import { filesAtInstall, scriptsOf } from './install-hooks.ts';
import { suspicionOf } from './host.ts';
import { findShellDangers } from '../shell/find-dangers.ts';
import type { DangerKind } from '../shell/shell-danger.ts';
import { effectsOf } from './shell-command.ts';
import type { ShellEffect } from './effect-patterns.ts';

interface Command {
  readonly path: string;
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly deeds: readonly ShellEffect[];
  /** `hook`: runs at install; `code`: a program starts it; `script`: somebody has to call it. */
  readonly where: 'hook' | 'code' | 'script';
}

const COMMANDS = new WeakMap<ScannedBuild, readonly Command[]>();

/** What runs by itself is held to the stricter reading. */
const LEVELS: Readonly<Record<ShellEffect, Readonly<Record<Command['where'], FindingLevel>>>> = {
  'remote-code': { hook: 'error', code: 'error', script: 'info' },
  'decode-execute': { hook: 'error', code: 'error', script: 'warn' },
  'data-exfiltration': { hook: 'error', code: 'error', script: 'info' },
  'reverse-shell': { hook: 'error', code: 'error', script: 'error' },
  persistence: { hook: 'error', code: 'info', script: 'info' },
  destructive: { hook: 'error', code: 'error', script: 'warn' },
  'crypto-mining': { hook: 'error', code: 'error', script: 'error' },
};

/** The findings of one deed, each at its command. */
export function commandFindings(build: ScannedBuild, deed: ShellEffect): Finding[] {
  return commandsIn(build)
    .filter((c) => c.deeds.includes(deed))
    .map((c) =>
      found(
        build,
        `${deed}-command` as FindingCode,
        c,
        { command: quote(c.text) },
        levelOf(deed, c),
      ),
    );
}

function levelOf(deed: ShellEffect, { where, text }: Command): FindingLevel {
  // Programs update themselves from their own host over TLS: worth a look, not proof.
  const isOwnUpdate = deed === 'remote-code' && where === 'code' && isPlainDownload(text);
  return isOwnUpdate ? 'warn' : LEVELS[deed][where];
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

function commandsIn(build: ScannedBuild): readonly Command[] {
  const known = COMMANDS.get(build);
  if (known !== undefined) return known;
  const commands = [...fromCode(build), ...fromScripts(build), ...fromShellFiles(build)];
  COMMANDS.set(build, commands);
  return commands;
}

function fromCode({ taint }: ScannedBuild): Command[] {
  return taint.facts
    .filter((f) => f.action === 'spawn' || f.action === 'feed')
    .flatMap((fact) => {
      const { path, at: offset, end } = fact;
      const texts = fact.action === 'spawn' ? commandsOf(fact) : fact.args.flatMap((a) => a.texts);
      const text = texts.find((t) => effectsOf(t).length > 0);
      if (text === undefined) return [];
      return [{ path, at: offset, end, text, deeds: effectsOf(text), where: 'code' as const }];
    });
}

/** The check of shell text tells of these itself, where the text is a script's. */
const TOLD: Readonly<Partial<Record<DangerKind, ShellEffect>>> = {
  'fetch-run': 'remote-code',
  'decode-run': 'decode-execute',
  connect: 'reverse-shell',
  send: 'data-exfiltration',
  destroy: 'destructive',
};

/** What only the words of a command show: one fact is one finding. */
function untold(command: string): ShellEffect[] {
  const deeds = effectsOf(command);
  if (deeds.length === 0) return deeds;
  const told = new Set(findShellDangers(command).map(({ kind }) => TOLD[kind]));
  return deeds.filter((deed) => !told.has(deed));
}

function fromScripts(build: ScannedBuild): Command[] {
  return scriptsOf(build).flatMap(({ file, name, command, isHook, at: offset }) => {
    const deeds = untold(command);
    const where = isHook ? ('hook' as const) : ('script' as const);
    const end = offset + name.length + 2;
    return deeds.length === 0
      ? []
      : [{ path: file.path, at: offset, end, text: command, deeds, where }];
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
      const deeds = /^\s*(?:#|rem\b|::)/i.test(line)
        ? []
        : where === 'hook'
          ? effectsOf(line)
          : untold(line);
      if (deeds.length > 0) {
        commands.push({
          path: file.path,
          at: offset,
          end: offset + line.length,
          text: line,
          deeds,
          where,
        });
      }
      offset += line.length + 1;
    }
    return commands.slice(0, 50);
  });
}
