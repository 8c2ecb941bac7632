import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nativeParser, type ModuleRecord } from './native-parser.ts';

function outline(name: string, text: string): unknown {
  const read = (module: () => ModuleRecord): unknown => {
    const { staticImports, staticExports } = module();
    return {
      imports: staticImports.map(({ moduleRequest: { value, start }, entries }) => [
        value,
        start,
        entries.map(({ isType }) => isType),
      ]),
      exports: staticExports.map(({ entries }) =>
        entries.map(({ isType, moduleRequest: from }) => [isType, from?.value, from?.start]),
      ),
    };
  };
  return nativeParser?.outline(name, text, 'ts', read);
}

describe('nativeParser', () => {
  it('gives the first texts and the later ones, which are read otherwise, the same outline', () => {
    const sources = readdirSync(import.meta.dirname)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
    const texts = [
      ...sources,
      ...sources.map((text) => text.slice(0, text.length * 0.6)),
      'const é = "ü"; export * from "b"; export { type A } from "😀/x"',
      "import type { A } from 'x'; import b, { type C, d as e } from 'y'; import * as f from 'z'",
      '',
    ];
    const first = texts.map((text) => outline('a.ts', text));
    expect(texts.length).toBeLessThan(50);
    for (let n = 0; n < 100; n += 1) outline('a.ts', '');
    expect(texts.map((text) => outline('a.ts', text))).toEqual(first);
    expect(first).toContain(undefined);
    expect(first.filter((one) => one !== undefined).length).toBeGreaterThan(sources.length);
  });

  it('reads texts that are too large for the buffer', () => {
    const text = `import a from 'x';\n${'a();\n'.repeat(100_000)}`;
    expect(outline('a.ts', text)).toMatchObject({ imports: [['x', 14, [false]]] });
    expect(outline('a.ts', `${text}(`)).toBeUndefined();
  });

  it('makes a tree', () => {
    expect(nativeParser?.tree('a.ts', 'let a: string', 'ts')).toMatchObject({ type: 'Program' });
  });
});
