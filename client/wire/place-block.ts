/**
 * Puts one block of a guide into a project, or states why it has no place. The result is checked: what was put in
 * must be found again and taken out to the same bytes. Pure.
 */
import {
  formatAnchor,
  isWireRole,
  NEXT_APP,
  wireLanguageOf,
} from '../../format/wiring/wire-info.ts';
import type { WireBlock } from '../../format/wiring/wiring.ts';
import { joinPath } from '../plan/place/paths.ts';
import { checkImports } from './block-imports.ts';
import { type CodeStyle, completeStyle, readStyle } from './code-style.ts';
import type { Code, Range } from './code.ts';
import { findApplication, type FoundApplication, type NoPlace } from './find-application.ts';
import { findWired, type WiredText } from './find-wired.ts';
import { takenPrefix } from './mounted-paths.ts';
import { fileOfNext } from './next-routes.ts';
import { isSameCode, MAX_WIRED_CHARACTERS, openCode, sliceOf } from './open-code.ts';
import { type Placed, placeFile, placeLines } from './place-file.ts';
import type { ProjectTexts } from './project-texts.ts';
import { renderBlock, type RewriteImports } from './render-block.ts';
import { afterStatement, applySplice, asLastElement, atTop, type Splice } from './splice.ts';

/** What a build brings to the placing of its blocks. */
export interface BuildContext {
  /** The folder that relative imports of blocks for a role are written for. */
  readonly home: string;
  readonly rewrite: RewriteImports;
  /** Paths that the blocks of the build mount: a project that has one already is not touched. */
  readonly prefixes: readonly string[];
  /** How the project writes its code in files like the one at a path. */
  readonly styleOf: (path: string) => CodeStyle;
  /** A file that a block creates, in the style of the project. */
  readonly styleFile?: StyleFile;
}

/** The whole text of the file at `path` in another style. */
export type StyleFile = (path: string, text: string) => string;

interface Target {
  readonly file: string;
  readonly application: FoundApplication | undefined;
}

/** Places `block` into `texts`, which changes only for `added`. */
export function placeBlock(block: WireBlock, texts: ProjectTexts, context: BuildContext): Placed {
  const target = findTarget(block, texts);
  if ('why' in target)
    return { kind: 'by_hand', file: target.path ?? block.target, why: target.why };
  const { file } = target;
  const fail = (why: string): Placed => ({ kind: 'by_hand', file, why });
  if (texts.project.isOfModule(file)) return fail('it is a file of an installed build');
  const text = texts.get(file);
  if (text === undefined && texts.project.isTaken(file)) return fail('it is no text file');
  const lines = renderFor(block, target, context, text ?? '');
  if (lines === undefined) return fail('the block has a syntax error');
  if (block.verb === 'file') return placeFile(file, text, lines, texts, context.styleOf(file));
  if (block.verb === 'lines') return placeLines(file, text, lines, texts);
  if (text === undefined) return fail('the project has no such file');
  if (text.length > MAX_WIRED_CHARACTERS) return fail('it is too large to be read');
  const code = openCode(file, text);
  if (code === undefined) return fail('it has a syntax error, or is no code');
  const found = findPlace(block, code, target, { lines, texts, context });
  if (found.kind === 'by_hand') return { ...found, file };
  const recorded = { kind: found.kind, file, text: found.text } as const;
  if (found.kind === 'kept') return recorded;
  const problem = checkResult(block, file, text, found);
  if (problem !== undefined) return fail(problem);
  texts.set(file, found.result);
  return recorded;
}

/** The block as the file `target` writes code, in lines. */
export function renderFor(
  block: WireBlock,
  { file, application }: Target,
  { home, rewrite, styleOf, styleFile }: BuildContext,
  text: string,
): string[] | undefined {
  const name = wireLanguageOf(block.language) === 'python' ? 'app.py' : 'app.ts';
  const shipped = block.target.startsWith('@') ? joinPath(home, name) : block.target;
  const style = completeStyle(readStyle(text), [styleOf(file)]);
  const input = { block, shipped, path: file, style, rewrite, application: application?.name };
  const lines = renderBlock(input);
  if (lines === undefined || block.verb !== 'file' || styleFile === undefined) return lines;
  return styleFile(file, `${lines.join('\n')}\n`)
    .replace(/\n$/, '')
    .split('\n');
}

/** The file of a block, with the application where the block is about it. */
export function findTarget(block: WireBlock, texts: ProjectTexts): Target | NoPlace {
  const { target, anchor } = block;
  if (target.startsWith(NEXT_APP)) {
    const found = fileOfNext(target.slice(NEXT_APP.length), texts);
    return 'why' in found ? found : { ...found, application: undefined };
  }
  if (isWireRole(target)) {
    const application = findApplication(target, texts);
    return 'why' in application ? application : { file: application.path, application };
  }
  const isAbout = anchor?.kind === 'routes' || anchor?.kind === 'routers';
  const text = isAbout ? texts.get(target) : undefined;
  if (text === undefined) return { file: target, application: undefined };
  const python = wireLanguageOf(block.language) === 'python';
  const roles = python
    ? (['@fastapi'] as const)
    : (['@express', '@hono', '@fastify', '@nest'] as const);
  const found = roles.map((role) => findApplication(role, texts, target));
  const application =
    found.find((one) => !('why' in one)) ??
    found.find((one) => one.path !== undefined) ??
    found[0]!;
  return 'why' in application ? application : { file: target, application };
}

