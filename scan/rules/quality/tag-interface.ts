/** What other builds import of a build that provides a tag such as `auth`: the names of docs/modules.md. */
import type { SyntaxNode as PythonNode } from '@lezer/common';
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import type { SyntaxNode } from '../../parse/parse-javascript.ts';

interface Interface {
  readonly javascript: readonly string[];
  readonly python: readonly string[];
  /** What published builds export and import in their place. */
  readonly former?: readonly string[];
}

/** By tag. A build with a tag that is not listed may export what it likes. */
const INTERFACES: ReadonlyMap<string, Interface> = new Map([
  [
    'auth',
    {
      javascript: ['authenticate', 'AuthUser'],
      python: ['require_auth', 'current_user'],
      former: ['requireAuth', 'currentUser', 'onUserDeleted', 'accountModule'],
    },
  ],
  [
    'database',
    { javascript: ['database', 'migrate', 'Migration'], python: ['get_session', 'metadata'] },
  ],
  ['mail', { javascript: ['sendMail'], python: ['send_mail'] }],
  ['jobs', { javascript: ['enqueue', 'defineJob', 'schedule'], python: ['enqueue'] }],
  ['files', { javascript: ['filesOf'], python: [] }],
]);

/** The names that blocks of a guide may import from a tag; `undefined` for a tag without a promise. */
export function namesOfTag(tag: string): readonly string[] | undefined {
  const names = INTERFACES.get(tag);
  return names && [...names.javascript, ...(names.former ?? [])];
}

/** The file from which other code imports, beside the manifest: a build has one folder in a project. */
export const INDEX = /^(?:index\.[cm]?[jt]s|__init__\.py)$/;

export const tagInterface: Rule = {
  name: 'tag-interface',
  run: ({ files, manifest }) => {
    const index = files.find(({ path }) => INDEX.test(path));
    const tags = (manifest.stack?.provides ?? []).filter((tag) => INTERFACES.has(tag));
    if (index === undefined || tags.length === 0) return [];
    const exported = exportsOf(index);
    if (exported === undefined) return [];
    return tags.flatMap((tag) => checkTag(tag, index, exported));
  },
};

function checkTag(tag: string, { path }: ScannedFile, exported: ReadonlySet<string>): Finding[] {
  const { javascript, python, former } = INTERFACES.get(tag)!;
  const missing = (path.endsWith('.py') ? python : javascript).filter((one) => !exported.has(one));
  if (missing.length === 0 || former?.every((one) => exported.has(one)) === true) return [];
  return [finding('tag-interface-missing', path, { tag, names: missing.join(', ') })];
}

/** The names that a file exports, types included; `undefined` where only its other files tell, or it was not read in full. */
export function exportsOf({ syntax, text = '' }: ScannedFile): ReadonlySet<string> | undefined {
  if ('gap' in syntax && syntax.gap !== undefined) return undefined;
  if (syntax.language === 'python') return boundInPython(syntax.tree.topNode, text);
  if (syntax.language !== 'javascript') return undefined;
  const names = new Set<string>();
  for (const node of syntax.program.body) {
    if (node.type === 'ExportAllDeclaration' && !node['exported']) return undefined;
    if (!/^Export(?:Named|All)Declaration$/.test(node.type)) continue;
    const specifiers = (node['specifiers'] ?? []) as readonly SyntaxNode[];
    for (const one of [node, ...specifiers]) addName(names, one['exported']);
    const declaration = node['declaration'] as SyntaxNode | null | undefined;
    const variables = (declaration?.['declarations'] ?? []) as readonly SyntaxNode[];
    for (const one of [declaration, ...variables]) addBound(names, one?.['id']);
  }
  return names;
}

/** The names that a declaration binds, by a name or by a pattern: `export const { a, b: [c] } = d`. */
function addBound(names: Set<string>, id: unknown): void {
  if (typeof id !== 'object' || id === null) return;
  const node = id as SyntaxNode;
  const parts = [node['properties'], node['elements']].flatMap((list) => (list ?? []) as unknown[]);
  const inner = [node['value'], node['left'], node['argument']];
  if (node.type === 'Identifier') addName(names, node);
  else for (const one of [...parts, ...inner]) addBound(names, one);
}

function addName(names: Set<string>, node: unknown): void {
  const { name, value } = (node ?? {}) as { readonly name?: unknown; readonly value?: unknown };
  if (typeof name === 'string') names.add(name);
  if (typeof value === 'string') names.add(value);
}

/** What the statements at the top level of a file bind; a module exports all of it. */
function boundInPython(top: PythonNode, text: string): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (let statement = top.firstChild; statement !== null; statement = statement.nextSibling) {
    if (/^from\b[^\n]*\bimport\s*\*/.test(text.slice(statement.from, statement.to)))
      return undefined;
    // A decorated definition is a level below.
    const inner = statement.name === 'DecoratedStatement' ? statement.lastChild : statement;
    for (let node = inner?.firstChild ?? null; node !== null; node = node.nextSibling) {
      if (node.name === 'VariableName') names.add(text.slice(node.from, node.to));
    }
  }
  return names;
}
