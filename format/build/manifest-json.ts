/**
 * From the bytes of a manifest to a JSON value: size, UTF-8, nesting, syntax with line and column, and
 * what `JSON.parse` would accept silently. The bytes come from publishers and archives.
 */
import { createScanner, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { MANIFEST_FILE } from './build-files.ts';
import type { Finding } from '../finding/finding.ts';
import { finding } from '../finding/finding.ts';

export const MAX_MANIFEST_BYTES = 256_000;

/** No valid manifest nests deeper than 4; the parsers behind this one recurse. */
const MAX_MANIFEST_DEPTH = 32;

interface ManifestJson {
  readonly value: object;
  /** Keys and strings that JSON can express and a manifest may not hold. */
  readonly findings: readonly Finding[];
}

/** The text of a manifest, or the finding that explains why it cannot be read. */
export function readManifestText(bytes: Uint8Array): string | Finding {
  if (bytes.length > MAX_MANIFEST_BYTES) {
    return finding('manifest-size', MANIFEST_FILE, {
      bytes: bytes.length,
      limit: MAX_MANIFEST_BYTES,
    });
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return finding('manifest-bom', MANIFEST_FILE);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return finding('manifest-encoding', MANIFEST_FILE);
  }
}

/** The JSON object that `source` holds, or the first problem with its syntax. */
export function readManifestJson(source: string): ManifestJson | Finding {
  const deepAt = findDeepNesting(source);
  if (deepAt !== undefined) {
    return notJson(`nested more than ${MAX_MANIFEST_DEPTH} levels deep`, source, deepAt);
  }
  const errors: ParseError[] = [];
  const tree = parseTree(source, errors, { disallowComments: true });
  const [error] = errors;
  if (error !== undefined) return notJson(describe(error), source, error.offset);
  if (tree === undefined) return notJson('it is empty', source, 0);
  if (tree.type !== 'object') {
    return finding('manifest-object', MANIFEST_FILE, { found: `of type ${tree.type}` });
  }
  let value: object;
  try {
    value = JSON.parse(source) as object;
  } catch {
    return notJson('invalid syntax', source, 0);
  }
  const findings: Finding[] = [];
  checkNodes(tree, source, findings);
  return { value, findings };
}

/** The offset at which brackets nest too deeply. As in the parser, a closing bracket counts only when it matches. */
function findDeepNesting(source: string): number | undefined {
  // With few brackets there is no need to know which are in strings.
  if ((source.match(/[[{]/g)?.length ?? 0) <= MAX_MANIFEST_DEPTH) return undefined;
  const scanner = createScanner(source, true);
  const closers: string[] = [];
  while (scanner.getPosition() < source.length) {
    scanner.scan();
    const mark = source[scanner.getTokenOffset()];
    if (mark === closers.at(-1)) closers.pop();
    else if (mark === '{' || mark === '[') closers.push(mark === '{' ? '}' : ']');
    if (closers.length > MAX_MANIFEST_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

/** Finds keys that `JSON.parse` would drop or that could reach a prototype, and text that is not Unicode. */
function checkNodes(node: Node, source: string, found: Finding[]): void {
  const seen = new Set<string>();
  if (node.type === 'string' && !String(node.value).isWellFormed()) {
    found.push(notJson('a string with half of a surrogate pair', source, node.offset));
  }
  for (const child of node.children ?? []) {
    if (child.type === 'property' && node.type === 'object') {
      const [keyNode] = child.children ?? [];
      const key = String(keyNode?.value);
      const problem = seen.has(key)
        ? 'stands twice'
        : key === '__proto__'
          ? 'is not allowed'
          : undefined;
      if (problem !== undefined) {
        const place = placeOf(source, keyNode?.offset ?? child.offset);
        found.push(finding('manifest-key', MANIFEST_FILE, { key, problem, ...place }));
      }
      seen.add(key);
    }
    checkNodes(child, source, found);
  }
}

function notJson(problem: string, source: string, offset: number): Finding {
  return finding('manifest-json', MANIFEST_FILE, { problem, ...placeOf(source, offset) });
}

function describe(error: ParseError): string {
  const words = printParseErrorCode(error.error).replace(/([a-z])([A-Z])/g, '$1 $2');
  return words.toLowerCase();
}

function placeOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
