/** The text of the wiring of a plan for people: each block that goes in or out, each step that is left to the user. */
import type { WiringEntry } from '../plan/planned-entries.ts';
import { oneLine, printable } from '../terminal/printable.ts';

const MARKS = { added: '+', replaced: '~', removed: 'x', kept: '=', left: '!' } as const;
const WORDS = {
  added: '',
  replaced: '  new text',
  removed: '  removed',
  kept: '  is there already',
  left: '  stays',
} as const;
/** Longer texts are in the guide. */
const MAX_LINES = 40;

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

function describeBlock({ step, file, action, text, why }: WiringEntry): string[] {
  if (action === 'by_hand') return [];
  const reason = why === undefined ? '' : `: ${oneLine(why)}`;
  const head = `  ${MARKS[action]} ${file}: step ${step}${WORDS[action]}${reason}`;
  return action === 'added' || action === 'replaced' ? [head, ...linesOf(text, '      ')] : [head];
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
