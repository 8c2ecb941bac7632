/** The environment variables that the code of a build reads, with their descriptions from the project. */
import { personalDataIn } from '../../format/statement/personal-data.ts';
import { variablesOf } from '../../scan/evidence/fact-evidence.ts';
import type { SyntaxNode } from '../../scan/parse/parse-javascript.ts';
import { isConventional } from '../../scan/rules/quality/env.ts';
import type { ScannedBuild, ScannedFile } from '../../scan/scanned-file.ts';
import { isTestOrExamplePath } from '../../scan/text/file-kind.ts';

interface Variable {
  readonly description?: string;
  readonly example?: string;
}

/** The variables that Vite itself puts into `import.meta.env`. */
const OF_VITE = new Set(['MODE', 'BASE_URL', 'PROD', 'DEV', 'SSR']);
const GUESS_VARIABLES_NAME = /^[A-Za-z_]\w{0,119}$/;
const MAX_EXAMPLE = 200;
const MAX_DEPTH = 500;

/** @param example the text of the project's `.env.example`, `''` for none */
export function guessVariables(build: ScannedBuild, example: string): Record<string, Variable> {
  const read = build.taint.facts
    .filter(({ action, path }) => action === 'variable' && !isTestOrExamplePath(path))
    .flatMap(variablesOf);
  const meta = build.files.filter(({ path }) => !isTestOrExamplePath(path)).flatMap(metaVariables);
  const names = [...new Set([...read, ...meta])].filter(
    (name) => name !== '*' && !isConventional(name),
  );
  const known = exampleVariables(example);
  return Object.fromEntries(names.sort().map((name) => [name, known.get(name) ?? {}]));
}

/** `import.meta.env.X` and `import.meta.env['X']`. */
function metaVariables({ syntax }: ScannedFile): string[] {
  if (syntax.language !== 'javascript') return [];
  const names: string[] = [];
  visit(syntax.program, 0, (node) => {
    if (node.type !== 'MemberExpression') return;
    const object = node['object'] as SyntaxNode;
    if (object.type !== 'MemberExpression' || keyOf(object) !== 'env') return;
    if ((object['object'] as SyntaxNode).type !== 'MetaProperty') return;
    const name = keyOf(node);
    if (name !== undefined && GUESS_VARIABLES_NAME.test(name) && !OF_VITE.has(name))
      names.push(name);
  });
  return names;
}

function keyOf(member: SyntaxNode): string | undefined {
  const property = member['property'] as SyntaxNode;
  const key = member['computed'] === true ? property['value'] : property['name'];
  return typeof key === 'string' ? key : undefined;
}

function visit(value: unknown, depth: number, use: (node: SyntaxNode) => void): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) visit(item, depth + 1, use);
    return;
  }
  if ('type' in value && typeof value.type === 'string') use(value as SyntaxNode);
  for (const child of Object.values(value)) visit(child, depth + 1, use);
}

/** `NAME=value` with the comment above it; a value that looks like a secret is not used as an example. */
function exampleVariables(text: string): Map<string, Variable> {
  const found = new Map<string, Variable>();
  let comments: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const comment = /^\s{0,20}#\s{0,20}(.*)$/.exec(line)?.[1];
    const [, name, value = ''] = /^\s{0,20}(?:export )?([A-Za-z_]\w{0,119})=(.*)$/.exec(line) ?? [];
    if (comment !== undefined) comments.push(comment.trim());
    else {
      const description = comments.join(' ').trim();
      const example = value.trim().replace(/^(["'])(.*)\1$/, '$2');
      const isShown =
        example !== '' && example.length <= MAX_EXAMPLE && personalDataIn(example) === undefined;
      if (name !== undefined) {
        found.set(name, {
          ...(description === '' ? {} : { description }),
          ...(isShown ? { example } : {}),
        });
      }
      comments = [];
    }
  }
  return found;
}
