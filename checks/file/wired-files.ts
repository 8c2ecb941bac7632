/**
 * The blocks of wired fences as files of code, as the checks read them: those of one alternative for one target
 * together, so that what a block does with what another imports is seen.
 */
import { INTEGRATION_FILE } from '../../format/build/build-files.ts';
import type { WireBlock, WiredStep } from '../../format/wiring/wiring.ts';
import { parseWiring } from '../../format/wiring/wiring.ts';
import { wireLanguageOf } from '../../format/wiring/wire-info.ts';
import type { BuildFile } from '../scanned-file.ts';

/** Code that a client would put into a file of a project. */
export interface WiredFile {
  /** A path that no file of the build has. */
  readonly path: string;
  readonly target: string;
  readonly text: string;
  readonly blocks: readonly WireBlock[];
  /** The line in the guide of a line of `text`, both counted from 1. */
  readonly lineInGuide: (line: number) => number;
}

const ENDINGS: Readonly<Record<string, string>> = {
  tsx: 'tsx',
  jsx: 'jsx',
  js: 'js',
  mjs: 'mjs',
  javascript: 'js',
  py: 'py',
  python: 'py',
};

/** The text of INTEGRATION.md; `''` for none. */
export function guideOf(files: readonly BuildFile[]): string {
  const guide = files.find(({ path }) => path === INTEGRATION_FILE);
  return guide === undefined ? '' : Buffer.from(guide.bytes).toString('utf8');
}

export function wiredFiles(guide: string): WiredFile[] {
  return parseWiring(guide).steps.flatMap((step) =>
    step.alternatives.flatMap((blocks, at) => filesOf(step, at, blocks)),
  );
}

/** Whether a block is one expression and not statements. */
export function isValueBlock({ verb }: WireBlock): boolean {
  return verb === 'append' || verb === 'argument' || verb === 'wrap';
}

function filesOf({ number }: WiredStep, at: number, blocks: readonly WireBlock[]): WiredFile[] {
  const code = blocks.filter((block) => wireLanguageOf(block.language) !== 'text');
  const groups = Map.groupBy(
    code,
    ({ target, verb }) => `${verb === 'file' ? 'file ' : ''}${target}`,
  );
  return [...groups.values()].map((group, index) => {
    const ending = ENDINGS[group[0]!.language] ?? 'ts';
    const path = `INTEGRATION.step-${number}-${at + 1}-${index + 1}.${ending}`;
    const lines: number[] = [];
    const text = group
      .map((block) => {
        const own = block.text.split('\n').slice(0, -1);
        lines.push(...own.map((_, line) => block.line + line));
        return isValueBlock(block) ? `(${block.text.trimEnd().replace(/,$/, '')})\n` : block.text;
      })
      .join('');
    const { target } = group[0]!;
    return {
      path,
      target,
      text,
      blocks: group,
      lineInGuide: (line) => lines[Math.min(line, lines.length) - 1] ?? 1,
    };
  });
}
