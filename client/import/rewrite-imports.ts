/** Rewrites the imports of a file of an item to relative ones, as `add --to` does for the files of a build. Pure. */
import { findSpecifiers } from '../place/javascript-specifiers.ts';
import type { Specifier } from '../place/javascript-specifiers.ts';
import { folderOf, relativePath } from '../place/layout.ts';
import { applyEdits } from '../place/text-edits.ts';
import type { FoundModule, ItemModule, ModuleIndex } from './module-index.ts';
import { projectAlias } from './module-index.ts';

interface RewrittenFile {
  readonly content: string;
  /** Items whose modules it imports. */
  readonly uses: readonly string[];
  /** Packages that it imports, and names by an alias that no item has. */
  readonly packages: readonly string[];
  readonly unresolved: readonly string[];
  /** Whether its code could not be read. */
  readonly isUnread: boolean;
}

const SCRIPT = /\.(?:[mc]?[jt]s|[jt]sx)$/;
const MIXED = /\.(?:vue|svelte|astro)$/;
const SCRIPT_PART = /<script\b[^>]*>([\s\S]*?)<\/script>/dg;
const FRONT_MATTER = /^\s*---\r?\n([\s\S]*?)\r?\n---/d;

/** @param prefer the items in the order in which they are taken where several have a module */
export function rewriteImports(
  { source, place }: ItemModule,
  content: string,
  index: ModuleIndex,
  prefer: readonly string[],
): RewrittenFile {
  const found = specifiersOf(place, content);
  const edits: { start: number; end: number; text: string }[] = [];
  const [uses, packages, unresolved] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { value, start, end } of found ?? []) {
    const [, name = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(value) ?? [];
    const module = choose(index.find(name, source, place), prefer);
    if (module !== undefined) {
      uses.add(module.item);
      const text = relativePath(folderOf(place), module.path) + query;
      if (text !== value) edits.push({ start, end, text });
      continue;
    }
    if (!/^(?:[@~]\/|\.)/.test(name)) {
      packages.add(name);
      continue;
    }
    const alias = projectAlias(name);
    if (alias !== undefined) edits.push({ start, end, text: alias + query });
    unresolved.add(alias ?? name);
  }
  return {
    content: applyEdits(content, edits),
    uses: [...uses],
    packages: [...packages],
    unresolved: [...unresolved],
    isUnread: found === undefined,
  };
}

/** `undefined` for code with a syntax error; empty for a file without code. */
function specifiersOf(path: string, content: string): readonly Specifier[] | undefined {
  if (SCRIPT.test(path)) return findSpecifiers(path, content)?.specifiers;
  if (!MIXED.test(path)) return [];
  const all: Specifier[] = [];
  for (const { start, text } of scripts(path, content)) {
    const found = findSpecifiers(`${path}.ts`, text);
    if (found === undefined) return undefined;
    for (const { value, start: at, end, quote } of found.specifiers) {
      all.push({ value, start: at + start, end: end + start, quote });
    }
  }
  return all;
}

/** The parts of a component that are TypeScript. */
function scripts(path: string, content: string): { start: number; text: string }[] {
  const parts = [...content.matchAll(SCRIPT_PART)];
  const front = path.endsWith('.astro') ? FRONT_MATTER.exec(content) : null;
  return [...(front === null ? [] : [front]), ...parts].map((match) => {
    return { start: match.indices?.[1]?.[0] ?? 0, text: match[1] ?? '' };
  });
}

function choose(found: readonly FoundModule[], prefer: readonly string[]): FoundModule | undefined {
  for (const item of prefer) {
    const own = found.find((one) => one.item === item);
    if (own !== undefined) return own;
  }
  return found[0];
}
