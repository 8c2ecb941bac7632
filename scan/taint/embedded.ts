/** Code within code: constant texts that are executed, passed to an interpreter or written to a file. */
import { parseJavaScript } from '../parse/parse-javascript.ts';
import { parsePython } from '../parse/parse-python.ts';
import type { Module } from './ir.ts';
import type { Fact } from './fact.ts';
import { lowerJavaScript } from './javascript/lower.ts';
import { lowerPython } from './python/lower.ts';
import { UNKNOWN, deepTexts } from './value.ts';

/** Characters; shorter code has no sink. */
const MIN_CODE = 20;
/** Characters of all embedded code of a build. */
const MAX_CODE = 400_000;

/** The modules in the texts of `facts`; the places of their expressions are those of the outer code. */
export function embeddedModules(facts: readonly Fact[]): Module[] {
  const modules: Module[] = [];
  const seen = new Set<string>();
  let size = 0;
  for (const fact of facts) {
    for (const text of codeIn(fact)) {
      if (text.length < MIN_CODE || seen.has(text) || size + text.length > MAX_CODE) continue;
      seen.add(text);
      size += text.length;
      const module = moduleOf(fact, text.replaceAll(UNKNOWN, '0'));
      if (module !== undefined) modules.push(module);
    }
  }
  return modules;
}

function codeIn({ action, operand, args }: Fact): readonly string[] {
  if (action === 'execute') return operand.texts;
  if (action === 'write') return args.flatMap((value) => value.texts).filter(looksLikeCode);
  if (action !== 'spawn') return [];
  return args.flatMap(deepTexts).flatMap((text) => {
    const inline = /\b(?:node|python[\d.]*|py)\s+-[ce]\s+(["'])([\s\S]{20,})\1/.exec(text);
    return inline === null ? (looksLikeCode(text) ? [text] : []) : [inline[2]!];
  });
}

function looksLikeCode(text: string): boolean {
  return (
    text.length >= MIN_CODE && /\b(?:import|require|eval|exec|fetch|urlopen|Function)\b/.test(text)
  );
}

function moduleOf({ path, at, end }: Fact, text: string): Module | undefined {
  const isPython =
    /^\s*(?:import\s+\w|from\s+[\w.]+\s+import\b|exec\(|def )/m.test(text) &&
    !/\brequire\(|;\s*$|\bfrom\s+['"]/.test(text);
  try {
    if (isPython || path.endsWith('.py')) {
      const { tree, problemAt } = parsePython(text);
      if (problemAt !== undefined && !isPython) return undefined;
      return placed(lowerPython(path, text, tree), at, end);
    }
    const { program, problemAt } = parseJavaScript('embedded.js', text);
    return problemAt === undefined ? placed(lowerJavaScript(path, program), at, end) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Gives every expression the place of the text that contains the code. */
function placed(module: Module, at: number, end: number): Module {
  const seen = new Set<object>();
  const waiting: unknown[] = [...module.body, ...module.funcs.flatMap((f) => f.body)];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    if ('op' in one) Object.assign(one, { at, end });
    waiting.push(...Object.values(one));
  }
  return module;
}
