/** Rewrites the imports of blocks for the places of builds in a project. Pure. */
import { languageOf } from '../../scan/parse/syntax.ts';
import type { RewriteContext } from '../place/context.ts';
import { rewriteJavaScript } from '../place/rewrite-javascript.ts';
import { rewritePython } from '../place/rewrite-python.ts';
import { applyEdits } from '../place/text-edits.ts';
import type { RewriteImports } from './render-block.ts';

/** @param files that the blocks create: they are modules of the project */
export function importRewriter(context: RewriteContext, files: readonly string[]): RewriteImports {
  const stems = new Set(files.map(stemOf));
  const own: RewriteContext = {
    ...context,
    hasModule: (path) => stems.has(stemOf(path)) || context.hasModule(path),
  };
  return (file) => {
    const language = languageOf(file.placed, undefined);
    if (language === undefined) return file.text;
    const rewrite = language === 'python' ? rewritePython : rewriteJavaScript;
    return applyEdits(file.text, rewrite(file, own).edits);
  };
}

function stemOf(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|py)$/, '');
}
