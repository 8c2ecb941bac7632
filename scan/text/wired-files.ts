/**
 * The blocks of wired fences as files of code, as the checks read them: those of one alternative for one target
 * together, so that what a block does with what another imports is seen.
 */
import { posix } from 'node:path';
import { INTEGRATION_FILE } from '../../format/build/build-files.ts';
import { parseWiring, type WireBlock, type WiredStep } from '../../format/wiring/wiring.ts';
import { wireLanguageOf } from '../../format/wiring/wire-info.ts';
import { languageOf } from '../parse/syntax.ts';
import type { BuildFile } from '../scanned-file.ts';
import { isTestOrExamplePath } from './file-kind.ts';

/** What a client would put into a file of a project. */
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
  return verb === 'append';
}

function filesOf({ number }: WiredStep, at: number, blocks: readonly WireBlock[]): WiredFile[] {
  const groups = Map.groupBy(blocks, (block) =>
    isWholeFile(block) ? `${block.verb} ${block.target}` : block.target,
  );
  return [...groups.values()].map((group, index) => {
    const path = pathOf(`INTEGRATION.step-${number}-${at + 1}-${index + 1}`, group[0]!);
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

/** The other verbs put code into a file of the project, next to code that is there. */
function isWholeFile({ verb }: WireBlock): boolean {
  return verb === 'file' || verb === 'lines';
}

/** A whole file is what its name in the project makes it, also under the language of another one. */
function pathOf(stem: string, block: WireBlock): string {
  const byLanguage = `${stem}.${ENDINGS[block.language] ?? 'ts'}`;
  if (!isWholeFile(block)) return byLanguage;
  const path = `${stem}/${posix.basename(block.target)}`;
  // The application imports it, also where it is called a test.
  if (isTestOrExamplePath(path)) return `${stem}${posix.extname(path)}`;
  const isCode = languageOf(path, block.text) !== undefined;
  return isCode || wireLanguageOf(block.language) === 'text' ? path : byLanguage;
}
