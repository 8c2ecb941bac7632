/**
 * Rewrites the imports of the files of a build for its place in a project, and for the places of the builds
 * that it requires. The same input gives the same bytes: a merge compares rewritten files with rewritten ones.
 * Pure.
 */
import { tryDecodeText } from '../../edit/project-file.ts';
import { MAX_CODE_BYTES } from '../../../scan/parse/limits.ts';
import { languageOf } from '../../../scan/parse/syntax.ts';
import type { RewrittenImport } from '../plan.ts';
import type { FileRewrite, LeftImport, RewriteContext } from './rewrite.ts';
import { applyEdits } from '../../edit/text-edit.ts';
import { resolveAlias } from './aliases.ts';
import { moveTo } from './layout.ts';
import { folderOf, isRelative, isWithin, joinPath, resolvePath } from './paths.ts';
import { rewriteJavaScript } from './rewrite-javascript.ts';
import { rewritePython } from './rewrite-python.ts';

/** A file whose imports were rewritten. */
interface RewrittenFile {
  readonly bytes: Uint8Array;
  readonly imports: readonly RewrittenImport[];
}

interface BuildRewrite {
  /** The files that changed, by path within the build. */
  readonly files: ReadonlyMap<string, RewrittenFile>;
  /** What was left as it is, by path in the project. */
  readonly left: ReadonlyMap<string, readonly LeftImport[]>;
}

/** Files that import by a syntax that is not read. */
const UNREAD = /\.(?:vue|svelte|astro|mdx|css|scss|sass|less|html?)$/;
const QUOTED_PATH = /["'(]((?:\.\.?|[@~])\/[^"'()\s]+)["')]/g;

/**
 * @param files of the build, by path within it
 * @throws {ClientError} `ERR_PROJECT_FILE`, `ERR_USAGE`: no name for a module can be written
 */
export function rewriteBuild(
  files: Iterable<readonly [string, { readonly bytes: Uint8Array }]>,
  context: RewriteContext,
): BuildRewrite {
  const { build } = context;
  const rewritten = new Map<string, RewrittenFile>();
  const left = new Map<string, readonly LeftImport[]>();
  for (const [from, { bytes }] of files) {
    const text = tryDecode(bytes);
    if (text === undefined) continue;
    const shipped = joinPath(build.base, from);
    const file = { shipped, placed: moveTo(build, shipped), text };
    const { edits, imports, left: rest } = rewriteFile(file, context);
    if (rest.length > 0) left.set(file.placed, rest);
    if (edits.length === 0) continue;
    rewritten.set(from, { bytes: new TextEncoder().encode(applyEdits(text, edits)), imports });
  }
  return { files: rewritten, left };
}

function rewriteFile(
  file: { shipped: string; placed: string; text: string },
  context: RewriteContext,
): FileRewrite {
  const { shipped, text } = file;
  const isTypes = /\.d\.[mc]?ts$/.test(shipped);
  const language = isTypes ? 'javascript' : languageOf(shipped, text);
  if (language === 'javascript') return rewriteJavaScript(file, context);
  if (language === 'python') return rewritePython(file, context);
  if (!UNREAD.test(shipped)) return { edits: [], imports: [], left: [] };
  const { build, layout, hasModule } = context;
  const isOut = (name: string): boolean => {
    if (!isRelative(name)) {
      const paths = resolveAlias(context.aliases(), name);
      return !paths.some((path) => hasModule(path) || layout.hasAt(path));
    }
    const target = resolvePath(folderOf(shipped), name);
    return build.base !== build.place && (target === undefined || !isWithin(build.base, target));
  };
  const left = [...text.matchAll(QUOTED_PATH)].flatMap((match) => {
    const [, path = ''] = match;
    if (!isOut(path)) return [];
    const line = text.slice(0, match.index).split('\n').length;
    return [{ line, what: `"${path}" is not rewritten in files of this kind` }];
  });
  return { edits: [], imports: [], left };
}

/** The text with its byte order mark; `undefined` for binary and very large files. */
function tryDecode(bytes: Uint8Array): string | undefined {
  return bytes.length > MAX_CODE_BYTES ? undefined : tryDecodeText(bytes);
}
