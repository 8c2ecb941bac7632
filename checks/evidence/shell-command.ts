/**
 * What a shell command does, judged by its text only. Commands come from publishers: every repetition in the
 * patterns is bounded, so that no command takes long.
 */
import { EFFECT_PATTERNS } from './effect-patterns.ts';
import type { ShellEffect } from './effect-patterns.ts';

/** Longer commands are judged by their beginning. */
const MAX_COMMAND = 8_000;

/** The effects of a command, each once. */
export function effectsOf(command: string): ShellEffect[] {
  // Padding must not push a command beyond the part that is read.
  const text = command
    .slice(0, 200_000)
    .replaceAll(/[ \t]{3,}/g, '  ')
    .slice(0, MAX_COMMAND);
  const found = new Set<ShellEffect>();
  for (const [effect, expression] of EFFECT_PATTERNS) {
    if (!found.has(effect) && expression.test(text)) found.add(effect);
  }
  return [...found];
}
