import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJavaScript, type SyntaxNode } from './parse-javascript.ts';
import { readInPieces } from './read-in-pieces.ts';
import { readSyntax } from './syntax.ts';

function nodesOf(program: SyntaxNode): SyntaxNode[] {
  const nodes = [program];
  for (const node of nodes) {
    for (const value of Object.values(node)) {
      for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
        if (typeof one === 'object' && one !== null && 'type' in one) nodes.push(one as SyntaxNode);
    }
  }
  return nodes;
}

/** The texts of the calls in the tree, taken from `text` at their places. */
function callsIn(program: SyntaxNode, text: string): string[] {
  return nodesOf(program)
    .filter(({ type }) => type === 'CallExpression')
    .map(({ start, end }) => text.slice(start, end))
    .sort();
}

/** Nested 320 deep or long, each in its own way, around `seek(one)`. */
const DEEP: Readonly<Record<string, string>> = {
  brackets: `x = ${'['.repeat(320)}seek(one)${']'.repeat(320)}`,
  parentheses: `x = ${'('.repeat(100_000)}seek(one)${')'.repeat(100_000)}`,
  calls: `x = ${'f('.repeat(320)}seek(one)${')'.repeat(320)}`,
  objects: `x = ${'{a:'.repeat(320)}seek(one)${'}'.repeat(320)}`,
  blocks: `${'{'.repeat(320)}seek(one)${'}'.repeat(320)}`,
  templates: `x = ${'`${'.repeat(320)}seek(one)${'}`'.repeat(320)}`,
  arrows: `x = ${'a => '.repeat(320)}seek(one)`,
  sums: `x = ${"'a' + ".repeat(5_000)}seek(one)`,
  conditions: `${'if (a) '.repeat(320)}seek(one)`,
  'other conditions': `${'if (a) { b } else '.repeat(320)}seek(one)`,
  choices: `x = ${'a ? b : '.repeat(320)}seek(one)`,
  classes: `x = ${'class { a() { return '.repeat(60)}seek(one)${'} }'.repeat(60)}`,
  functions: `${'function f() {'.repeat(120)}seek(one)${'}'.repeat(120)}`,
  switches: `${'switch (a) { default: '.repeat(120)}seek(one)${'}'.repeat(120)}`,
};

describe('parseJavaScript() of what is nested deeply', () => {
  it.each(Object.entries(DEEP))('finds the call in %s, at its place', (_, text) => {
    for (const path of ['a.js', 'a.ts']) {
      const { program, gap, problemAt } = parseJavaScript(path, text);
      expect([gap, problemAt]).toEqual([undefined, undefined]);
      expect(callsIn(program, text)).toContain('seek(one)');
    }
  });

  it('keeps the scope of what it cuts', () => {
    const text = `function f(a) { const b = a; return ${'['.repeat(320)}seek(b)${']'.repeat(320)} }`;
    const { program } = parseJavaScript('a.js', text);
    expect(program.body.map(({ type }) => type)).toEqual(['FunctionDeclaration']);
  });

  it.each([
    ['functions', '(function(){'.repeat(2_000) + 'seek(one)' + '})()'.repeat(2_000)],
    ['negations', `x = ${'!'.repeat(5_000)}seek(one)`],
  ])('finds the call in far too many %s, and reports that it is deep', (_, text) => {
    const { program, gap } = parseJavaScript('a.js', text);
    expect(gap).toBe('part of it is nested too deeply');
    expect(callsIn(program, text)).toContain('seek(one)');
  });

  it('reports that brackets do not end', () => {
    expect(parseJavaScript('a.js', '['.repeat(1_000)).gap).toBe(
      'its brackets and literals do not end',
    );
  });
});

describe('readSyntax() of what is too large', () => {
  const long = 'x '.repeat(2_550_000);

  it.each([
    ['a.js', `/*${long}*/seek(one)`],
    ['a.ts', `// ${long}\nseek(one); type A = string`],
    ['a.py', `# ${long}\nseek(one)\n`],
    ['a.py', `'''${long}'''\ndef f():\n    # ${long}\n    seek(one)\n`],
  ])('reads the code beside the comments of %s', (path, text) => {
    const syntax = readSyntax(path, text, undefined, (part) => part.includes('seek'));
    expect(syntax).not.toHaveProperty('reason');
    expect('gap' in syntax ? syntax.gap : '').toBeUndefined();
    const found: string[] = [];
    if (syntax.language === 'python') {
      syntax.tree.iterate({
        enter: ({ name, from, to }) => {
          if (name === 'CallExpression') found.push(text.slice(from, to));
        },
      });
    } else if (syntax.language === 'javascript') found.push(...callsIn(syntax.program, text));
    expect(found).toContain('seek(one)');
  });

  it('reads the parts that matter of code alone', () => {
    const text = `${'var a = 1;\n'.repeat(500_000)}seek(one);\n`;
    const { program, gap } = parseJavaScript('a.js', text, undefined, (part) =>
      part.includes('seek'),
    );
    expect(gap).toBeUndefined();
    expect(callsIn(program, text)).toEqual(['seek(one)']);
  });
});

describe('readInPieces()', () => {
  /** Statements that may follow each other in any order. */
  const STATEMENTS = [
    'function f(a) { return a / 2 }',
    'const r = /[/*]"/.test(b);',
    'if (a) b(); else c();',
    'for (const x of y) { z(`a${x}b`) }',
    'label: while (a) { break label }',
    'class A { #b = 1; c() { return this.#b } static { d() } }',
    'x = { a, b() {}, get c() { return 1 }, [d]: e };',
    'switch (a) { case 1: b(); break; default: c() }',
    'try { a() } catch { b() } finally { c() }',
    'x = a ? { b: 1 } : { c: d() };',
    'do { a() } while (b)',
    'y = async () => { await a(); }\n',
    "s = 'it\\'s' + \"a\"; // '\n",
    'var t = a / b / c, u = (a) / 2;',
  ];

  it('finds the calls that the parser finds', () => {
    const program = fc.array(fc.constantFrom(...STATEMENTS), { maxLength: 12 });
    fc.assert(
      fc.property(program, fc.boolean(), (parts, isDeep) => {
        const text = parts
          .map((part, n) => part.replaceAll(/\b([frstuxyA])\b(?= [={(])/g, `$1${n}`))
          .join('\n');
        const parse = (piece: string): readonly SyntaxNode[] | undefined => {
          const { program: whole, problemAt } = parseJavaScript('a.js', piece);
          return problemAt === undefined ? whole.body : undefined;
        };
        const code = isDeep ? `(() => { ${text}\n })()` : text;
        const read = readInPieces(code, { parse, matters: () => true });
        expect(read.gap).toBeUndefined();
        expect(callsIn(read.program, code)).toEqual(
          callsIn(parseJavaScript('a.js', code).program, code),
        );
      }),
    );
  });
});