interface PlaceInput {
  readonly lines: readonly string[];
  readonly texts: ProjectTexts;
  readonly context: BuildContext;
}

type Place =
  | { readonly kind: 'kept'; readonly text: string }
  | { readonly kind: 'added'; readonly text: string; readonly result: string }
  | { readonly kind: 'by_hand'; readonly why: string };

function findPlace(block: WireBlock, code: Code, target: Target, input: PlaceInput): Place {
  switch (block.verb) {
    case 'import':
      return placeImport(code, input);
    case 'insert':
      return placeStatements(code, target.application, input);
    default:
      return placeElement(block, code, input);
  }
}

function placeImport(code: Code, { lines, texts, context }: PlaceInput): Place {
  const isEs = texts.project.isEsPackage(code.path);
  const state = checkImports(code, lines.join('\n'), isEs);
  if (state === 'present') return { kind: 'kept', text: lines.join('\n') };
  if (state !== 'absent') return { kind: 'by_hand', why: state };
  const style = completeStyle(readStyle(code.text), [context.styleOf(code.path)]);
  const last = code.imports.at(-1);
  if (last === undefined) return splice(code, atTop(code.top, lines, style));
  return splice(code, afterStatement(code.text, last, lines, style));
}

function placeStatements(
  code: Code,
  application: FoundApplication | undefined,
  { lines, texts, context }: PlaceInput,
): Place {
  if (application === undefined) return { kind: 'by_hand', why: 'it makes no application' };
  const present = presentStatements(code, lines.join('\n'));
  if (present === 'all') return { kind: 'kept', text: lines.join('\n') };
  if (present === 'some') return { kind: 'by_hand', why: 'it has some of the lines already' };
  const prefix = takenPrefix(code, application, context.prefixes, texts);
  if (prefix !== undefined) return { kind: 'by_hand', why: `the path "${prefix}" is taken` };
  const style = completeStyle(readStyle(code.text), [context.styleOf(code.path)]);
  return splice(code, afterStatement(code.text, application.after, lines, style));
}

/** Whether the statements of a block are in a file already. */
function presentStatements(code: Code, block: string): 'all' | 'some' | 'none' {
  const read = openCode(code.path, block);
  const wanted = read?.blocks[0] ?? [];
  const isThere = wanted.map((one) =>
    code.blocks.some((statements) =>
      statements.some((other) =>
        isSameCode(code.path, sliceOf(code.text, other), sliceOf(block, one)),
      ),
    ),
  );
  if (isThere.every(Boolean)) return isThere.length > 0 ? 'all' : 'none';
  return isThere.some(Boolean) ? 'some' : 'none';
}

function placeElement(block: WireBlock, code: Code, { lines, context, texts }: PlaceInput): Place {
  const { anchor } = block;
  const lists = anchor === undefined ? [] : code.lists(anchor);
  const name = anchor === undefined ? '' : formatAnchor(anchor);
  const [list] = lists;
  if (list === undefined) return { kind: 'by_hand', why: `it has no place "${name}"` };
  if (lists.length > 1) return { kind: 'by_hand', why: `it has several places "${name}"` };
  const item = lines.join('\n');
  const isThere = list.elements.some((element) => isSame(code, element, item));
  if (isThere) return { kind: 'kept', text: item };
  const prefix = takenPrefix(code, undefined, context.prefixes, texts);
  if (prefix !== undefined) return { kind: 'by_hand', why: `the path "${prefix}" is taken` };
  const style = completeStyle(readStyle(code.text), [context.styleOf(code.path)]);
  return splice(code, asLastElement(code.text, list, lines, style));
}

function isSame(code: Code, range: Range, expression: string): boolean {
  return isSameCode(code.path, `(${code.text.slice(range.start, range.end)})`, `(${expression})`);
}

function splice(code: Code, made: Splice | string): Place {
  if (typeof made === 'string') return { kind: 'by_hand', why: made };
  return { kind: 'added', text: made.text, result: applySplice(code.text, made) };
}

/** What was put in must be found and leave the same bytes: otherwise the place is not clear. */
function checkResult(
  { verb, anchor }: WireBlock,
  file: string,
  before: string,
  { text, result }: { readonly text: string; readonly result: string },
): string | undefined {
  const name = anchor === undefined ? {} : { anchor: formatAnchor(anchor) };
  const after = takeOut(result, { verb, file, ...name, text });
  return after === before && openCode(file, result) !== undefined
    ? undefined
    : 'the block cannot be distinguished from what is there';
}

/** `text` without what `entry` records; `undefined` where it was changed. */
function takeOut(text: string, entry: WiredText): string | undefined {
  const found = findWired(text, entry);
  return found === undefined
    ? undefined
    : text.slice(0, found.cut.start) + text.slice(found.cut.end);
}
