/** Places the blocks of whole files and of lines of text, which need no place inside of code. Pure. */
import type { CodeStyle } from './code-style.ts';
import { findWired } from './find-wired.ts';
import { codeLanguageOf } from './open-code.ts';
import type { ProjectTexts } from './project-texts.ts';

export type Placed =
  | { readonly kind: 'added' | 'kept'; readonly file: string; readonly text: string }
  | { readonly kind: 'by_hand'; readonly file: string; readonly why: string };

/** Creates the file, unless another one is there or one that its name would hide. */
export function placeFile(
  file: string,
  text: string | undefined,
  lines: readonly string[],
  texts: ProjectTexts,
  { lineEnd }: CodeStyle,
): Placed {
  const content = lines.map((line) => line + lineEnd).join('');
  if (text === undefined) {
    const isCode = codeLanguageOf(file) === 'javascript';
    const other = isCode ? texts.project.resolve(file, `./${stemOf(file)}`) : undefined;
    // `./db` stands for `db/index.ts` until there is a `db.ts`.
    if (other !== undefined) {
      return { kind: 'by_hand', file, why: `it would hide "${other}" from imports` };
    }
    const isRequired =
      /\.[jt]sx?$/.test(file) && !/\.tsx?$/.test(file) && !texts.project.isEsPackage(file);
    if (isRequired && /^(?:import|export)\b/m.test(content)) {
      return {
        kind: 'by_hand',
        file,
        why: 'it would be CommonJS, and the block is an ES module',
      };
    }
    texts.set(file, content);
    return { kind: 'added', file, text: content };
  }
  const isSameFile = findWired(text, { verb: 'file', file, text: content }) !== undefined;
  if (isSameFile) return { kind: 'kept', file, text: content };
  return { kind: 'by_hand', file, why: 'the project has another file there' };
}

/** Lines that are missing go to the end of the file. */
export function placeLines(
  file: string,
  text: string | undefined,
  lines: readonly string[],
  texts: ProjectTexts,
): Placed {
  const present = new Set((text ?? '').split(/\r?\n/).map((line) => line.trimEnd()));
  const missing = lines.filter((line) => !present.has(line.trimEnd()));
  if (missing.length === 0) return { kind: 'kept', file, text: lines.join('\n') };
  const before = text ?? '';
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
  const isOpen = before !== '' && !before.endsWith('\n');
  const block = missing.join(lineEnd);
  const added = isOpen ? lineEnd + block : block + lineEnd;
  texts.set(file, before + added);
  return { kind: 'added', file, text: added };
}

/** How other files of its folder import it, without an ending. */
function stemOf(file: string): string {
  return (file.split('/').at(-1) ?? '').replace(/\.[^.]+$/, '');
}
