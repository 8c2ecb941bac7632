/**
 * Removes the variables of builds from the text of a `.env.example`, each if its lines are unchanged. The heading of a block
 * and the empty line above it are removed with the last of its variables.
 */
import { isDeepStrictEqual } from 'node:util';
import { isBuildId } from '../../format/build/build-id.ts';
import { readVariables, withoutComment } from './env-example.ts';
import {
  type FileLine,
  findRun,
  isBlank,
  joinFileLines,
  removeLines,
  splitFileLines,
} from './file-lines.ts';
import { splitBom } from './project-file.ts';

/** A variable as the lock records it. */
export interface AddedVariable {
  readonly name: string;
  /** The added lines, joined by LF; untrusted, because it comes from a lock. */
  readonly text: string;
}

/**
 * Removes those of `variables` whose lines are unchanged; `changed` are the others that the text still
 * has.
 * @param staying names of variables of installed builds: the headings of their blocks are kept
 */
export function uninstallFromEnvExample(
  text: string,
  variables: readonly AddedVariable[],
  staying: ReadonlySet<string>,
): { readonly text: string; readonly changed: readonly string[] } {
  const { bom, body } = splitBom(text);
  const ours = new Set([...staying, ...variables.map(({ name }) => name)]);
  let lines: FileLine[] = splitFileLines(body);
  const changed: string[] = [];
  for (const variable of variables) {
    const taken = tryTake(lines, variable, ours);
    if (taken !== undefined) lines = taken;
    else if (readVariables(body).has(variable.name)) changed.push(variable.name);
  }
  return { text: bom + joinFileLines(lines), changed };
}

/** `lines` without the variable; `undefined` when its lines were changed. */
function tryTake(
  lines: readonly FileLine[],
  { name, text }: AddedVariable,
  ours: ReadonlySet<string>,
): FileLine[] | undefined {
  const texts = text.split('\n');
  const at = findRun(lines, texts);
  // The recorded text must be one variable with its comments, and nothing else.
  const stated = texts.with(-1, withoutComment(texts.at(-1)!)).join('\n');
  const isOne = [...readVariables(stated).keys()].join('\n') === name;
  const isPlain = texts.slice(0, -1).every((line) => line.startsWith('#'));
  if (at < 0 || !isOne || !isPlain) return undefined;
  const rest = withoutHeading(removeLines(lines, at, texts.length), at - 1, ours);
  const before = readVariables(joinFileLines(lines));
  const after = readVariables(joinFileLines(rest));
  before.delete(name);
  after.delete(name);
  return isDeepStrictEqual(after, before) ? rest : undefined;
}

/** Removes the heading at index `at`, if it is one and its block has no variable of a build. */
function withoutHeading(lines: FileLine[], at: number, ours: ReadonlySet<string>): FileLine[] {
  const heading = lines[at]?.text ?? '';
  if (!heading.startsWith('# ') || !isBuildId(heading.slice(2))) return lines;
  const length = lines.slice(at).findIndex(({ text }) => isBlank(text));
  const block = lines.slice(at + 1, length < 0 ? undefined : at + length);
  if (block.some(({ text }) => ours.has(withoutComment(text).split('=', 1)[0]!))) return lines;
  const hasGap = lines[at - 1]?.text === '';
  return hasGap ? removeLines(lines, at - 1, 2) : removeLines(lines, at, 1);
}
