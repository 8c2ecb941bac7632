/** What one file runs automatically, as the readers of each kind of file return it. See `autorun.ts`. */
import type { FindingLevel } from '../../format/finding/texts/finding-text.ts';

/** What runs, when, and how bad that is, regardless of its shell text, which is judged separately. */
export interface AutorunEntry {
  readonly what: string;
  readonly when: string;
  readonly level: FindingLevel;
  /** Shell text that runs; `''` when it is not shell text. */
  readonly shell: string;
  /** A part of the file's text, from which the place is computed. */
  readonly near: string;
}

/** A finding about the file as a whole. */
export function whole(what: string, when: string, level: FindingLevel): AutorunEntry {
  return { what, when, level, shell: '', near: '' };
}

/** `command` and `args` of a settings object as one line of shell text. */
export function commandLine(value: Readonly<Record<string, unknown>>): string {
  const args = Array.isArray(value['args']) ? value['args'] : [];
  const parts = [value['command'], ...args].filter(
    (part): part is string => typeof part === 'string',
  );
  return parts
    .map((part, place) => (place > 0 && /\s/.test(part) ? `'${part.replaceAll("'", '')}'` : part))
    .join(' ');
}
