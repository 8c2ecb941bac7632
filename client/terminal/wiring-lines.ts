/** The text of the wiring of a plan for people: each block that goes in or out, each step that is left to the user. */
import { structuredPatch } from 'diff';
import type { WiringEntry } from '../plan/planned-entries.ts';
import { oneLine, printable } from './printable.ts';

const MARKS = {
  added: '+',
  replaced: '~',
  removed: 'x',
  kept: '=',
  left: '!',
  held: '!',
} as const;
const WORDS = {
  added: '',
  replaced: '  new text',
  removed: '  removed',
  kept: '  is there already',
  left: '  stays',
  held: '  stays without your yes',
} as const;
/** Longer texts are in the guide. */
const MAX_LINES = 40;
/** What replaces text is shown, and not only its beginning. */
const MAX_CHANGED_LINES = 400;
/** Time limit for the comparison of one text. */
const TIMEOUT_MS = 1000;

/** A line for each block, with its text; steps by hand at the end, as they are written. */
export function describeWiring(entries: readonly WiringEntry[]): string[] {
  const done = entries.filter(({ action }) => action !== 'by_hand');
  const byHand = entries.filter(({ action }) => action === 'by_hand');
  return [
    ...done.flatMap(describeBlock),
    ...byHand.flatMap(({ build, step, file, text, why = '' }) => [
      `  by hand: step ${step} of ${build}, ${file}: ${oneLine(why)}`,
      ...linesOf(text, '      '),
    ]),
  ];
}

function describeBlock({ step, file, action, text, why, before }: WiringEntry): string[] {
  if (action === 'by_hand') return [];
  const reason = why === undefined ? '' : `: ${oneLine(why)}`;
  const head = `  ${MARKS[action]} ${file}: step ${step}${WORDS[action]}${reason}`;
  if (action === 'held' || (action === 'replaced' && before !== undefined)) {
    return [head, ...differenceOf(before ?? '', text)];
  }
  if (action === 'removed' && before !== undefined) return [head, ...differenceOf(before, '')];
  return action === 'added' || action === 'replaced' ? [head, ...linesOf(text, '      ')] : [head];
}

/** The lines that go and that come, with those around them. */
function differenceOf(before: string, after: string): string[] {
  const [old, fresh] = [before, after].map((text) => {
    const lines = text.replaceAll('\r\n', '\n');
    return lines === '' ? '' : `${lines}\n`;
  }) as [string, string];
  const names = ['', '', old, fresh, '', ''] as const;
  const patch = structuredPatch(...names, { context: 3, timeout: TIMEOUT_MS });
  const hunks = patch?.hunks.map(({ lines }) => lines) ?? [
    [...marked(old, '-'), ...marked(fresh, '+')],
  ];
  const lines = hunks.flatMap((hunk, at) => (at === 0 ? hunk : ['  ...', ...hunk]));
  const more = lines.length - MAX_CHANGED_LINES;
  const shown = lines
    .slice(0, MAX_CHANGED_LINES)
    .map((line) => `      ${line.slice(0, 1)} ${shownLine(line.slice(1))}`.trimEnd());
  return more > 0 ? [...shown, `      ... ${more} more lines: --json has them`] : shown;
}

function marked(text: string, mark: string): string[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => mark + line);
}

function linesOf(text: string, indent: string): string[] {
  const lines = text.split(/\r?\n/);
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => (line.trim() === '' ? '' : indent + shownLine(line)));
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...shown, `${indent}... ${more} more lines`] : shown;
}

/** Control characters of a publisher must not reach the terminal; the indentation of code may. */
function shownLine(line: string): string {
  const [lead = ''] = /^\s*/.exec(line) ?? [];
  return printable(lead.replaceAll('\t', '    ') + line.slice(lead.length));
}
