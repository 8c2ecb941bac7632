/**
 * The steps of an INTEGRATION.md that a client can carry out: the numbered items of its section "Steps" with
 * wired fences. Pure; the text comes from a publisher and is untrusted.
 *
 *     1. **Where the app mounts its routes**: add after the last route.
 *
 *        ```ts wire insert @express routes
 *        mountAccount(app);
 *        ```
 *
 *        Otherwise add it to the list in `src/routes.ts`.
 */
import { INTEGRATION_FILE } from '../build/build-files.ts';
import { printable } from '../build/file-path.ts';
import { type Finding, at, finding } from '../finding/finding.ts';
import { markdownLines, readGuide } from './markdown.ts';
import { type WireInfo, mayBeWired, parseWireInfo } from './wire-info.ts';

type MarkdownBlocks = ReturnType<typeof readGuide>;

type Fence = MarkdownBlocks['fences'][number];

/** A wired fence. */
export interface WireBlock extends WireInfo {
  /** The code or lines, with LF and a final LF. */
  readonly text: string;
  /** Line of the first line of the block in the guide. */
  readonly line: number;
}

/** A numbered step with at least one wired fence. */
export interface WiredStep {
  /** As it is rendered: the first step is 1. */
  readonly number: number;
  /** The step as it is written. */
  readonly text: string;
  /** The first whose blocks all have exactly one place is carried out. Absent blocks: a fence is not valid. */
  readonly alternatives: readonly (readonly WireBlock[])[];
  /** Whether one of its fences is not valid: then people carry it out. */
  readonly isBroken: boolean;
}

interface Wiring {
  readonly steps: readonly WiredStep[];
  /** How many of the numbered steps people carry out, at least in part: they have another fence, or none. */
  readonly plainSteps: number;
  /** What is wrong with wired fences, in their order. */
  readonly findings: readonly Finding[];
}

const OTHERWISE = /^[ \t]*Otherwise\b/;

export function parseWiring(guide: string): Wiring {
  if (!mayBeWired(guide)) return { steps: [], plainSteps: 0, findings: [] };
  const lines = markdownLines(guide);
  const { fences: all, marks, prose } = readGuide(guide);
  const findings: Finding[] = [];
  for (const fence of all) {
    if (fence.hidden === undefined || parseWireInfo(fence.info) === undefined) continue;
    findings.push(found('wiring-hidden', fence, { where: fence.hidden }));
  }
  const fences = all.filter(({ hidden, isQuoted }) => hidden === undefined && !isQuoted);
  const ranges = stepRanges(marks, lines.length);
  const owners = Map.groupBy(fences, (fence) => rangeOf(ranges, fence));
  let plainSteps = 0;
  const steps = ranges.flatMap((range) => {
    const { number, from, to } = range;
    const own = owners.get(range) ?? [];
    const read = own.map((fence) => ({ fence, block: readBlock(fence, findings) }));
    const wired = read.filter(({ block }) => block !== undefined);
    if (wired.length === 0 || wired.length < own.length) plainSteps += 1;
    if (wired.length === 0) return [];
    const text = lines.slice(from, to).join('\n').trimEnd();
    const blocks = wired.flatMap(({ fence, block }) =>
      block === undefined || block === 'broken' ? [] : [{ fence, block }],
    );
    const isBroken = blocks.length < wired.length;
    return [{ number, text, alternatives: splitAlternatives(blocks, prose), isBroken }];
  });
  for (const fence of owners.get(undefined) ?? []) {
    if (parseWireInfo(fence.info) === undefined) continue;
    findings.push(found('wiring-place', fence, {}));
  }
  findings.sort((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0));
  return { steps, plainSteps, findings };
}

/**
 * How many numbered steps a guide has, and how many of them are left to people when the client carries out the wired ones
 * (those whose place it finds in a project).
 */
export function countSteps(guide: string): { readonly all: number; readonly unwired: number } {
  const lines = markdownLines(guide);
  const all = stepRanges(readGuide(guide).marks, lines.length).length;
  if (!mayBeWired(guide)) return { all, unwired: all };
  const { steps, plainSteps } = parseWiring(guide);
  const unwired = plainSteps + steps.filter(({ isBroken }) => isBroken).length;
  return { all, unwired: Math.min(all, unwired) };
}

function rangeOf(ranges: readonly StepRange[], { line }: Fence): StepRange | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.to < line) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && line > range.from ? range : undefined;
}

interface StepRange {
  readonly number: number;
  /** Lines from this index to before the other. */
  readonly from: number;
  readonly to: number;
}

/** The numbered items of the section "Steps". */
function stepRanges(marks: MarkdownBlocks['marks'], lines: number): StepRange[] {
  const ranges: StepRange[] = [];
  let depth: number | undefined;
  let from: number | undefined;
  const end = (to: number): void => {
    if (from !== undefined) ranges.push({ number: ranges.length + 1, from, to });
    from = undefined;
  };
  for (const mark of marks) {
    if (mark.kind === 'heading') {
      if (depth === undefined && mark.title.toLowerCase() === 'steps') depth = mark.depth;
      else if (depth !== undefined && mark.depth <= depth) {
        end(mark.line - 1);
        depth = undefined;
      }
    } else if (depth !== undefined) {
      end(mark.line - 1);
      from = mark.line - 1;
    }
  }
  end(lines);
  return ranges;
}

/** `undefined` for an ordinary fence. */
function readBlock(fence: Fence, findings: Finding[]): WireBlock | 'broken' | undefined {
  const parsed = parseWireInfo(fence.info);
  if (parsed === undefined) return undefined;
  if (!parsed.ok) {
    const { problem, wanted } = parsed;
    const args = { found: printable(parsed.found.slice(0, 200)), wanted };
    findings.push(found(`wiring-${problem}`, fence, args));
    return 'broken';
  }
  const { info } = parsed;
  const block = { ...info, text: fence.text, line: fence.line + 1 };
  if (!fence.isClosed) findings.push(found('wiring-unclosed', fence, {}));
  else if (fence.text.trim() === '') findings.push(found('wiring-empty', fence, {}));
  else return block;
  return 'broken';
}

function found(
  code: Parameters<typeof finding>[0],
  { line }: Fence,
  args: Readonly<Record<string, string | number>>,
): Finding {
  return at(finding(code, INTEGRATION_FILE, args), { line, column: 1, length: 0 });
}

/** Blocks that a line of prose with "Otherwise" in front separates. */
function splitAlternatives(
  blocks: readonly { readonly fence: Fence; readonly block: WireBlock }[],
  prose: MarkdownBlocks['prose'],
): WireBlock[][] {
  const alternatives: WireBlock[][] = [];
  let after: number | undefined;
  for (const { fence, block } of blocks) {
    let isOther = after === undefined;
    for (let line = after ?? fence.line; line < fence.line; line += 1) {
      isOther ||= OTHERWISE.test(prose.get(line) ?? '');
    }
    if (isOther) alternatives.push([]);
    alternatives.at(-1)!.push(block);
    after = fence.endLine + 1;
  }
  return alternatives;
}
