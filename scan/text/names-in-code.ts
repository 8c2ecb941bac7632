/** The names that code uses, from its syntax tree: strings and comments do not count. */
import type { Syntax } from '../parse/syntax.ts';

/** Every name with a character beyond ASCII; `undefined` when there is no tree. */
export function foreignNames(syntax: Syntax, text: string): ReadonlySet<string> | undefined {
  if (syntax.language === 'python') {
    const names = new Set<string>();
    syntax.tree.iterate({
      enter: ({ name, from, to }) => {
        if (name === 'VariableName' || name === 'PropertyName')
          addForeign(names, text.slice(from, to));
      },
    });
    return names;
  }
  if (syntax.language !== 'javascript') return undefined;
  const names = new Set<string>();
  const open: object[] = [syntax.program];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'name' && typeof value === 'string') addForeign(names, value);
      else if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return names;
}

function addForeign(names: Set<string>, name: string): void {
  if (/[\u0080-\uFFFF]/.test(name)) names.add(name);
}
