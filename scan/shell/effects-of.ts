/**
 * What a command does, judged by its text only: the one judge of commands in shell files, in manifests and in calls. It unites
 * the flow of data between commands (`find-dangers.ts`), the programs of Windows (`windows-dangers.ts`) and shapes of command
 * lines (`effect-patterns.ts`). Commands come from publishers: every repetition is bounded, so that no command takes long.
 */
import { findShellDangers } from './find-dangers.ts';
import type { DangerKind } from './shell-danger.ts';
import { type ShellEffect, EFFECT_PATTERNS } from './effect-patterns.ts';

/** Characters that the shapes are looked for in at once. Parts overlap by more than a shape has. */
const PART = 8_000;
const OVERLAP = 1_500;
/** Characters of a longer command that are judged. */
const MAX_COMMAND = 200_000;

/** The rule `shell-fetch` reports these in shell text; other rules report them in code. */
const EFFECT_OF: Readonly<Partial<Record<DangerKind, ShellEffect>>> = {
  'fetch-run': 'remote-code',
  install: 'remote-code',
  'decode-run': 'decode-execute',
  connect: 'reverse-shell',
  send: 'data-exfiltration',
  destroy: 'destructive',
};

/** The effects of a command, each once; `secrets` are as `findShellDangers()` takes them. */
export function effectsOf(command: string, secrets?: ReadonlyMap<string, string>): ShellEffect[] {
  const text = unpadded(command);
  return [...new Set([...dangerEffects(text, secrets), ...shapeEffects(text)])];
}

/** Those that `findShellDangers()` does not find in the same text. */
export function effectsBeyondDangers(command: string): ShellEffect[] {
  const text = unpadded(command);
  const shapes = shapeEffects(text);
  if (shapes.length === 0) return shapes;
  const known = new Set(dangerEffects(text));
  return shapes.filter((effect) => !known.has(effect));
}

function dangerEffects(text: string, secrets?: ReadonlyMap<string, string>): ShellEffect[] {
  return findShellDangers(text, secrets).flatMap(({ kind }) => EFFECT_OF[kind] ?? []);
}

const SHAPES = Object.entries(EFFECT_PATTERNS) as [ShellEffect, readonly RegExp[]][];

function shapeEffects(text: string): ShellEffect[] {
  const found = new Set<ShellEffect>();
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += PART - OVERLAP) {
    const part = text.slice(from, from + PART);
    for (const [effect, expressions] of SHAPES) {
      if (!found.has(effect) && expressions.some((one) => one.test(part))) found.add(effect);
    }
  }
  return [...found];
}

/** Padding must not push a command beyond the part that is read. */
function unpadded(command: string): string {
  return command
    .slice(0, 1_000_000)
    .replaceAll(/[ \t]{3,}/g, '  ')
    .slice(0, MAX_COMMAND);
}
